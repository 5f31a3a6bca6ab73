/** A value that is JSON, not a string, according to its tag. */
import { coerceText } from '../../engine/coerce-text.ts'
import { declaredTypes } from '../../engine/declared-types.ts'

const CONTAINER = { type: ['object', 'array'] }

/**
 * A string if only strings are declared. Otherwise, the first that applies: a value of a declared type, the JSON value, a repaired value,
 * the text.
 */
export function toTypedJson(text: string, schema: unknown, root: unknown): string {
  const { types, isText } = declaredTypes(schema, root)
  if (isText) return JSON.stringify(text)
  const trimmed = text.trim()
  if (types.size === 0) return isJson(trimmed) ? trimmed : repair(trimmed, text)
  const { json } = coerceText(text, schema, root)
  // A string although none is declared: the tag takes precedence.
  return json.startsWith('"') && !types.has('string') && isJson(trimmed) ? trimmed : json
}

/** Excludes a number that is too large for JSON parsers. */
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
