/** Repairs malformed JSON without losing digits. */
import type { RecoverOptions } from '../../arguments/limits.ts'
import { recoverJson } from '../../arguments/recover.ts'
import type { RecoveryTag } from '../../arguments/tags.ts'
import { pythonToJson } from '../families/python/python-literal.ts'

export interface ExactJson {
  /** The text itself if it is valid JSON, and repaired JSON otherwise. */
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

/** Returns undefined if the text can't be repaired, or if repairing it would change a number. */
export function recoverExactly(text: string, options?: RecoverOptions): ExactJson | undefined {
  const read = recoverJson(text, options)
  if (!read.ok) return undefined
  const { value, tags } = read
  const json = tags.length === 0 ? text : (writeExactly(value) ?? rewrite(text, value))
  return json === undefined ? undefined : { json, value, tags }
}

/** Returns undefined if a number in the value may have lost digits. */
function writeExactly(value: unknown): string | undefined {
  let isExact = true
  const json = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'number' && isRounded(item)) isExact = false
    return item
  })
  return isExact ? json : undefined
}

/** True for a number with more than fifteen digits, which a double may not preserve. */
function isRounded(value: number): boolean {
  return !Number.isSafeInteger(value) && (Math.abs(value) >= 1e15 || String(value).length > 16)
}

/** Returns the text translated from Python to JSON, with its numbers as written. Undefined if the translation has a different value. */
function rewrite(text: string, value: unknown): string | undefined {
  const json = pythonToJson(text)
  return json !== undefined && JSON.stringify(JSON.parse(json)) === JSON.stringify(value) ? json : undefined
}
