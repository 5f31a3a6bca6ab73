/** A call that waits, and what somebody decides about it. Types only. */

/** Arguments as plain data. */
export type KeptArgs = Readonly<Record<string, unknown>>

/** A call that somebody is asked about. Plain data. */
export interface AskedCall {
  readonly callId: string
  readonly name: string
  /**
   * As they will be executed: checked, with defaults filled in. Of a schema that transforms what it is given, what it was given: an edit
   * has its form.
   */
  readonly args: KeptArgs
  /** A yes or a no; or, for a client tool, what it gave where the client ran it. */
  readonly needs: 'approval' | 'result'
  /** SHA-256 of the tool as it is declared, of `args`, and of what they were transformed to: a decision is about nothing else. */
  readonly digest: string
}

/** A call that the run waits for. Plain data. */
export interface PendingCall extends AskedCall {
  /** `approval-` and the id of the call: over a journal it is decided by `journal.decide(key, decision)`. */
  readonly key: string
  /**
   * What a yes executes where that is not `args`: what the schema made of them. Null where JSON cannot hold it: another process prepares
   * the call again, and refuses it if it became another one.
   */
  readonly executes?: KeptArgs | null | undefined
}

/** `edit` is a yes to other arguments, which are checked again. `result` ends a call of a client tool. */
export type Decision =
  | { readonly type: 'approve' }
  | { readonly type: 'edit'; readonly args: KeptArgs }
  | { readonly type: 'reject'; readonly reason?: string | undefined }
  | { readonly type: 'result'; readonly output: unknown }

/** A call of the turn that somebody decided. */
export interface DecidedCall extends PendingCall {
  readonly decision: Decision
  /** What the arguments of an edit became. Null where JSON cannot hold it; left out while they have not been prepared. */
  readonly edited?: KeptArgs | null | undefined
}

/**
 * Asked while the run waits, about one call after the other; a `Decision`, or true or false. The events have told of all calls of the
 * turn by then. Where it throws, or the answer cannot be used, nothing is decided and the run pauses, with the reason as its cause. A call
 * that a tool makes itself can be approved or not: any other decision is a no.
 */
export type Approve = (call: AskedCall) => boolean | Decision | Promise<boolean | Decision>
