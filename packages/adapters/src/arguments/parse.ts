/** Parses the argument text of a call into an object, or refuses it with a code. Never guesses, never throws. */
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
   * The tool's `args` schema. If set, arguments are coerced as in a call to the tool. A string becomes the number, boolean, list
   * or object that the schema requires, if the whole string represents one. `null` for an optional property is removed, defaults
   * are filled in, and undeclared properties are removed. `coercions` lists each change with its path. An undeclared argument
   * that probably stands for a declared one is refused. The result isn't validated against the schema.
   */
  readonly schema?: object | undefined
}

/**
 * Parses the arguments of one call in linear time. See `RecoveryTag` for the repairs, and `ArgumentErrorCode` for the reasons why
 * text is refused.
 */
export function parseArguments(text: string, options: ParseArgumentsOptions = {}): ParsedArguments {
  let hasUnsafeNumber = false
  const parsed = readArguments(text, options, () => {
    hasUnsafeNumber = true
  })
  return hasUnsafeNumber ? withLostDigits(parsed, text) : parsed
}

/** Adds the tag `unsafe_number` if a number in the text is different from the value, whatever the schema requires there. */
export function withLostDigits(parsed: ParsedArguments, text: string): ParsedArguments {
  if (!parsed.ok || parsed.tags.includes('unsafe_number') || !losesDigits(text, parsed.value, parsed.tags.length === 0))
    return parsed
  return { ...parsed, tags: [...parsed.tags, 'unsafe_number'] }
}

/**
 * Like `parseArguments`, but doesn't tag integers that lose digits where the schema doesn't require an integer. Calls
 * `onUnsafeNumber` if the text contains an unsafe number.
 */
export function readArguments(text: string, options: ParseArgumentsOptions = {}, onUnsafeNumber?: () => void): ParsedArguments {
  const { schema } = options
  const limits = toLimits(options)
  const parsed = recoverWithin(text, limits, options.complete, onUnsafeNumber)
  // Text that consists only of comments isn't empty, so it is refused.
  if (!parsed.ok) return parsed.code === 'empty' && text.trim() === '' ? toResult(text, {}, ['empty'], schema) : parsed
  if (parsed.value === null) return toResult(text, {}, [...parsed.tags, 'empty'], schema)
  if (isRecord(parsed.value)) return toResult(text, parsed.value, parsed.tags, schema)
  const inner = typeof parsed.value === 'string' ? decodeAgain(parsed.value, limits, onUnsafeNumber) : undefined
  if (inner?.ok) return toResult(text, inner.value as Record<string, unknown>, [...parsed.tags, 'double_encoded'], schema)
  return inner ?? toRefusal(text, 'not_an_object', 0)
}

/** Error codes inside double-encoded JSON that are reported unchanged. Any other error is reported as `not_an_object`. */
const OF_INNER: readonly ArgumentErrorCode[] = ['truncated', 'forbidden_key', 'too_deep', 'too_large']

/** Maximum number of nested string encodings to decode. Each takes another pass over the text. */
const MOST_LAYERS = 4

/** Decodes JSON that is written inside a JSON string. At each level, the text must be valid JSON. */
function decodeAgain(text: string, limits: Limits, onUnsafeNumber: (() => void) | undefined, layers = 1): ParsedJson | undefined {
  const inner = recoverWithin(text, limits, undefined, onUnsafeNumber)
  if (!inner.ok) return OF_INNER.includes(inner.code) && text.startsWith('{') ? inner : undefined
  if (inner.tags.length > 0) return undefined
  if (typeof inner.value === 'string' && layers < MOST_LAYERS) return decodeAgain(inner.value, limits, onUnsafeNumber, layers + 1)
  return isRecord(inner.value) ? inner : undefined
}

/** Creates the result. Coerces the value if there is a schema. */
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
    // Coercion parsed a nested string as an object, which may contain forbidden keys.
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
