/** Lists what the type of an argument doesn't express: its description, default, format and range. */
import { hasDefault } from '@x/tool-core'

export type Node = Readonly<Record<string, unknown>>

const MAX_DEPTH = 2
const MAX_MEMBERS = 10
const MAX_LENGTH = 1_500
const MAX_DESCRIPTION = 1_000
const MAX_VALUE = 200

/** Returns the facts as sentences on one line. Empty if there are none. Facts in a `$ref` aren't included. */
export function factsOf(schema: unknown, depth = 0): string {
  if (!isNode(schema) || depth > MAX_DEPTH) return ''
  const { description, format, pattern, type, items } = schema
  const types = Array.isArray(type) ? type : [type]
  const members = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list.slice(0, MAX_MEMBERS) : [],
  )
  const facts = [
    typeof description === 'string' ? oneLine(description, MAX_DESCRIPTION) : '',
    types.includes('integer') ? 'Integer' : '',
    fact('Range', rangeOf(schema)),
    fact('Length', between(schema.minLength, schema.maxLength)),
    fact('Number of items', between(schema.minItems, schema.maxItems)),
    fact('Format', format),
    fact('Pattern', pattern),
    hasDefault(schema) ? fact('Default', jsonOf(schema.default)) : '',
    ...new Set(members.map((member) => factsOfMember(member, depth + 1))),
    fact('Each item', factsOf(items, depth + 1)),
  ]
  const sentences = facts.filter((text) => text !== '').map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
  return oneLine(sentences.join(' '), MAX_LENGTH)
}

/** Returns the facts about a member of a union, after its value if it has only one. */
function factsOfMember(schema: unknown, depth: number): string {
  const facts = factsOf(schema, depth)
  return facts !== '' && isNode(schema) && 'const' in schema ? `${jsonOf(schema.const)}: ${facts}` : facts
}

/** Returns the text on one line, with at most this many characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line
}

function fact(name: string, value: unknown): string {
  return typeof value === 'string' && value !== '' ? `${name}: ${oneLine(value, MAX_VALUE)}` : ''
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Node): string {
  const limits = [
    between(minimum, maximum),
    typeof exclusiveMinimum === 'number' ? `more than ${exclusiveMinimum}` : '',
    typeof exclusiveMaximum === 'number' ? `less than ${exclusiveMaximum}` : '',
    typeof multipleOf === 'number' ? `multiples of ${multipleOf}` : '',
  ]
  return limits.filter((text) => text !== '').join(', ')
}

function between(least: unknown, most: unknown): string {
  if (typeof least === 'number' && typeof most === 'number') return `${least} to ${most}`
  if (typeof least === 'number') return `at least ${least}`
  return typeof most === 'number' ? `at most ${most}` : ''
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value as JSON. Undefined if JSON can't contain it, such as a BigInt in a schema written in TypeScript. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
