/** An in-memory LRU store for responses. */
import type { LMResponse } from '@x/adapters'

export interface MemoryStoreOptions {
  /** Maximum number of responses. Default: 500. */
  readonly maxEntries?: number | undefined
}

/** Evicts the least recently used response. Throws `TypeError` if `maxEntries` isn't a whole number above 0. */
export function createMemoryStore({ maxEntries = 500 }: MemoryStoreOptions = {}): CacheStore {
  if (!Number.isInteger(maxEntries) || maxEntries < 1)
    throw new TypeError(`createMemoryStore: maxEntries must be a whole number above 0, got ${String(maxEntries)}.`)
  const entries = new Map<string, LMResponse>()
  return {
    get(key) {
      const response = entries.get(key)
      // A map keeps insertion order, so this moves the key to the end.
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

/**
 * Storage for cached responses, which are frozen plain data. If the store rejects, so does the request, so handle errors inside the store.
 */
export interface CacheStore {
  get(key: string): LMResponse | undefined | Promise<LMResponse | undefined>
  set(key: string, response: LMResponse): void | Promise<void>
}
