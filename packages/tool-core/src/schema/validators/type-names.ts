/** The names of types in JSON Schema, and the names that other languages and catalogs use instead: `float`, `dict`, `STRING`. */
import { nearestNames } from '../../nearest-names.ts'

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/** True for the name of a type, and for a list of at least one name. */
export function isTypeName(type: unknown): boolean {
  return Array.isArray(type) ? type.length > 0 && type.every(isType) : isType(type) || type === undefined
}

function isType(name: unknown): boolean {
  return typeof name === 'string' && TYPES.has(name)
}

/** Suggests what to write instead of an unknown type. */
export function typeFix(type: unknown): string {
  const isEmpty = Array.isArray(type) && type.length === 0
  const name: unknown = Array.isArray(type) ? type.find((one) => !isType(one)) : type
  const word = String(name).toLowerCase()
  const meant = Object.hasOwn(ALIASES, word) ? ALIASES[word] : nearestNames(word, TYPES, 1)[0]
  if (meant !== undefined && !isEmpty) return `Write ${JSON.stringify(meant)}.`
  const any = ANY.has(word) ? 'Omit the type, which allows any value.' : undefined
  return any ?? `Write one of ${[...TYPES].join(', ')}, or omit the type, which allows any value.`
}

const ANY: ReadonlySet<string> = new Set(['any', 'unknown', 'mixed', ''])

/** Names of types in Python, Java, TypeScript and databases, and what to write instead. */
// biome-ignore format: one line for each type
const ALIASES: { readonly [name: string]: string } = {
  str: 'string', text: 'string', char: 'string', varchar: 'string', date: 'string', datetime: 'string', uuid: 'string',
  float: 'number', double: 'number', decimal: 'number', real: 'number',
  int: 'integer', long: 'integer', short: 'integer', byte: 'integer', bigint: 'integer', int32: 'integer', int64: 'integer',
  bool: 'boolean',
  dict: 'object', map: 'object', hashmap: 'object', record: 'object', struct: 'object',
  list: 'array', tuple: 'array', set: 'array', arraylist: 'array',
  none: 'null', nil: 'null', undefined: 'null', void: 'null',
}
