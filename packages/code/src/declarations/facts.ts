/** Lists what the type of an argument doesn't express: its description, default, format and range. */

export type Node = Readonly<Record<string, unknown>>

const MAX_DEPTH = 3
const MAX_MEMBERS = 10
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
    'default' in schema ? fact('Default', JSON.stringify(schema.default)) : '',
    ...new Set(members.map((member) => factsOf(member, depth + 1))),
    fact('Each item', factsOf(items, depth + 1)),
  ]
  return facts
    .filter((text) => text !== '')
    .map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
    .join(' ')
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
