/** Converts a value to JSON if its tag states that the value isn't a string. */
import { coerceText } from '../../engine/coerce-text.ts'
import { declaredTypes } from '../../engine/declared-types.ts'

const CONTAINER = { type: ['object', 'array'] }

/**
 * Converts text to JSON. If only strings are declared, the result is a string. Otherwise, the result is the first of these that applies:
 * a value of a declared type, the text itself if it is JSON, repaired JSON, or a string.
 */
export function toTypedJson(text: string, schema: unknown, root: unknown): string {
  const { types, isText } = declaredTypes(schema, root)
  if (isText) return JSON.stringify(text)
  const trimmed = text.trim()
  if (types.size === 0) return isJson(trimmed) ? trimmed : repair(trimmed, text)
  const { json } = coerceText(text, schema, root)
  // The result is a string, although the schema declares none. The tag takes precedence over the schema.
  return json.startsWith('"') && !types.has('string') && isJson(trimmed) ? trimmed : json
}

/** True for valid JSON, except a number that is too large for JSON parsers. */
function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value !== 'number' || Number.isFinite(value)
  } catch {
    return false
  }
}

function repair(trimmed: string, text: string): string {
  return /^[{[]/.test(trimmed) ? coerceText(trimmed, CONTAINER).json : JSON.stringify(text)
}
