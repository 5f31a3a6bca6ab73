/** Computes a hash of a request. Only requests with the same content have the same hash. */
import type { LMRequest } from '@x/adapters'

export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(toSortedJson(value))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the SHA-256 hash of a request's JSON. The order of keys doesn't matter. */
export const requestDigest: (request: LMRequest) => Promise<string> = digestOf

/** Returns JSON text that is the same for objects with the same content, regardless of the order of their keys. */
export function toSortedJson(value: unknown): string {
  return JSON.stringify(value, sortKeys)
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // Because `fromEntries` defines properties, `__proto__` becomes an ordinary key.
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
