/** The names of types in JSON Schema. Other languages and catalogs use other names: `float`, `dict`, `STRING`. */
import { ToolError } from '../../errors.ts'
import { nearestNames } from '../../nearest-names.ts'
import type { Subschema } from './subschemas.ts'

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/** True for the name of a type, and for a list of names. */
export function isTypeName(type: unknown): boolean {
  return Array.isArray(type) ? type.every((name) => TYPES.has(name)) : TYPES.has(type) || type === undefined
}

/** Throws `invalid_definition` for a type that no validator knows. */
export function assertTypeNames(subschemas: readonly Subschema[], subject: string): void {
  for (const { node, pointer, isKnown } of subschemas) {
    if (!isKnown || isTypeName(node.type)) continue
    const name: unknown = [node.type].flat().find((one) => !TYPES.has(one))
    const words = `has the unknown type ${JSON.stringify(name)} at ${pointer}/type`
    throw new ToolError('invalid_definition', `${subject} ${words}. ${fixOf(name)}`)
  }
}

function fixOf(name: unknown): string {
  const word = String(name).toLowerCase()
  const meant = Object.hasOwn(ALIASES, word) ? ALIASES[word] : nearestNames(word, TYPES as ReadonlySet<string>, 1)[0]
  if (meant !== undefined) return `Write ${JSON.stringify(meant)}.`
  const any = ANY.has(word) ? 'Omit the type, which allows any value.' : undefined
  return any ?? `Write one of ${[...TYPES].join(', ')}, or omit the type, which allows any value.`
}

const ANY: ReadonlySet<string> = new Set(['any', 'unknown', 'mixed', ''])

/** Names of Python, Java, TypeScript and databases. */
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
