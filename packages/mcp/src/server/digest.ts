/** Computes a digest of JSON data that doesn't depend on the order of keys. */
import { findFault, MAX_DEPTH } from '@x/tool-core'

/**
 * Returns the SHA-256 digest of a value in hexadecimal. Returns undefined for data that is nested too deeply, which no tool
 * accepts.
 */
export async function digestOf(value: unknown): Promise<string | undefined> {
  if (findFault(value, MAX_DEPTH) !== undefined) return undefined
  const text = JSON.stringify(value, (_, member: unknown) => (isRecord(member) ? sorted(member) : member)) ?? 'null'
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Copies a record with sorted keys. JavaScript always puts integer-like keys first, so they need no sorting. */
function sorted(record: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
