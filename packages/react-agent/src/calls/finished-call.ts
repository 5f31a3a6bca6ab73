/** Finished calls as events report them, with arguments, output and error as data in addition to the observation. */
import type { Observation } from '@x/adapters'
import {
  type ArgumentTag,
  boundOutput,
  type Issue,
  MAX_ARGS_LENGTH,
  type OutputTag,
  type ToolCall,
  type ToolResult,
} from '@x/tool-core'
import type { DecidedCall } from '../approval/decision.ts'
import { executedArgs } from '../approval/prepared.ts'
import type { CallData, CallOutcome } from '../loop/outcome.ts'
import type { ReadCall, TurnCall } from '../loop/turn.ts'
import { isWhole, toObservation, withoutErrorMark } from '../prompts.ts'

export type FinishedCall = SucceededCall | FailedCall

export interface SucceededCall<Name extends string = string, Args = ToolCall['args'], Output = unknown> {
  readonly callId: string
  readonly name: Name
  readonly ok: true
  /** The arguments that were executed, as JSON. */
  readonly args: Args
  /** The tool's output, as JSON. */
  readonly output: Output
  /** Changes that were made to the arguments before validation. */
  readonly tags: readonly ArgumentTag[]
  /** Changes that turned the output, or the result of `toModelOutput`, into a bounded JSON value. */
  readonly outputTags: readonly OutputTag[]
  /** The result as the model reads it. */
  readonly observation: Observation
}

export interface FailedCall<Name extends string = string> {
  readonly callId: string
  readonly name: Name
  readonly ok: false
  /** The arguments as the model wrote them, or as they were shown or edited for approval. Undefined for a malformed call. */
  readonly args?: ToolCall['args'] | undefined
  readonly error: CallError
  /** The error as the model reads it. */
  readonly observation: Observation
}

export interface CallError {
  /** A `ToolErrorCode`, a `CallErrorCode`, or for a malformed call a `FieldErrorCode`. */
  readonly code: string
  readonly message: string
  /** A more specific reason, set by the tool. */
  readonly reason?: string | undefined
  /** Validation issues, one per field. */
  readonly issues?: readonly Issue[] | undefined
}

/** A call that has ended. It's converted to an event if the run has a reader. */
export interface CallEnd {
  readonly type: 'call_finished'
  readonly step: number
  readonly ms: number
  readonly turnCall: TurnCall
  readonly outcome: CallOutcome
  /** What the model reads: the observation of the outcome, possibly with a note about an edit. */
  readonly observation: Observation
  readonly decided?: DecidedCall | undefined
}

/** Converts a result to its record. */
export function toOutcome(result: ToolResult): Pick<CallOutcome, 'observation' | 'data'> {
  const observation = toObservation(result)
  const data = result.ok ? dataOf(result, observation.text) : dataOfError(result.error)
  return data === undefined ? { observation } : { observation, data }
}

const AS_JSON: CallData = { form: 'json' }
const AS_TEXT: CallData = { form: 'text' }

function dataOf({ output, modelOutput, args, tags, outputTags }: Extract<ToolResult, { ok: true }>, text: string): CallData {
  const isText = modelOutput === undefined && isWhole(text)
  const data = isText ? (typeof output === 'string' ? AS_TEXT : AS_JSON) : { output }
  if (args === undefined && tags.length === 0 && outputTags.length === 0) return data
  return {
    ...data,
    ...(args !== undefined && { args: boundOutput(args, MAX_ARGS_LENGTH).value as CallData['args'] }),
    ...(tags.length > 0 && { tags }),
    ...(outputTags.length > 0 && { outputTags }),
  }
}

function dataOfError({ reason, issues }: { readonly reason?: string | undefined; readonly issues: readonly Issue[] }) {
  if (reason === undefined && issues.length === 0) return undefined
  return { ...(reason !== undefined && { reason }), ...(issues.length > 0 && { issues }) }
}

/** Returns a copy of a successful call's output. It is the same in a replay. */
export function outputOf({ observation, whole, data = {} }: CallOutcome): unknown {
  const text = whole ?? observation.text
  if (data.form === 'text') return text
  return data.form === 'json' ? JSON.parse(text) : jsonOf(data.output)
}

/** Creates a call's event from its record, so that the event is the same if an earlier process executed the call. */
export function toFinishedCall({ turnCall, outcome, observation, decided }: CallEnd): FinishedCall {
  const { data = {} } = outcome
  const { callId, name, ok, text, code = 'execution_failed' } = outcome.observation
  const args = 'call' in turnCall ? argsOf(turnCall, decided) : undefined
  if (ok) {
    const executed = data.args === undefined ? (args ?? {}) : jsonOf(data.args)
    const { tags = [], outputTags = [] } = data
    return { callId, name, ok, args: executed, output: outputOf(outcome), tags, outputTags, observation }
  }
  const { reason, issues } = data
  const details = { ...(reason !== undefined && { reason }), ...(issues !== undefined && { issues }) }
  const error = { code, message: withoutErrorMark(text), ...details }
  return { callId, name, ok, ...(args !== undefined && { args }), error, observation }
}

/** Returns the arguments that were executed. If JSON can't represent them, they are in the outcome instead. */
function argsOf({ call }: ReadCall, decided: DecidedCall | undefined): ToolCall['args'] {
  if (decided === undefined) return call.args
  const { decision, args } = decided
  return executedArgs(decided) ?? (decision.type === 'edit' ? decision.args : args)
}

function jsonOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value) ?? 'null')
}
