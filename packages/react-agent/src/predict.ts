/** One signature, one answer. */
import { type Adapter, defaultAdapter, type InputsOf, type LM, type OutputsOf, type Settings, type Signature } from '@x/adapters'
import { askForOutputsOf } from './outputs.ts'
import { directSteps, type Steps } from './steps.ts'

export interface PredictOptions<S extends Signature> {
  lm: LM
  signature: S
  /** `defaultAdapter()` unless told. */
  adapter?: Adapter | undefined
  settings?: Settings | undefined
  /** Holds the model to the tools' schemas where the provider can. */
  strictTools?: boolean | undefined
  /** Merged into the body of every request, as the provider's API has it. */
  providerOptions?: Readonly<Record<string, unknown>> | undefined
  /** How often the model is told what is wrong with its reply and asked again; 2 unless told. */
  maxRepairs?: number | undefined
}

export interface PredictCallOptions {
  signal?: AbortSignal | undefined
  steps?: Steps | undefined
}

/** Resolves to the outputs; rejects with `AgentError`. Tool calls are returned, never run. */
export type Predict<S extends Signature> = (inputs: InputsOf<S>, options?: PredictCallOptions) => Promise<OutputsOf<S>>

/** A typed function from a signature: one model call, and more only to mend a reply that does not fit. */
export function predict<S extends Signature>(options: PredictOptions<S>): Predict<S> {
  const { lm, signature, adapter = defaultAdapter(), settings, strictTools, providerOptions, maxRepairs = 2 } = options
  const model = { lm, adapter, request: { settings, strictTools, providerOptions } }
  return async (inputs, { signal, steps = directSteps } = {}) => {
    const conversation = adapter.begin(signature, inputs)
    return askForOutputsOf(
      model,
      { signature, conversation, step: 1, maxRepairs },
      { id: '', values: {}, steps, signal, emit: () => {} },
    )
  }
}
