/** Repairs malformed JSON without losing digits. */
import type { RecoverOptions } from '../../arguments/limits.ts'
import { recoverJson } from '../../arguments/recover.ts'
import type { RecoveryTag } from '../../arguments/tags.ts'
import { pythonToJson } from '../families/python/python-literal.ts'

export interface ExactJson {
  /** The original text if it is valid JSON; otherwise the repaired JSON. */
  readonly json: string
  /** The parsed value. Long numbers in it aren't exact. */
  readonly value: unknown
  readonly tags: readonly RecoveryTag[]
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the JSON of a text. Returns undefined if the text can't be repaired, or if repairing it would change a number. */
export function recoverExactly(text: string, options?: RecoverOptions): ExactJson | undefined {
  const read = recoverJson(text, options)
  if (!read.ok) return undefined
  const { value, tags } = read
  const json = tags.length === 0 ? text : (writeExactly(value) ?? rewrite(text, value))
  return json === undefined ? undefined : { json, value, tags }
}

/** Writes a value as JSON. Returns undefined if one of its numbers may have lost digits. */
function writeExactly(value: unknown): string | undefined {
  let isExact = true
  const json = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'number' && isRounded(item)) isExact = false
    return item
  })
  return isExact ? json : undefined
}

/** Returns true for a number with more than fifteen digits, which a double may not represent exactly. */
function isRounded(value: number): boolean {
  return !Number.isSafeInteger(value) && (Math.abs(value) >= 1e15 || String(value).length > 16)
}

/**
 * Translates Python syntax to JSON, with numbers in their original spelling. Returns undefined if that would change the value.
 */
function rewrite(text: string, value: unknown): string | undefined {
  const json = pythonToJson(text)
  return json !== undefined && JSON.stringify(JSON.parse(json)) === JSON.stringify(value) ? json : undefined
}
