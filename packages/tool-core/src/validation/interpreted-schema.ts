/** A schema as the interpreting validator takes it: a copy, in which every keyword means what it means to AJV. */
import type { Schema } from '@cfworker/json-schema'
import { ToolError } from '../errors.ts'
import { MAX_DEPTH } from '../faults.ts'
import { isSchemaNode, type SchemaNode } from '../schema.ts'
import type { SchemaFacts } from './check.ts'

/** The library writes into schemas, so that it gets a copy. Throws for what AJV refuses. */
export function toInterpreted({ schema, matchers }: SchemaFacts): Schema {
  for (const [source, { expression }] of matchers) {
    if (expression.unicode) continue
    const words = `The pattern ${JSON.stringify(source)} is no regular expression with the flag "u", the only ones here.`
    throw new ToolError('invalid_definition', words)
  }
  return translate(schema as SchemaNode, 0) as Schema
}

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
const DATA = new Set(['const', 'enum', 'required', 'dependentRequired', 'type'])
/** What says nothing about values, and would be taken for a schema. */
const WORDS = new Set(['default', 'examples', 'example', 'title', 'description', '$comment', 'nullable'])
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

function translate(node: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('deep')
  if (Array.isArray(node)) return node.map((item) => translate(item, depth + 1))
  if (!isSchemaNode(node)) return node
  const copy: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(node)) {
    if (WORDS.has(keyword) || keyword.startsWith('x-')) continue
    if (DATA.has(keyword)) copy[keyword] = value
    else if (MAPS.has(keyword) && isSchemaNode(value)) copy[keyword] = translateMap(value, depth + 1)
    else copy[keyword] = translate(value, depth + 1)
  }
  if ('id' in node) throw new Error('NOT SUPPORTED: keyword "id", use "$id" for schema ID')
  if (node.type !== undefined) copy.type = translateType(node)
  if (node.format === 'url') copy.allOf = [...((copy.allOf as unknown[]) ?? []), URL_FORMAT]
  if (node.format === 'url') delete copy.format
  return copy
}

function translateMap(map: SchemaNode, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null)
  for (const [name, node] of Object.entries(map)) copy[name] = Array.isArray(node) ? node : translate(node, depth)
  return copy
}

function translateType({ type, nullable }: SchemaNode): unknown {
  const types = Array.isArray(type) ? type : [type]
  const wrong = types.find((name) => !TYPES.has(name as string))
  if (wrong !== undefined) throw new Error(`type must be JSONType or JSONType[]: ${types.join()}`)
  return nullable === true ? [...types, 'null'] : type
}

/** The library's own expression for the format `url` takes exponential time. */
export const URL_PATTERN = '^(?:[hH][tT][tT][pP][sS]?|[fF][tT][pP])://[^/?#\\s]'
const URL_FORMAT = { format: 'uri', pattern: URL_PATTERN }
