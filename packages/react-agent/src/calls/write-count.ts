/** Counts the calls that may have changed what other calls return. */
import type { Effect } from '@x/tool-core'

export class WriteCount {
  /** Calls of tools that declare that they write. */
  #writes = 0
  /** The same, and calls of tools that don't declare their effect. */
  #possible = 0

  add(effect: Effect | undefined): void {
    if (effect === 'read') return
    this.#possible++
    if (effect !== undefined) this.#writes++
  }

  /**
   * Those that may have changed what a tool of this effect returns: for a read any of them, for an unknown effect those that declare it.
   * Repeating a write isn't excused by another one.
   */
  before(effect: Effect | undefined): number {
    if (effect === 'read') return this.#possible
    return effect === undefined ? this.#writes : 0
  }
}
