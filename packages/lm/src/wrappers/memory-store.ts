/** Responses in memory, the latest used ones. */
import type { LMResponse } from '@x/adapters'

export interface MemoryStoreOptions {
  /** 500 unless told. */
  readonly maxEntries?: number | undefined
}

/** Forgets the response that was not asked for the longest. Throws `TypeError` for a number that is none. */
export function createMemoryStore({ maxEntries = 500 }: MemoryStoreOptions = {}): CacheStore {
  if (!Number.isInteger(maxEntries) || maxEntries < 1)
    throw new TypeError(`createMemoryStore: maxEntries is ${String(maxEntries)}. Write a whole number above 0.`)
  const entries = new Map<string, LMResponse>()
  return {
    get(key) {
      const response = entries.get(key)
      // A map keeps the order in which keys were set.
      if (response !== undefined && entries.delete(key)) entries.set(key, response)
      return response
    },
    set(key, response) {
      entries.delete(key)
      entries.set(key, response)
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
    },
  }
}

/** What it rejects with, the request rejects with: a store that may fail catches that itself. A response is plain data, and frozen. */
export interface CacheStore {
  get(key: string): LMResponse | undefined | Promise<LMResponse | undefined>
  set(key: string, response: LMResponse): void | Promise<void>
}
