/** Parses the string form of a signature into plain schemas. */
import type { TProperties } from 'typebox'

export interface SignatureFields {
  readonly inputs: TProperties
  readonly outputs: TProperties
}

/**
 * Parses a signature such as `'question, context: string[] -> answer, score?: number'`. A type is `string`, `number`, `integer`,
 * `boolean`, an array of one of them (`number[]`), or a choice of strings (`'good' | 'bad'`). Default: `string`. Throws a
 * TypeError that shows the position of the mistake.
 */
export function parseSignature(text: string): SignatureFields {
  const arrow = text.indexOf(ARROW)
  if (arrow < 0) throw malformed(text, text.length, '"->" is missing between inputs and outputs')
  const second = text.indexOf(ARROW, arrow + ARROW.length)
  if (second >= 0) throw malformed(text, second, 'there is a second "->"')
  return {
    inputs: readFields(text, 0, arrow),
    outputs: readFields(text, arrow + ARROW.length, text.length),
  }
}

const ARROW = '->'
const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean'])
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A part of the text and its position. */
interface Piece {
  readonly text: string
  readonly at: number
}

function readFields(whole: string, start: number, end: number): TProperties {
  const list: Piece = { text: whole.slice(start, end), at: start }
  const fields = new Map<string, unknown>()
  if (list.text.trim() === '') return {}
  for (const field of split(list, ',')) {
    const colon = field.text.indexOf(':')
    const marked = trim(colon < 0 ? field : cut(field, 0, colon))
    const isOptional = marked.text.endsWith('?')
    const name = isOptional ? trim(cut(marked, 0, marked.text.length - 1)) : marked
    if (!NAME.test(name.text) || name.text === '__proto__')
      throw malformed(
        whole,
        name.at,
        name.text === '' ? 'a name is missing' : `${JSON.stringify(name.text)} is not a valid field name`,
      )
    if (fields.has(name.text)) throw malformed(whole, name.at, `"${name.text}" is declared twice`)
    const schema = colon < 0 ? { type: 'string' } : readType(whole, trim(cut(field, colon + 1)))
    fields.set(name.text, isOptional ? asOptional(schema) : schema)
  }
  return Object.fromEntries(fields) as TProperties
}

function readType(whole: string, { text, at }: Piece): object {
  if (TYPES.has(text)) return { type: text }
  const item = text.endsWith('[]') ? text.slice(0, -2).trim() : undefined
  if (item !== undefined && TYPES.has(item)) return { type: 'array', items: { type: item } }
  if (!/^['"]/.test(text))
    throw malformed(whole, at, `${text === '' ? 'a type is missing' : `${JSON.stringify(text)} is not a known type`}: ${KNOWN}`)
  const choices = new Set<string>()
  for (const choice of split({ text, at }, '|').map(trim)) {
    const value = /^(['"])([^'"]+)\1$/.exec(choice.text)?.[2]
    if (value === undefined)
      throw malformed(whole, choice.at, 'a choice must be a quoted string that contains no quote, comma, "|" or "->"')
    if (choices.has(value)) throw malformed(whole, choice.at, `the choice ${JSON.stringify(value)} is listed twice`)
    choices.add(value)
  }
  return { enum: [...choices] }
}

const KNOWN = `write string, number, integer, boolean, an array of one of them (number[]), or choices ('good' | 'bad')`

/** Marks a schema as optional, as TypeBox does. The mark isn't a JSON Schema keyword, so it isn't sent. */
function asOptional(schema: object): object {
  return Object.defineProperty(schema, '~optional', { value: true })
}

function split({ text, at }: Piece, separator: string): Piece[] {
  let offset = at
  return text.split(separator).map((part) => {
    const piece = { text: part, at: offset }
    offset += part.length + separator.length
    return piece
  })
}

function cut({ text, at }: Piece, start: number, end?: number): Piece {
  return { text: text.slice(start, end), at: at + start }
}

function trim({ text, at }: Piece): Piece {
  const trimmed = text.trim()
  return { text: trimmed, at: at + (trimmed === '' ? text.length : text.indexOf(trimmed)) }
}

/** Creates an error that shows the line with a caret below the mistake. */
function malformed(text: string, at: number, words: string): TypeError {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const [line = ''] = text.slice(start).split('\n')
  return new TypeError(`defineSignature: ${words}, at character ${at}.\n${line}\n${' '.repeat(at - start)}^`)
}
