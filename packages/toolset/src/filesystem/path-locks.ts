/** Locks paths within this process, so that two calls never change the same file at once. */

export class PathLocks {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs the work after all earlier work on these paths has ended. */
  async hold<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const keys = paths.map(toKey)
    const turn = Promise.all(keys.map((key) => this.#last.get(key))).then(work)
    const done = turn.then(
      () => undefined,
      // Ignores the error, which the caller of `turn` receives.
      () => undefined,
    )
    for (const key of keys) this.#last.set(key, done)
    try {
      return await turn
    } finally {
      for (const key of keys) if (this.#last.get(key) === done) this.#last.delete(key)
    }
  }
}

/**
 * The locks of all toolsets in the process, because the same file may be below two roots. A path is kept only while work on it is pending.
 */
export const fileLocks = new PathLocks()

/**
 * Returns the same key for all paths that some file system treats as the same file. On other file systems, a call may wait unnecessarily,
 * which is harmless.
 */
function toKey(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
