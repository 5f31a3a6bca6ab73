/** Calls that require a decision, and decisions about them. Types only. */
import type { ArgumentTag } from '@x/tool-core'

/** Arguments as plain data. */
export type KeptArgs = Readonly<Record<string, unknown>>

/** A call that requires a decision. Plain data. */
export interface AskedCall {
  readonly callId: string
  readonly name: string
  /**
   * The arguments as they will be executed: validated, with defaults filled in. If the schema transforms its input, these are the arguments
   * before the transformation. The `args` of an edit have the same form.
   */
  readonly args: KeptArgs
  /** What the call needs: an approval, a result (of a client tool), or an answer to its tool's question. */
  readonly needs: 'approval' | 'result' | 'input'
  /** SHA-256 of the declared tool, of `args`, and of the transformed arguments. A decision is valid only for this digest. */
  readonly digest: string
  /** Id of the outer call whose tool made this call or asks this question. */
  readonly parentCallId?: string | undefined
  /**
   * Key of the decision in a journal, and its name in an engine. Absent for a call that a tool makes with `callTool`, which only `approve`
   * can decide.
   */
  readonly key?: string | undefined
  /**
   * The question, if `needs` is `input`. `name` is then the name of the tool that asks it, and `args` is empty. A call made by a program
   * may have a text for the approver here.
   */
  readonly message?: string | undefined
  /** JSON Schema of the answer. */
  readonly schema?: object | undefined
}

/** A call that a paused run is waiting for. Plain data. */
export interface PendingCall extends AskedCall {
  /**
   * Key of the decision in a journal: `journal.decide(key, decision)`. For a call made by the model, it is `approval-` followed by the call
   * id. For other calls, it also contains the outer call's id, such as `nested-c1/approval-c1.4`.
   */
  readonly key: string
  /**
   * The arguments after the schema's transformation, if they differ from `args`. Null if JSON can't represent them: another process then
   * prepares the call again, and refuses it if the result differs.
   */
  readonly executes?: KeptArgs | null | undefined
  /** Changes that were made to the model's arguments before validation. */
  readonly tags?: readonly ArgumentTag[] | undefined
}

/**
 * `edit` approves the call with other arguments, which are validated again. `result` completes a call to a client tool. `input` answers a
 * question.
 */
export type Decision =
  | { readonly type: 'approve' }
  | { readonly type: 'edit'; readonly args: KeptArgs }
  | { readonly type: 'reject'; readonly reason?: string | undefined }
  | { readonly type: 'result'; readonly output: unknown }
  | { readonly type: 'input'; readonly input: unknown }

/** A call with its decision. */
export interface DecidedCall extends PendingCall {
  readonly decision: Decision
  /** The edited arguments after preparation. Null if JSON can't represent them. Undefined until they are prepared. */
  readonly edited?: KeptArgs | null | undefined
}

/**
 * Called for each pending call, one at a time, after all `approval_requested` events of the turn. Returns a `Decision` or a boolean. If it
 * throws or returns an invalid decision, the run pauses with the reason as `cause`. If a tool makes the call with `callTool` instead of
 * `context.call`, any decision other than approval rejects the call.
 */
export type Approve = (call: AskedCall) => boolean | Decision | Promise<boolean | Decision>
