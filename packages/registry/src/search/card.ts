/** Cards describe tools before they are imported. A card is written by hand or derived from a tool. */
import type { Effect, Tool } from '@x/tool-core'
import { kindOf, RegistryError } from '../errors.ts'

/** Metadata about a tool, for searches and listings. */
export interface ToolCard {
  readonly name: string
  readonly description?: string | undefined
  readonly category?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** The arguments: names, or objects that may also have a description and values. */
  readonly arguments?: readonly (string | CardArgument)[] | undefined
  /** JSON Schema of the arguments. Searches read it only if the card has no `arguments`. */
  readonly args?: object | undefined
  /** JSON Schema of the output. */
  readonly output?: object | undefined
  readonly effect?: Effect | undefined
}

export interface CardArgument {
  readonly name: string
  readonly description?: string | undefined
  /** The values that the argument accepts. */
  readonly values?: readonly string[] | undefined
}

/** The fields of a tool that its card is derived from. */
export interface CardSource {
  readonly name: string
  readonly description: string
  readonly args: object
  readonly category?: string | undefined
  readonly tags?: readonly string[] | undefined
}

/**
 * Returns the card of a loaded tool. Its arguments include nested properties: up to 8 levels deep, and at most 256. A recursive schema is
 * read only once.
 */
export function cardOf({ name, description, args, category, tags }: CardSource): ToolCard {
  return { name, description, ...groupsOf({ category, tags }), arguments: argumentsIn(args) }
}

/** Returns the card of a loaded tool for a listing. It has the tool's own schemas, and no list of arguments. */
export function listedCardOf({ name, description, args, output, effect, ...rest }: Tool): ToolCard {
  return { name, description, ...groupsOf(rest), args, ...(output !== undefined && { output }), ...(effect && { effect }) }
}

function groupsOf({ category, tags }: Pick<ToolCard, 'category' | 'tags'>): Pick<ToolCard, 'category' | 'tags'> {
  return { ...(category !== undefined && { category }), ...(tags !== undefined && { tags }) }
}

/** Returns the arguments of a card: its own list, or the arguments that its schema declares. */
export function argumentsOf({ arguments: list, args }: ToolCard): readonly CardArgument[] {
  if (list === undefined) return args === undefined ? [] : argumentsIn(args)
  return list.map((argument) => (typeof argument === 'string' ? { name: argument } : argument))
}

function argumentsIn(args: object): readonly CardArgument[] {
  const found: FoundArgument[] = []
  readSchema(args, undefined, { found, above: new Set(), left: { nodes: MAX_NODES } })
  return found.map((argument) => ({
    name: argument.name,
    ...(argument.descriptions.length > 0 && { description: argument.descriptions.join(' ') }),
    ...(argument.values.length > 0 && { values: argument.values }),
  }))
}

/**
 * Throws a `RegistryError` with code `invalid_entry` if a {@link ToolCard} has an invalid field. The message names the card and the field.
 */
export function assertCard(card: ToolCard): void {
  if (typeof card?.name !== 'string' || card.name === '')
    throw invalid('', `name must be a non-empty string, got ${kindOf(card?.name)}`)
  const { name, description, category, tags, arguments: list, args, output, effect } = card
  if (!isTextOrAbsent(description)) throw invalid(name, `description must be a string, got ${kindOf(description)}`)
  if (!isTextOrAbsent(category)) throw invalid(name, `category must be a string, got ${kindOf(category)}`)
  if (!isListOrAbsent(tags, isText)) throw invalid(name, 'tags must be an array of strings')
  if (!isListOrAbsent(list, isArgument))
    throw invalid(name, 'arguments must be an array of names or of { name, description, values }')
  if (args !== undefined && !isNode(args)) throw invalid(name, `args must be a JSON Schema, got ${kindOf(args)}`)
  if (output !== undefined && !isNode(output)) throw invalid(name, `output must be a JSON Schema, got ${kindOf(output)}`)
  if (effect !== undefined && !EFFECTS.has(effect))
    throw invalid(name, `effect must be one of ${[...EFFECTS].join(', ')}, got ${kindOf(effect)}`)
}

const EFFECTS: ReadonlySet<unknown> = new Set(['read', 'idempotent', 'write', 'destructive'] satisfies Effect[])

function invalid(name: string, rule: string): RegistryError {
  return new RegistryError('invalid_entry', `Invalid card for tool ${JSON.stringify(name)}: ${rule}.`)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isText(value)
}

function isListOrAbsent(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isMember))
}

function isArgument(value: unknown): boolean {
  if (isText(value)) return true
  if (!isNode(value)) return false
  return isText(value.name) && isTextOrAbsent(value.description) && isListOrAbsent(value.values, isText)
}

const MAX_LEVELS = 8
const MAX_ARGUMENTS = 256
const MAX_VALUES = 256
const MAX_NODES = 4_096

interface FoundArgument {
  readonly name: string
  readonly descriptions: string[]
  readonly values: string[]
}

interface Reading {
  readonly found: FoundArgument[]
  /** The schemas that contain the current one. */
  readonly above: Set<object>
  /** Number of schema nodes that may still be read. A schema that shares parts can have more paths than nodes. */
  readonly left: { nodes: number }
}

type Node = Readonly<Record<string, unknown>>

/** Adds the description and values of `argument` from its schema, and adds its nested arguments. */
function readSchema(schema: unknown, argument: FoundArgument | undefined, reading: Reading): void {
  const { found, above, left } = reading
  if (!isNode(schema) || above.size > MAX_LEVELS || above.has(schema) || left.nodes-- <= 0) return
  above.add(schema)
  if (argument !== undefined) describe(schema, argument)
  for (const keyword of SAME_VALUE) for (const member of [schema[keyword]].flat()) readSchema(member, argument, reading)
  for (const [name, property] of entriesOf(schema.properties)) {
    if (found.length === MAX_ARGUMENTS) break
    const nested: FoundArgument = { name, descriptions: [], values: [] }
    found.push(nested)
    readSchema(property, nested, reading)
  }
  for (const [, definition] of entriesOf(schema.$defs)) readSchema(definition, undefined, reading)
  above.delete(schema)
}

/** Keywords whose subschemas describe the same argument, or the items of an array. */
const SAME_VALUE = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isNode(value) ? Object.entries(value) : []
}

function describe({ description, enum: values, const: value }: Node, argument: FoundArgument): void {
  if (typeof description === 'string' && description !== '') argument.descriptions.push(description)
  const all = Array.isArray(values) ? [...values.slice(0, MAX_VALUES), value] : [value]
  for (const one of all) {
    if (argument.values.length === MAX_VALUES) return
    if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') argument.values.push(String(one))
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
