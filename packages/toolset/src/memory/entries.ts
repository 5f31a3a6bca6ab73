/** Stores the entries of a memory, ordered by when their keys were first stored. Enforces the limits. */
import { assertFits, type Limits, sizeOf, type Texts } from './limits.ts'

export interface Entry extends Texts {
  /** Creation time in milliseconds since 1970, like all times here. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Number of times that the entry was retrieved. `lastAccessed` is the time of the last retrieval. */
  accessCount: number
  lastAccessed: number | null
}

/** All methods are synchronous, so that no other call can run between a read and the write that follows it. */
export class Entries {
  // A Map, because a key such as `__proto__` must be ordinary data.
  readonly #entries = new Map<string, Entry>()
  readonly #limits: Limits
  #bytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  all(): Entry[] {
    return [...this.#entries.values()]
  }

  /** Stores an entry. If the entry doesn't fit, throws `memory_quota` and changes nothing. */
  set(entry: Entry): void {
    const before = this.#entries.get(entry.key)
    const entries = this.#entries.size + (before === undefined ? 1 : 0)
    this.#bytes = assertFits(entry, { entries, bytes: this.#bytes - (before === undefined ? 0 : sizeOf(before)) }, this.#limits)
    this.#entries.set(entry.key, entry)
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key)
    if (entry !== undefined) this.#bytes -= sizeOf(entry)
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}
