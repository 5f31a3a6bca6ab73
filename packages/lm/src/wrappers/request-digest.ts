/** A short text that two requests share only when they say the same. */
import type { LMRequest } from '@x/adapters'

/** SHA-256 of the request as JSON, whatever the order of its keys. */
export function requestDigest(request: LMRequest): Promise<string> {
  return digestOf(request)
}

export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value, sortKeys))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // `fromEntries` defines keys, so that `__proto__` is one like any other.
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
