/** The text of a call's arguments, read as an object or refused with a code; never guessed, never thrown. */
import { coerceValue } from '@x/tool-core'
import { type Limits, type RecoverOptions, toLimits } from './limits.ts'
import { recoverWithin } from './recover.ts'
import { toRefusal } from './refusal.ts'
import type { ParsedArguments, ParsedJson } from './result.ts'
import type { RecoveryTag } from './tags.ts'
import { hasUnsafeInteger } from './unsafe-integer.ts'

export interface ParseArgumentsOptions extends RecoverOptions {
  /**
   * The tool's `args`. With it, a whole text is read as the number, boolean, list or object that the schema asks for, `null` for
   * an optional property is left out, and what is not declared is removed: as a call of the tool would, each change with its
   * place. The value is not checked against it.
   */
  readonly schema?: object | undefined
}

/** Reads the arguments of one call. Linear in the text. The policy, tag by tag, is in `RecoveryTag` and `ArgumentErrorCode`. */
export function parseArguments(text: string, options: ParseArgumentsOptions = {}): ParsedArguments {
  const { schema } = options
  const limits = toLimits(options)
  const parsed = recoverWithin(text, limits, options.complete)
  const isEmpty = parsed.ok ? parsed.value === null && parsed.tags.length === 0 : parsed.code === 'empty'
  if (isEmpty) return toResult({}, ['empty'], schema)
  if (!parsed.ok) return parsed
  if (isObject(parsed.value)) return toResult(parsed.value, parsed.tags, schema)
  const inner = typeof parsed.value === 'string' ? decodeAgain(parsed.value, limits) : undefined
  if (inner?.ok) return toResult(inner.value as Record<string, unknown>, [...parsed.tags, 'double_encoded'], schema)
  return inner ?? toRefusal(text, 'not_an_object', 0)
}

/** A JSON text in a JSON text: only if it is one without any mending, and only once. */
function decodeAgain(text: string, limits: Limits): ParsedJson | undefined {
  const inner = recoverWithin(text, limits, undefined)
  if (!inner.ok)
    return inner.code === 'forbidden_key' || inner.code === 'too_deep' || inner.code === 'too_large' ? inner : undefined
  return inner.tags.length === 0 && isObject(inner.value) ? inner : undefined
}

export function toResult(
  value: Record<string, unknown>,
  tags: readonly RecoveryTag[],
  schema: object | undefined,
): ParsedArguments {
  if (schema === undefined) return { ok: true, value, tags, changes: [] }
  const coerced = coerceValue(schema, value)
  const isUnsafe = hasUnsafeInteger(schema, coerced.value)
  return {
    ok: true,
    value: coerced.value as Record<string, unknown>,
    tags: isUnsafe ? [...tags, 'unsafe_number'] : tags,
    changes: coerced.tags,
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
