/** Answers a call of `predict` with one model call, and repairs. */
import type { InputsOf, OutputsOf, Signature } from '@x/adapters'
import { assertInputs } from '../loop/inputs.ts'
import { askUntilRead, parseOutputs } from '../loop/outputs.ts'
import { Spending } from '../model/spending.ts'
import type { ModuleSettings, Prediction } from './module-options.ts'
import { moduleScope } from './module-scope.ts'
import type { StreamedAnswer } from './predict-stream.ts'

interface Question<S extends Signature> {
  readonly settings: ModuleSettings
  readonly signature: S
  readonly inputs: InputsOf<S>
  readonly signal: AbortSignal | undefined
}

export async function askOnce<S extends Signature>(
  { settings: { model, modelTimeoutMs, maxRepairs }, signature, inputs, signal }: Question<S>,
  { stream, emit, onRepair }: StreamedAnswer = NOT_STREAMED,
): Promise<Prediction<OutputsOf<S>>> {
  const scope = moduleScope(signal, modelTimeoutMs)
  await assertInputs('predict', signature, inputs, signal)
  const conversation = model.adapter.begin(signature, inputs)
  const spending = new Spending({}, undefined)
  const { outputs, recovered, recoveredFields } = await askUntilRead(
    { ...model, stream },
    { conversation, step: 1, maxRepairs, onRepair },
    (response) => parseOutputs(model, signature, response, conversation, signal),
    { ...scope, spending, emit },
  )
  return { outputs, ...(recovered && { recovered }), ...(recoveredFields && { recoveredFields }), usage: spending.usage }
}

const NOT_STREAMED: StreamedAnswer = { stream: false, emit: () => {}, onRepair: undefined }
