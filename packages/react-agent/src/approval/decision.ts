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
   * before the transformation. An edit has the same form.
   */
  readonly args: KeptArgs
  /** Whether the call needs an approval, a result (for a client tool), or an answer to its tool's question. */
  readonly needs: 'approval' | 'result' | 'input'
  /** SHA-256 of the declared tool, of `args`, and of the transformed arguments. A decision is valid only for this digest. */
  readonly digest: string
  /** The call whose tool made this one, or asks this question. */
  readonly parentCallId?: string | undefined
  /** The question, if `needs` is `input`. `name` is then the tool that asks it, and `args` is empty. */
  readonly message?: string | undefined
  /** JSON Schema of the answer. */
  readonly schema?: object | undefined
}

/** A call that a paused run waits for. Plain data. */
export interface PendingCall extends AskedCall {
  /**
   * With a journal, decide the call under this key: `journal.decide(key, decision)`. For a call made by the model, it is `approval-` and
   * the id.
   */
  readonly key: string
  /**
   * The arguments after the schema's transformation, if they differ from `args`. Null if JSON can't represent them. Then another process
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
  /** The edited arguments after preparation. Null if JSON can't represent them. Undefined while they aren't prepared. */
  readonly edited?: KeptArgs | null | undefined
}

/**
 * Called once per pending call, in sequence, after all of the turn's `approval_requested` events. Returns a `Decision` or a boolean. If it
 * throws or returns an invalid decision, the run pauses with the reason as `cause`. For a call that a tool makes with `callTool` instead of
 * `context.call`, anything other than approval is a rejection.
 */
export type Approve = (call: AskedCall) => boolean | Decision | Promise<boolean | Decision>
