/** What every module that asks a model may be told, and the check of it. */
import type { Adapter, LM, Parsed, Settings, Usage } from '@x/adapters'
import type { RunScope } from '../loop/scope.ts'
import { modelDeadline } from '../model/model-deadline.ts'
import { directSteps } from '../steps/steps.ts'
import { assertAdapter, assertCount, assertLM, assertSignal, assertTime } from './options.ts'

export interface ModuleOptions {
  lm: LM
  /** Default: `defaultAdapter()`. `textAdapter(dialect)` is for a model without function calling. */
  adapter?: Adapter | undefined
  settings?: Settings | undefined
  /** Holds the model to the tools' schemas where the provider can. */
  strictTools?: boolean | undefined
  /** Merged into the body of every request, as the provider's API has it. */
  providerOptions?: Readonly<Record<string, unknown>> | undefined
  /** Timeout of one request with its reply, in milliseconds; `Infinity` for none. Default: 600,000. */
  modelTimeoutMs?: number | undefined
  /** Maximum output-repair attempts. Default: 2. */
  maxRepairs?: number | undefined
}

/** Throws `invalid_options` with the option's name and what it should be. */
export function assertModuleOptions(owner: string, { lm, adapter, modelTimeoutMs, maxRepairs = 0 }: ModuleOptions): void {
  assertLM(owner, lm)
  assertAdapter(owner, adapter)
  assertTime(owner, 'modelTimeoutMs', modelTimeoutMs)
  assertCount(owner, 'maxRepairs', maxRepairs, 0)
}

/** `recovered` and `recoveredFields` tell what was mended in the reply that was taken. */
export interface Prediction<Outputs> extends Pick<Parsed<Outputs>, 'outputs' | 'recovered' | 'recoveredFields'> {
  /** Tokens of all attempts, as far as the provider reported them. */
  readonly usage: Usage
}

export function soleScope(owner: string, signal: AbortSignal | undefined, modelTimeoutMs: number): RunScope {
  assertSignal(owner, signal)
  const deadline = modelDeadline(modelTimeoutMs, signal)
  return { id: '', token: '', values: {}, steps: directSteps, signal, deadline, emit: () => {} }
}
