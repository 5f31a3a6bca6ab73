/** The contract of a place where responses are kept. */
import type { LMResponse } from '@x/adapters'

/** What it rejects with, the request rejects with: a store that may fail catches that itself. A response is plain data, and frozen. */
export interface CacheStore {
  get(key: string): LMResponse | undefined | Promise<LMResponse | undefined>
  set(key: string, response: LMResponse): void | Promise<void>
}
