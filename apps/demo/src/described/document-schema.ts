/** Converts the parameters of a described tool, in any notation, to plain JSON Schema. */
import { isRecord } from './read-documents.ts'

export type PlainSchema = Readonly<Record<string, unknown>>

/**
 * Converts a schema. Keeps types, descriptions, properties, `required`, items, and strings, numbers and booleans in enum and default. Drops
 * everything else. A schema accepts any value if its type is unknown or if it is nested deeper than {@link MAX_LEVELS} levels.
 */
export function toArgsSchema(parameters: PlainSchema): PlainSchema {
  return { properties: {}, ...toNode(parameters, 1), type: 'object' }
}

export const MAX_LEVELS = 16

function toNode(node: unknown, level: number): PlainSchema {
  if (!isRecord(node) || level > MAX_LEVELS) return {}
  const type = typeof node.type === 'string' ? TYPES.get(node.type.toLowerCase()) : undefined
  const values = Array.isArray(node.enum) ? node.enum : []
  return {
    ...(type !== undefined && { type }),
    ...(typeof node.description === 'string' && { description: node.description }),
    ...(values.length > 0 && values.every(isPlain) && { enum: values }),
    ...(isPlain(node.default) && { default: node.default }),
    ...(isRecord(node.items) && { items: toNode(node.items, level + 1) }),
    ...(isRecord(node.properties) && toProperties(node.properties, node.required, level)),
  }
}

function toProperties(properties: PlainSchema, required: unknown, level: number): PlainSchema {
  const entries = Object.entries(properties).map(([name, node]) => [name, toNode(node, level + 1)] as const)
  const names = Array.isArray(required) ? required.filter((name) => isText(name) && Object.hasOwn(properties, name)) : []
  return { properties: Object.fromEntries(entries), ...(names.length > 0 && { required: [...new Set(names)] }) }
}

/** Type names of Python, Java, JavaScript and JSON Schema, in lower case. */
const TYPES: ReadonlyMap<string, string> = new Map<string, string>([
  ['str', 'string'],
  ['string', 'string'],
  ['char', 'string'],
  ['int', 'integer'],
  ['integer', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['number', 'number'],
  ['bool', 'boolean'],
  ['boolean', 'boolean'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['array', 'array'],
  ['dict', 'object'],
  ['object', 'object'],
  ['null', 'null'],
])

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isPlain(value: unknown): boolean {
  return isText(value) || typeof value === 'number' || typeof value === 'boolean'
}
