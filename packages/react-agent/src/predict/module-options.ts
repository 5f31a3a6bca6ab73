/** The options that all modules share, and their checks. */
import type { Adapter, LM, Parsed, Settings, Usage } from '@x/adapters'
import type { ModelScope } from '../loop/scope.ts'
import { modelDeadline } from '../model/model-deadline.ts'
import { directSteps } from '../steps/steps.ts'
import { assertAdapter, assertCount, assertLM, assertSignal, assertTime } from './options.ts'

export interface ModuleOptions {
  /** The model, for example from `createLM`. */
  lm: LM
  /** Default: `defaultAdapter()`. `textAdapter(dialect)` is for a model without function calling. */
  adapter?: Adapter | undefined
  /** Settings of every request, such as the temperature. */
  settings?: Settings | undefined
  /** Makes the model follow the tools' schemas strictly, if the provider supports it. */
  strictTools?: boolean | undefined
  /** Merged into the body of every request, in the format of the provider's API. */
  providerOptions?: Readonly<Record<string, unknown>> | undefined
  /** Timeout of one request with its reply, in milliseconds. `Infinity` disables it. Default: 600,000. */
  modelTimeoutMs?: number | undefined
  /** Maximum output-repair attempts. Default: 2. */
  maxRepairs?: number | undefined
}

/** Throws `invalid_options` with the name of the option, its value, and what it must be. */
export function assertModuleOptions(owner: string, { lm, adapter, modelTimeoutMs, maxRepairs = 0 }: ModuleOptions): void {
  assertLM(owner, lm)
  assertAdapter(owner, adapter)
  assertTime(owner, 'modelTimeoutMs', modelTimeoutMs)
  assertCount(owner, 'maxRepairs', maxRepairs, 0)
}

/** The result of `run`. `recovered` and `recoveredFields` describe repairs in the accepted reply. */
export interface Prediction<Outputs> extends Pick<Parsed<Outputs>, 'outputs' | 'recovered' | 'recoveredFields'> {
  /** Token usage of all attempts, as far as the provider reported it. */
  readonly usage: Usage
}

export function moduleScope(owner: string, signal: AbortSignal | undefined, modelTimeoutMs: number): ModelScope {
  assertSignal(owner, signal)
  return { steps: directSteps, signal, deadline: modelDeadline(modelTimeoutMs, signal), emit: () => {} }
}
