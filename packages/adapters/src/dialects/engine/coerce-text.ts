/** Converts plain-text arguments to the JSON values that the schema requires. */
import { coerceValue } from '@x/tool-core'
import { declaredTypes } from './declared-types.ts'
import { isJson, recoverExactly } from './exact-json.ts'

export interface CoercedText {
  readonly json: string
  /** True if the JSON is different from the text: `true` for the text `True`. */
  readonly isCoerced: boolean
}

/**
 * Converts text to JSON. Without a schema, or if only strings are allowed, returns a string. If any value is allowed, returns the
 * JSON value that the text contains. Otherwise tries the declared types in the order null, integer, number, boolean, object,
 * list, and uses the first that matches the whole text. If none matches, returns a string if the schema allows one. As a last
 * resort, returns a repaired value, or the text, which the tool's validation rejects. Never loses a digit.
 */
export function coerceText(text: string, schema: unknown, root: unknown = schema): CoercedText {
  const { types, isText } = declaredTypes(schema, root)
  if (schema === undefined || isText) return asText(text)
  const trimmed = text.trim()
  if (types.size === 0) return readDeclared(trimmed, ANY) ?? asText(text)
  return readDeclared(trimmed, types) ?? (types.has('string') ? asText(text) : (repair(trimmed, types) ?? asText(text)))
}

type Types = ReadonlySet<string>

const ANY: Types = new Set(['null', 'number', 'boolean', 'object', 'array'])

function asText(text: string): CoercedText {
  return asIs(JSON.stringify(text))
}

function asIs(json: string): CoercedText {
  return { json, isCoerced: false }
}

function coerced(json: string): CoercedText {
  return { json, isCoerced: true }
}

function readDeclared(text: string, types: Types): CoercedText | undefined {
  if (types.has('null') && text === 'null') return asIs('null')
  if (types.has('integer') || types.has('number')) {
    const number = readNumber(text, types)
    if (number !== undefined) return number
  }
  if (types.has('boolean') && /^(?:true|false)$/i.test(text))
    return { json: text.toLowerCase(), isCoerced: !/^[tf][a-z]+$/.test(text) }
  const isContainer = (types.has('object') && text.startsWith('{')) || (types.has('array') && text.startsWith('['))
  return isContainer && isJson(text) ? asIs(text) : undefined
}

const NUMBER = /^-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/

/**
 * Returns the number in its original spelling, so that no digit is lost. An integer may have a fractional part of zero, as in `2.0`.
 */
function readNumber(text: string, types: Types): CoercedText | undefined {
  if (!NUMBER.test(text) || !Number.isFinite(Number(text))) return undefined
  if (types.has('number') || /^-?\d+$/.test(text)) return asIs(text)
  const whole = /^(-?\d+)\.0+$/.exec(text)?.[1]
  if (whole !== undefined) return coerced(whole)
  const { value } = coerceValue(INTEGER, text)
  if (Number.isInteger(value)) return coerced(String(value))
  // JavaScript writes large integers in this form: `1e+21`.
  return Number.isInteger(Number(text)) && String(Number(text)) === text ? asIs(text) : undefined
}

const INTEGER = { type: 'integer' }

/** Accepts other spellings of null and numbers, and repairs objects and lists. Used only if strings aren't allowed. */
function repair(text: string, types: Types): CoercedText | undefined {
  // Models write null for an omitted value, even where the schema doesn't allow it.
  if (/^(?:null|none)$/i.test(text)) return coerced('null')
  if (types.has('integer') || types.has('number')) {
    const [, sign, digits] = /^([+-]?)0*(\d[\d.eE+-]{0,800})$/.exec(text) ?? []
    return digits === undefined ? repairContainer(text, types) : repairNumber(`${sign === '-' ? '-' : ''}${digits}`, types)
  }
  return repairContainer(text, types)
}

function repairNumber(text: string, types: Types): CoercedText | undefined {
  const number = readNumber(text, types) ?? readNumber(text, ANY_NUMBER)
  return number && coerced(number.json)
}

const ANY_NUMBER: Types = new Set(['number'])

function repairContainer(text: string, types: Types): CoercedText | undefined {
  if (!types.has('object') && !types.has('array')) return undefined
  const read = recoverExactly(text)
  if (typeof read?.value !== 'object' || read.value === null) return undefined
  return types.has(Array.isArray(read.value) ? 'array' : 'object') ? coerced(read.json) : undefined
}
