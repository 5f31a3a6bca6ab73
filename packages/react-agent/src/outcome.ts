/** What a call came to. Types only. */
import type { Observation } from '@x/adapters'

/** What became of a call, as plain data. */
export interface CallOutcome {
  readonly observation: Observation
  /** What a tool of the ending gave; the model's own tools are heard through the observation alone. */
  readonly output?: unknown
  /** All of a result of which the model reads only the beginning. */
  readonly whole?: string | undefined
  /** It was started, and nobody knows what came of it. */
  readonly isUnknown?: boolean | undefined
}
