/** A value of which its tag says that it is JSON, and no text. */
import { coerceText } from '../engine/coerce-text.ts'
import { declaredTypes } from '../engine/declared-types.ts'

const CONTAINER = { type: ['object', 'array'] }

/**
 * Text as it stands where only text is declared. Otherwise what the schema asks for, if the value can be that; then what it is as
 * JSON; then what can be repaired; at last its text.
 */
export function toTypedJson(text: string, schema: unknown, root: unknown): string {
  const { types, isText } = declaredTypes(schema, root)
  if (isText) return JSON.stringify(text)
  const trimmed = text.trim()
  if (types.size === 0) return isJson(trimmed) ? trimmed : repair(trimmed, text)
  const { json } = coerceText(text, schema, root)
  // Read as text although none is declared: the tag knows better.
  return json.startsWith('"') && !types.has('string') && isJson(trimmed) ? trimmed : json
}

/** A number that is too large for JSON's readers is none. */
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
