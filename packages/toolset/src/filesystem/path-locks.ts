/** Serializes work on a file. */

export class PathLocks {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs the work after all earlier work on these paths. */
  async hold<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const keys = paths.map(toKey)
    const turn = Promise.all(keys.map((key) => this.#last.get(key))).then(work)
    const done = turn.then(
      () => undefined,
      // `turn` reports the error to its caller.
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

/** Shared by all toolsets of the process, because the same file may be below two roots. Keeps a path only while work on it is pending. */
export const fileLocks = new PathLocks()

/** Some file systems treat paths with the same key as one file. On other file systems, waiting does no harm. */
function toKey(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
