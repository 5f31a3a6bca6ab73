/** The port for durable execution: every model call and tool call of a run passes through it. */

/** Implemented by an engine: records the result of each step under its key. After a crash it returns the record without executing. */
export interface Steps {
  /**
   * Runs a step. Keys are unique within a run and the same in a replay. `execute` may run other steps. It resolves to plain data, which
   * has to be recorded before `run` resolves. A rejection is rethrown and need not be recorded: the step is then executed again. An engine
   * that records rejections rethrows them as `RecordedFailure`.
   */
  run<T>(key: string, execute: () => Promise<T>): Promise<T>
  /**
   * Resolves to a decision from outside the run, such as an approval. Rejects with `NotDecided` while there is none. `about` describes what
   * to decide, as plain data. For an approval it is the `PendingCall`.
   */
  wait(key: string, about?: unknown): Promise<unknown>
  /**
   * Calls `work`. Until it ends, the steps with these keys belong together, such as an intent and its call. An engine that is being closed
   * either starts none of them or lets all of them end. A step may belong to several groups. Optional: without this method, closing may
   * interrupt the work between two steps, as a crash does.
   */
  together?<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>
}

/** Runs steps that belong together, on any engine. */
export function together<T>(steps: Steps, keys: readonly string[], work: () => Promise<T>): Promise<T> {
  return steps.together === undefined ? work() : steps.together(keys, work)
}

/** Executes each step directly, without a journal. */
export const directSteps: Steps = {
  run: (_, execute) => execute(),
  wait: (key) => Promise.reject(new NotDecided(key)),
}

/**
 * The `code` of a `NotDecided`, which an engine throws. Don't catch it in a durable function; if you do, rethrow it. Meant for the
 * programmer.
 *
 * - `not_decided`: there is no decision yet, so the run pauses. Fix: record the decision, then start the run again with the same id.
 */
export type NotDecidedCode = 'not_decided'

/** Thrown while there is no decision, which pauses the run. After the decision, start the run again to continue it. */
export class NotDecided extends Error {
  readonly code: NotDecidedCode = 'not_decided'
  /** The key of the missing decision. */
  readonly key: string

  constructor(key: string, options?: ErrorOptions) {
    super(`There is no decision about "${key}" yet. Record it, then start the run again with the same id.`, options)
    this.key = key
  }

  override get name(): 'NotDecided' {
    return 'NotDecided'
  }

  /** Returns the properties to log: all but the cause and the stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
