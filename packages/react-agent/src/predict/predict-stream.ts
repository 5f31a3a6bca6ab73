/** Streamed predictions: typed events, and a promise of the outputs. */
import { type Adapter, type FieldError, type FieldText, type LMDelta, type Signature, toDeltas } from '@x/adapters'
import { startRun } from '../loop/run-stream.ts'
import type { Emit } from '../run-event.ts'
import type { Prediction } from './module-options.ts'

/** A delta of a tool call. */
export type CallDelta = Extract<LMDelta, { type: 'call_start' | 'arguments' | 'call_end' | 'malformed_call' }>

/** Events of a prediction. `attempt` counts from 1. The text of an attempt that is followed by `repair` isn't part of the outputs. */
export type PredictEvent<Outputs = unknown> =
  /** Text of the reply as the model writes it, including field markers. */
  | { readonly type: 'text'; readonly attempt: number; readonly text: string }
  /** Text of the model's own reasoning. */
  | { readonly type: 'reasoning'; readonly attempt: number; readonly text: string }
  | { readonly type: 'call'; readonly attempt: number; readonly delta: CallDelta }
  /**
   * Text added to one output. Requires an adapter with `readFields`, such as `nativeAdapter` or `chatAdapter`. The text is as the model
   * wrote it, without surrounding whitespace. The outputs are validated later.
   */
  | { readonly type: 'field'; readonly attempt: number; readonly field: string; readonly text: string }
  /** The reply is invalid, and the model is asked again. */
  | { readonly type: 'repair'; readonly attempt: number; readonly errors: readonly FieldError[] }
  /** The prediction: its outputs, usage and repairs. Always the last event. */
  | ({ readonly type: 'outputs' } & Prediction<Outputs>)

/**
 * Resolves and rejects like the call without a stream. Iterating yields the events that follow, or all events if it starts before the next
 * `await`, and throws if the promise rejects. To stop the prediction, abort its signal.
 */
export interface PredictStream<Outputs> extends Promise<Outputs>, AsyncIterable<PredictEvent<Outputs>> {}

/** How an answer is delivered: whether it is streamed, and to which callbacks. */
export interface StreamedAnswer {
  readonly stream: boolean
  readonly emit: Emit
  readonly onRepair: ((errors: readonly FieldError[]) => void) | undefined
}

export function startStream<Outputs>(
  form: AnswerForm,
  ask: (streamed: StreamedAnswer) => Promise<Prediction<Outputs>>,
): PredictStream<Outputs> {
  const run = startRun<Outputs, PredictEvent<Outputs>>(async (emit) => {
    const prediction = await ask(toStreamed(form, emit))
    emit({ type: 'outputs', ...prediction })
    return prediction.outputs
  })
  return Object.assign(run, { [Symbol.asyncIterator]: () => run.stream() })
}

export interface AnswerForm {
  readonly adapter: Adapter
  readonly signature: Signature
}

function toStreamed({ adapter, signature }: AnswerForm, emit: (event: PredictEvent<never>) => void): StreamedAnswer {
  const newReader = () => adapter.readFields?.(signature)
  let reader = newReader()
  let attempt = 1
  let hasDeltas = false
  const emitFields = (fields: readonly FieldText[] = []) => {
    for (const field of fields) emit({ type: 'field', attempt, ...field })
  }
  const emitDelta = (delta: LMDelta) => {
    hasDeltas = true
    if (delta.type === 'text' || delta.type === 'reasoning') emit({ type: delta.type, attempt, text: delta.text })
    if (delta.type === 'text') emitFields(reader?.push(delta.text))
    if (isOfCall(delta)) emit({ type: 'call', attempt, delta })
  }
  return {
    stream: true,
    emit(event) {
      if (event.type === 'delta') emitDelta(event.delta)
      if (event.type !== 'assistant_message') return
      // A model without streaming replies all at once.
      if (!hasDeltas) for (const delta of toDeltas(event.response)) emitDelta(delta)
      emitFields(reader?.end())
    },
    onRepair(errors) {
      emit({ type: 'repair', attempt, errors })
      attempt++
      hasDeltas = false
      reader = newReader()
    },
  }
}

function isOfCall(delta: LMDelta): delta is CallDelta {
  return ['call_start', 'arguments', 'call_end', 'malformed_call'].includes(delta.type)
}
