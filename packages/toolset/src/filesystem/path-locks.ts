/** Locks for paths, so that one piece of work at a time touches a file. */

export class PathLocks {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs the work when all that came earlier for one of these paths is done. */
  async hold<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const keys = paths.map(toKey)
    const turn = Promise.all(keys.map((key) => this.#last.get(key))).then(work)
    const done = turn.then(
      () => undefined,
      // The caller gets the error by `turn`.
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

/** Of all toolsets of this process: the same file may lie below two roots. A path is forgotten when its last work is done. */
export const fileLocks = new PathLocks()

/** Some file systems take these spellings for one file; where they do not, waiting does no harm. */
function toKey(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
