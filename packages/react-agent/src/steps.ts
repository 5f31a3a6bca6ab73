/** The one port that durability needs: every model call and every tool call of a run passes through it. */

/** An engine journals what `execute` gives under `key` and, after a crash, gives it again without executing. */
export interface Steps {
  /** Keys are unique in a run and the same when the run is replayed. What `execute` resolves to is plain data. */
  run<T>(key: string, execute: () => Promise<T>): Promise<T>
  /** Waits for something from outside, such as an approval. */
  wait(key: string): Promise<unknown>
}

/** No journal: executes at once. */
export const directSteps: Steps = {
  run: (_, execute) => execute(),
  wait: (key) => Promise.reject(new Error(`Nothing can be waited for here: "${key}". Run with an engine that keeps a journal.`)),
}
