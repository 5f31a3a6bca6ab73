/** Outcomes of calls. Types only. */
import type { Observation, Usage } from '@x/adapters'
import type { ArgumentTag, Issue, OutputTag } from '@x/tool-core'

/** The outcome of a call, as plain data. */
export interface CallOutcome {
  readonly observation: Observation
  /** The parts of the result that aren't in the observation. Not kept in a paused run. */
  readonly data?: CallData | undefined
  /** The complete text of the result, if the observation contains only its first page. */
  readonly whole?: string | undefined
  /** The call was rejected, which doesn't count as a failure of its tool. */
  readonly isRejected?: boolean | undefined
  /** Usage of requests that the tool itself sent to models, as reported by its progress. */
  readonly usage?: Usage | undefined
  /** Describes the call. Set only if it is unknown whether the call took effect. */
  readonly unknown?: UnknownCall | undefined
  /** Calls made by the tool that may or may not have taken effect. */
  readonly nestedUnknown?: readonly UnknownCall[] | undefined
}

/** The structured part of a result, as plain data. Doesn't repeat what the complete text of the observation contains. */
export interface CallData {
  /** Set if the complete text is the output itself (`text`) or its JSON (`json`). */
  readonly form?: 'text' | 'json' | undefined
  /** The output, if the text differs from it: it comes from `toModelOutput` or is truncated. */
  readonly output?: unknown
  /** Only in a journal: digests of the base64 data that is left out of the output, by JSON pointer. See `RecordedMedia`. */
  readonly media?: Readonly<Record<string, string>> | undefined
  /** The executed arguments, if they are in neither the call nor its decision. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  readonly tags?: readonly ArgumentTag[] | undefined
  readonly outputTags?: readonly OutputTag[] | undefined
  readonly reason?: string | undefined
  readonly issues?: readonly Issue[] | undefined
}

/**
 * The `code` of a failed call's observation, besides the codes of the tool (`ToolErrorCode`) and of a malformed call (`FieldErrorCode`). A
 * model reads the message.
 *
 * - `not_run`: the run was aborted or failed before the call. Fix: start another run; the model can then make the call.
 * - `rejected`: an approver rejected the call. It wasn't run. Fix: give a `reason` with the rejection, so that the model can do better.
 * - `unknown_outcome`: the process stopped during the call, which may have taken effect and isn't repeated. Fix: check whether it did. If
 *   calls to the tool may be repeated, declare it as `idempotent`.
 * - `steps_failed`: the engine behind `steps` failed, so the call wasn't run or its result couldn't be recorded. Fix: see `cause` of the
 *   run's error.
 *
 * For calls that tools make:
 *
 * - `recursive_call`: a tool called itself, directly or through another tool. It wasn't run. Fix: let it call other tools.
 * - `nesting_too_deep`: tools called each other more than 4 levels deep. The innermost call wasn't run. Fix: nest the tools less deeply.
 * - `too_many_nested_calls`: a tool made more than 1,000 calls in one call of its own, and was stopped. Fix: give it less to do at a time.
 * - `nested_data_too_large`: a tool recorded more than 16 MiB of calls and results in one call of its own, and was stopped. Fix: let the
 *   tools return less, or give it less to do at a time.
 * - `output_too_large`: the call was executed, and its output has more than `maxOutputLength` characters. The tool that made the call gets
 *   this error in place of a part of the output. Fix: ask the tool for less, or raise its `maxOutputLength`.
 * - `nondeterministic_program`: a tool was resumed, and its calls differ from before, so it was stopped. Its earlier calls are not undone.
 *   The message names those that were not made because a decision was still missing. Fix: in `execute`, await only calls, and don't read the
 *   clock or random numbers. Don't change the tool while runs are paused.
 */
export type CallErrorCode =
  | RefusalReason
  | 'not_run'
  | 'rejected'
  | 'unknown_outcome'
  | 'steps_failed'
  | 'recursive_call'
  | 'nesting_too_deep'
  | 'too_many_nested_calls'
  | 'nested_data_too_large'
  | 'output_too_large'
  | 'nondeterministic_program'

/**
 * Why a call was refused, without being run. A model reads the message.
 *
 * - `repeated_call`: the model made the same call before, with the same result, or several times in one turn. Fix: raise `maxRepeats` if
 *   repeating helps. A call that writes can be repeated only in a later turn.
 * - `failing_tool`: the tool failed `maxToolFailures` times in a row. Fix: correct the tool; the earlier observations have its errors.
 * - `other_calls_failed`: the call would end the task, and another call of the turn failed. Fix: let the model read that error and continue.
 * - `too_many_calls`: the turn contains more than `maxCallsPerTurn` calls. Fix: raise `maxCallsPerTurn`, or let the model continue.
 */
export type RefusalReason = 'repeated_call' | 'failing_tool' | 'other_calls_failed' | 'too_many_calls'

/** Outcomes by call id. */
export type Outcomes = ReadonlyMap<string, CallOutcome>

/**
 * A call that may or may not have taken effect, and was not repeated. Reasons: the process stopped during the call, the call timed out, the
 * run was aborted, or the result could not be recorded.
 */
export interface UnknownCall {
  readonly code: 'unknown_outcome'
  readonly callId: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The key that was passed to the tool. A service may have recorded the call under it. */
  readonly idempotencyKey: string
}
