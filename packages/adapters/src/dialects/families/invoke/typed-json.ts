/** Converts a value to JSON whose tag says that it isn't a string. */
import { coerceText } from '../../engine/coerce-text.ts'
import { declaredTypes } from '../../engine/declared-types.ts'

const CONTAINER = { type: ['object', 'array'] }

/**
 * Converts text to JSON. If only strings are declared, returns a string. Otherwise returns the first that applies: a value of a
 * declared type, the text itself if it is JSON, repaired JSON, or a string.
 */
export function toTypedJson(text: string, schema: unknown, root: unknown): string {
  const { types, isText } = declaredTypes(schema, root)
  if (isText) return JSON.stringify(text)
  const trimmed = text.trim()
  if (types.size === 0) return isJson(trimmed) ? trimmed : repair(trimmed, text)
  const { json } = coerceText(text, schema, root)
  // The schema declares no string, but the tag takes precedence over it.
  return json.startsWith('"') && !types.has('string') && isJson(trimmed) ? trimmed : json
}

/** Returns true for valid JSON. Returns false for a number that is too large for JSON parsers. */
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
