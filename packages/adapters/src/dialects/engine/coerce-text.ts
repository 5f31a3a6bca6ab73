/** An argument that was written as bare text, as the JSON that its schema asks for. */
import { coerceValue } from '@x/tool-core'
import { declaredTypes } from './declared-types.ts'
import { recoverExactly } from './exact-json.ts'

export interface CoercedText {
  readonly json: string
  /** It was read as what is no spelling of that type in JSON. */
  readonly isCoerced: boolean
}

/**
 * Text where only text is declared, or nothing; where any value is declared, what the text spells in JSON; otherwise the first of null, integer, number, boolean, object and list that is
 * declared and that the whole text spells; otherwise text where that is allowed; at last what can be repaired, or the text for the
 * tool's own check to refuse. Never loses a digit.
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

/** As it was written, so that no digit is lost; a whole number with a fraction of zeros is an integer too. */
function readNumber(text: string, types: Types): CoercedText | undefined {
  if (!NUMBER.test(text) || !Number.isFinite(Number(text))) return undefined
  if (types.has('number') || /^-?\d+$/.test(text)) return asIs(text)
  const whole = /^(-?\d+)\.0+$/.exec(text)?.[1]
  if (whole !== undefined) return coerced(whole)
  const { value } = coerceValue(INTEGER, text)
  if (Number.isInteger(value)) return coerced(String(value))
  // What JSON writes for an integer that is too large for digits.
  return Number.isInteger(Number(text)) && String(Number(text)) === text ? asIs(text) : undefined
}

const INTEGER = { type: 'integer' }

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Where no text is allowed: other spellings of null and of numbers, and an object or a list with mistakes. */
function repair(text: string, types: Types): CoercedText | undefined {
  // Models write it for what they leave out, whether or not it is allowed.
  if (/^(?:null|none)$/i.test(text)) return coerced('null')
  if (types.has('integer') || types.has('number')) {
    const [, sign, digits] = /^([+-]?)0*(\d[\d.eE+-]{0,800})$/.exec(text) ?? []
    return digits === undefined ? mendContainer(text, types) : mendNumber(`${sign === '-' ? '-' : ''}${digits}`, types)
  }
  return mendContainer(text, types)
}

function mendNumber(text: string, types: Types): CoercedText | undefined {
  const number = readNumber(text, types) ?? readNumber(text, ANY_NUMBER)
  return number && coerced(number.json)
}

const ANY_NUMBER: Types = new Set(['number'])

function mendContainer(text: string, types: Types): CoercedText | undefined {
  if (!types.has('object') && !types.has('array')) return undefined
  const read = recoverExactly(text)
  if (typeof read?.value !== 'object' || read.value === null) return undefined
  return types.has(Array.isArray(read.value) ? 'array' : 'object') ? coerced(read.json) : undefined
}
