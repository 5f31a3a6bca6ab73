/** Reads the options that all modules share. */
import { defaultAdapter, type Parsed, type Usage } from '@x/adapters'
import { assertAdapter, assertGiven, assertLM, assertTime, limitOf } from '../check-options.ts'
import type { ModelOptions } from '../model/model.ts'
import type { ModuleOptions } from '../options.ts'

/** `ModuleOptions` with their defaults. */
export interface ModuleSettings {
  readonly model: ModelOptions
  readonly modelTimeoutMs: number
  readonly maxRepairs: number
}

/** Fills in the defaults. Throws `invalid_options` with the name of the option, its value, and what it must be. */
export function readModuleOptions(owner: string, options: ModuleOptions): ModuleSettings {
  assertGiven(owner, options)
  const { lm, adapter = defaultAdapter(), settings, strictTools, providerOptions, modelTimeoutMs = MODEL_TIMEOUT_MS } = options
  assertLM(owner, lm)
  assertAdapter(owner, adapter)
  assertTime(owner, 'modelTimeoutMs', modelTimeoutMs)
  const maxRepairs = limitOf(owner, options, 'maxRepairs')
  return { model: { lm, adapter, request: { settings, strictTools, providerOptions } }, modelTimeoutMs, maxRepairs }
}

/** Default of `modelTimeoutMs`. */
const MODEL_TIMEOUT_MS = 600_000

export interface PredictCallOptions {
  signal?: AbortSignal | undefined
}

/** The result of `run`. `recovered` and `recoveredFields` describe repairs in the accepted reply. */
export interface Prediction<Outputs> extends Pick<Parsed<Outputs>, 'outputs' | 'recovered' | 'recoveredFields'> {
  /** Token usage that the provider reported for all attempts. */
  readonly usage: Usage
}
