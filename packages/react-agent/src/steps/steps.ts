/** The one port that durability needs: every model call and tool call of a run passes through it. */

/** An engine journals what `execute` gives under `key` and, after a crash, gives it again without executing. */
export interface Steps {
  /**
   * Keys are unique in a run and the same when the run is replayed. What `execute` resolves to is plain data, and is kept before
   * `run` resolves. What it rejects with is passed on and need not be kept: such a step is executed again. An engine that keeps it all
   * the same tells it again as a `RecordedFailure`.
   */
  run<T>(key: string, execute: () => Promise<T>): Promise<T>
  /**
   * Gives what was decided outside of the run, such as an approval; rejects with `NotDecided` while nothing was. `about` is plain data
   * for whoever decides: the `PendingCall`, of an approval.
   */
  wait(key: string, about?: unknown): Promise<unknown>
}

/** No journal: executes at once. */
export const directSteps: Steps = {
  run: (_, execute) => execute(),
  wait: (key) => Promise.reject(new Error(`Nothing can be waited for here: "${key}". Run with an engine that keeps a journal.`)),
}

/** Nothing has been decided yet: the run pauses, and goes on when it is started again after the decision. */
export class NotDecided extends Error {
  readonly code = 'not_decided'
  /** What was waited for. */
  readonly key: string

  constructor(key: string, options?: ErrorOptions) {
    super(`Nothing has been decided about "${key}" yet. Record the decision, then start the run again with the same id.`, options)
    this.key = key
  }

  override get name(): 'NotDecided' {
    return 'NotDecided'
  }

  /** For logs: what the error says, without its cause and its stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
