/** Formats an invalid value for an error message. */
import { shorten } from './schema/issue.ts'

const MAX_LENGTH = 60

/** Formats strings, objects and arrays as shortened JSON. Never throws. */
export function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return String(value)
  try {
    return value instanceof Promise ? 'a promise. Await it first' : shorten(JSON.stringify(value), MAX_LENGTH)
  } catch {
    return 'an object'
  }
}
