/** Shows an invalid value in an error message. */
import { shorten } from '../schema/issue.ts'

const MAX_LENGTH = 60

/** Never throws. Text, objects and arrays as JSON, shortened. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return String(value)
  try {
    return value instanceof Promise ? 'a promise. Await it first' : shorten(JSON.stringify(value), MAX_LENGTH)
  } catch {
    return 'an object'
  }
}
