/** What one prediction gave, and how it came about. Types only. */
import type { Parsed, Usage } from '@x/adapters'

/** `recovered` and `recoveredFields` tell what was mended in the reply that was taken. */
export interface Prediction<Outputs> extends Pick<Parsed<Outputs>, 'outputs' | 'recovered' | 'recoveredFields'> {
  /** Tokens of all attempts, as far as the provider reported them. */
  readonly usage: Usage
}
