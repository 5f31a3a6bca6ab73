/** The text of a call's arguments, read as an object or refused with a code; never guessed, never thrown. */
import { coerceValue, isToolError } from '@x/tool-core'
import { isRecord } from '../is-record.ts'
import { type Limits, type RecoverOptions, toLimits } from './limits.ts'
import { recoverWithin } from './recover.ts'
import { EXCERPT, toRefusal } from './refusal.ts'
import type { ParsedArguments, ParsedJson } from './result.ts'
import type { ArgumentErrorCode, RecoveryTag } from './tags.ts'
import { hasUnsafeInteger, losesDigits } from './unsafe-integer.ts'

export interface ParseArgumentsOptions extends RecoverOptions {
  /**
   * The tool's `args`. With it, a whole text is read as the number, boolean, list or object that the schema asks for, `null` for
   * an optional property is left out, defaults are filled in, and what is not declared is removed: as a call of the tool would,
   * each with its place in `coercions`. An undeclared argument that was meant for a declared one is refused. The value is not checked
   * against the schema.
   */
  readonly schema?: object | undefined
}

/** Reads the arguments of one call. Linear in the text. The policy, tag by tag, is in `RecoveryTag` and `ArgumentErrorCode`. */
export function parseArguments(text: string, options: ParseArgumentsOptions = {}): ParsedArguments {
  let hasUnsafeNumber = false
  const parsed = readArguments(text, options, () => {
    hasUnsafeNumber = true
  })
  return hasUnsafeNumber ? withLostDigits(parsed, text, options.schema) : parsed
}

/** For a text that holds numbers beyond the safe integers. With a schema, it says which numbers matter. */
export function withLostDigits(parsed: ParsedArguments, text: string, schema: object | undefined): ParsedArguments {
  if (!parsed.ok || schema !== undefined || !losesDigits(text, parsed.value)) return parsed
  return { ...parsed, tags: [...parsed.tags, 'unsafe_number'] }
}

/** The same where each tag but those of the schema tells of a text that was repaired. */
export function readArguments(text: string, options: ParseArgumentsOptions = {}, onUnsafeNumber?: () => void): ParsedArguments {
  const { schema } = options
  const limits = toLimits(options)
  const parsed = recoverWithin(text, limits, options.complete, onUnsafeNumber)
  // A text of comments alone says something, if not what.
  if (!parsed.ok) return parsed.code === 'empty' && text.trim() === '' ? toResult(text, {}, ['empty'], schema) : parsed
  if (parsed.value === null) return toResult(text, {}, [...parsed.tags, 'empty'], schema)
  if (isRecord(parsed.value)) return toResult(text, parsed.value, parsed.tags, schema)
  const inner = typeof parsed.value === 'string' ? decodeAgain(parsed.value, limits, onUnsafeNumber) : undefined
  if (inner?.ok) return toResult(text, inner.value as Record<string, unknown>, [...parsed.tags, 'double_encoded'], schema)
  return inner ?? toRefusal(text, 'not_an_object', 0)
}

/** What is wrong with an object in a text is wrong with the arguments. */
const OF_INNER: readonly ArgumentErrorCode[] = ['truncated', 'forbidden_key', 'too_deep', 'too_large']

/** Layers of text around the arguments that are decoded. More of them would cost a pass over the text each. */
const MOST_LAYERS = 4

/** Decodes a JSON text in a JSON text. Each layer must be JSON that needs no repair. */
function decodeAgain(text: string, limits: Limits, onUnsafeNumber: (() => void) | undefined, layers = 1): ParsedJson | undefined {
  const inner = recoverWithin(text, limits, undefined, onUnsafeNumber)
  if (!inner.ok) return OF_INNER.includes(inner.code) && text.startsWith('{') ? inner : undefined
  if (inner.tags.length > 0) return undefined
  if (typeof inner.value === 'string' && layers < MOST_LAYERS) return decodeAgain(inner.value, limits, onUnsafeNumber, layers + 1)
  return isRecord(inner.value) ? inner : undefined
}

/** What was read, as the schema asks for it. */
export function toResult(
  text: string,
  value: Record<string, unknown>,
  tags: readonly RecoveryTag[],
  schema: object | undefined,
): ParsedArguments {
  if (schema === undefined) return { ok: true, value, tags, coercions: [] }
  try {
    const coerced = coerceValue(schema, value)
    const [issue] = coerced.issues
    // A text in it was read as an object, and holds what no object may.
    if (issue?.keyword === 'forbidden') return toRefusal(text, 'forbidden_key', 0)
    if (issue !== undefined) return toRefusal(text, 'undeclared_key', 0, `${issue.path.slice(0, EXCERPT)} ${issue.message}`)
    const isUnsafe = hasUnsafeInteger(schema, coerced.value)
    const all: readonly RecoveryTag[] = isUnsafe ? [...tags, 'unsafe_number'] : tags
    return { ok: true, value: coerced.value as Record<string, unknown>, tags: all, coercions: coerced.tags }
  } catch (error) {
    if (!isToolError(error)) throw error
    return toRefusal(text, error.message.includes('nested') ? 'too_deep' : 'too_large', 0)
  }
}
