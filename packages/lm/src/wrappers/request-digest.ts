/** A hash that two requests share only if they have the same content. */
import type { LMRequest } from '@x/adapters'

export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value, sortKeys))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the SHA-256 of the request as JSON, independent of key order. */
export const requestDigest: (request: LMRequest) => Promise<string> = digestOf

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // `fromEntries` defines keys, so `__proto__` is an ordinary one.
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
