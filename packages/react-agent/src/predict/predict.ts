/** `predict`: typed outputs from one model call. */
import type { InputsOf, OutputsOf, Signature } from '@x/adapters'
import { assertSignal, assertSignature } from '../check-options.ts'
import type { ModuleOptions } from '../options.ts'
import { orAborted } from '../until-aborted.ts'
import { type PredictCallOptions, type Prediction, readModuleOptions } from './module-options.ts'
import { type PredictStream, type StreamedAnswer, startStream } from './predict-stream.ts'

export interface PredictOptions<S extends Signature> extends ModuleOptions {
  signature: S
}

export interface Predict<S extends Signature> {
  /**
   * Resolves to the outputs. Undeclared inputs are ignored. Tool calls are returned, never run. To record the outputs in a journal, call
   * the module in your own step. Rejects with `AgentError`, for example `invalid_inputs` if the inputs don't match the signature. Rejects
   * with `AdapterError` for tools that the adapter can't describe to the model.
   */
  (inputs: InputsOf<S>, options?: PredictCallOptions): Promise<OutputsOf<S>>
  /** Like a plain call, but also returns usage and repairs: `{ outputs, usage, recovered, recoveredFields }`. */
  run(inputs: InputsOf<S>, options?: PredictCallOptions): Promise<Prediction<OutputsOf<S>>>
  /** Like a plain call, but returns a stream of the events of all attempts. The stream is also a promise of the outputs. */
  stream(inputs: InputsOf<S>, options?: PredictCallOptions): PredictStream<OutputsOf<S>>
}

/**
 * Creates a typed function from a signature. It calls the model once, and again only to repair an invalid reply. Throws `invalid_options` for
 * a missing or invalid option.
 */
export function predict<S extends Signature>(options: PredictOptions<S>): Predict<S> {
  const settings = readModuleOptions('predict', options)
  const { adapter } = settings.model
  const { signature } = options
  assertSignature('predict', signature)
  const ask = async (inputs: InputsOf<S>, { signal }: PredictCallOptions = {}, streamed?: StreamedAnswer) => {
    assertSignal('predict', signal)
    const { askOnce } = await orAborted(import('../loaded-at-use.ts'), signal)
    return askOnce({ settings, signature, inputs, signal }, streamed)
  }
  return Object.assign(
    async (inputs: InputsOf<S>, callOptions?: PredictCallOptions) => (await ask(inputs, callOptions)).outputs,
    {
      run: (inputs: InputsOf<S>, callOptions?: PredictCallOptions) => ask(inputs, callOptions),
      stream: (inputs: InputsOf<S>, callOptions?: PredictCallOptions) =>
        startStream({ adapter, signature }, (streamed) => ask(inputs, callOptions, streamed)),
    },
  )
}
