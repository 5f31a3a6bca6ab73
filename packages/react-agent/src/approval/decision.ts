/** A call that waits, and what somebody decides about it. Types only. */

/** A call that somebody is asked about. Plain data. */
export interface AskedCall {
  readonly callId: string
  readonly name: string
  /** As they will be executed: checked, with defaults filled in. */
  readonly args: Readonly<Record<string, unknown>>
  /** A yes or a no; or, for a client tool, what it gave where the client ran it. */
  readonly needs: 'approval' | 'result'
  /** SHA-256 of the tool as it is declared and of `args`: a decision is about nothing else. */
  readonly digest: string
}

/** A call that the run waits for. Plain data. */
export interface PendingCall extends AskedCall {
  /** `approval-` and the id of the call: over a journal it is decided by `journal.decide(key, decision)`. */
  readonly key: string
}

/** `edit` is a yes to other arguments, which are checked again. `result` ends a call of a client tool. */
export type Decision =
  | { readonly type: 'approve' }
  | { readonly type: 'edit'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly type: 'reject'; readonly reason?: string | undefined }
  | { readonly type: 'result'; readonly output: unknown }

/** A call of the turn that somebody decided. */
export interface DecidedCall extends PendingCall {
  readonly decision: Decision
}

/**
 * Asked while the run waits, about one call after the other; a `Decision`, or true or false. The events have told of all calls of the
 * turn by then. Where it throws, or the answer cannot be used, nothing is decided and the run pauses, with the reason as its cause. A call
 * that a tool makes itself can be approved or not: any other decision is a no.
 */
export type Approve = (call: AskedCall) => boolean | Decision | Promise<boolean | Decision>
