/** What is known of a tool before its module is imported, and how it is read from a tool that is there. */
import { RegistryError } from '../errors.ts'

/** What a search reads of a tool. */
export interface ToolCard {
  readonly name: string
  readonly description?: string | undefined
  readonly category?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Names, or names with what is known of them. */
  readonly arguments?: readonly (string | CardArgument)[] | undefined
}

export interface CardArgument {
  readonly name: string
  readonly description?: string | undefined
  /** Values that it may take. */
  readonly values?: readonly string[] | undefined
}

/** The part of a tool that its card is made of. */
export interface CardSource {
  readonly name: string
  readonly description: string
  readonly args: object
  readonly category?: string | undefined
  readonly tags?: readonly string[] | undefined
}

/**
 * The card of a tool that is there. Its arguments are those of its args schema with the properties nested in them, 8 levels deep
 * and 256 of them at most. A schema that holds itself is not read inside itself.
 */
export function cardOf({ name, description, args, category, tags }: CardSource): ToolCard {
  const found: FoundArgument[] = []
  readSchema(args, undefined, { found, above: new Set(), left: { nodes: MAX_NODES } })
  const list = found.map((argument) => ({
    name: argument.name,
    ...(argument.descriptions.length > 0 && { description: argument.descriptions.join(' ') }),
    ...(argument.values.length > 0 && { values: argument.values }),
  }))
  return { name, description, ...(category !== undefined && { category }), ...(tags !== undefined && { tags }), arguments: list }
}

/** Throws `RegistryError` with code `invalid_entry`, which names the card and the member that is not as {@link ToolCard} says. */
export function assertCard(card: ToolCard): void {
  if (typeof card?.name !== 'string' || card.name === '') throw invalid('', 'name must be a text that is not empty')
  const { name, description, category, tags, arguments: list } = card
  if (!isTextOrAbsent(description)) throw invalid(name, 'description must be a text')
  if (!isTextOrAbsent(category)) throw invalid(name, 'category must be a text')
  if (!isListOrAbsent(tags, isText)) throw invalid(name, 'tags must be a list of texts')
  if (!isListOrAbsent(list, isArgument)) throw invalid(name, 'arguments must be a list of names or { name, description, values }')
}

function invalid(name: string, rule: string): RegistryError {
  return new RegistryError('invalid_entry', `The card ${JSON.stringify(name)} of a tool: ${rule}.`)
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
  /** The schemas that hold this one. */
  readonly above: Set<object>
  /** Schemas that share their parts can have more paths than members. */
  readonly left: { nodes: number }
}

type Node = Readonly<Record<string, unknown>>

/** What a schema says about `argument`, and the arguments below it. */
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

/** Keywords whose schemas are of the same argument, or of the items that it lists. */
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
