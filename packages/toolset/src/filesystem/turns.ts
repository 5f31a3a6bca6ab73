/** Lets one piece of work at a time touch a file. */

export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs the work when all that came earlier for one of these paths is done. */
  async take<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const keys = paths.map(toKey)
    const turn = Promise.all(keys.map((key) => this.#last.get(key))).then(work)
    const done = turn.then(
      () => undefined,
      // Told to whom it concerns, by `turn`.
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

/** Of all toolsets of this process: the same file may lie below two roots. Holds no path for longer than its turn. */
export const fileTurns = new Turns()

/** Some file systems take these spellings for one file; where they do not, waiting does no harm. */
function toKey(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
