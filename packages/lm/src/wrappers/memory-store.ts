/** A store for responses in memory. When it is full, it drops the least recently used one. */
import type { LMResponse } from '@x/adapters'

export interface MemoryStoreOptions {
  /** Maximum number of responses to keep. Default: 500. */
  readonly maxEntries?: number | undefined
}

/**
 * Creates a store. A full store drops the response that was used least recently. Throws `TypeError` if `maxEntries` isn't a whole number
 * above 0.
 */
export function createMemoryStore({ maxEntries = 500 }: MemoryStoreOptions = {}): CacheStore {
  if (!Number.isInteger(maxEntries) || maxEntries < 1)
    throw new TypeError(`createMemoryStore: maxEntries must be a whole number above 0, got ${String(maxEntries)}.`)
  const entries = new Map<string, LMResponse>()
  return {
    get(key) {
      const response = entries.get(key)
      // A map keeps insertion order, so this makes the key the most recent one.
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
 * A store for cached responses, which are frozen plain data. If a method rejects, the request rejects too, so handle errors
 * inside the store.
 */
export interface CacheStore {
  get(key: string): LMResponse | undefined | Promise<LMResponse | undefined>
  set(key: string, response: LMResponse): void | Promise<void>
}
