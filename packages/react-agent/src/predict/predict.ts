/** `predict`: typed outputs from one model call. */
import type { InputsOf, OutputsOf, Signature } from '@x/adapters'
import { assertSignature } from '../check-options.ts'
import { assertInputs } from '../loop/inputs.ts'
import { askUntilRead, parseOutputs } from '../loop/outputs.ts'
import { Spending } from '../model/spending.ts'
import type { ModuleOptions } from '../options.ts'
import { moduleScope, type Prediction, readModuleOptions } from './module-options.ts'
import { type PredictStream, type StreamedAnswer, startStream } from './predict-stream.ts'

export interface PredictOptions<S extends Signature> extends ModuleOptions {
  signature: S
}

export interface PredictCallOptions {
  signal?: AbortSignal | undefined
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
  const { model, modelTimeoutMs, maxRepairs } = readModuleOptions('predict', options)
  const { adapter } = model
  const { signature } = options
  assertSignature('predict', signature)
  const ask = async (
    inputs: InputsOf<S>,
    { signal }: PredictCallOptions = {},
    { stream, emit, onRepair }: StreamedAnswer = NOT_STREAMED,
  ): Promise<Prediction<OutputsOf<S>>> => {
    const scope = moduleScope('predict', signal, modelTimeoutMs)
    await assertInputs('predict', signature, inputs, signal)
    const conversation = adapter.begin(signature, inputs)
    const spending = new Spending({}, undefined)
    const { outputs, recovered, recoveredFields } = await askUntilRead(
      { ...model, stream },
      { conversation, step: 1, maxRepairs, onRepair },
      (response) => parseOutputs(model, signature, response, conversation, signal),
      { ...scope, spending, emit },
    )
    return { outputs, ...(recovered && { recovered }), ...(recoveredFields && { recoveredFields }), usage: spending.usage }
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

const NOT_STREAMED: StreamedAnswer = { stream: false, emit: () => {}, onRepair: undefined }
