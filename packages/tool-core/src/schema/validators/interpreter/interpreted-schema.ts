/** Converts a schema for the interpreting validator, so that every keyword means the same as in AJV. */
import type { Schema } from '@cfworker/json-schema'
import { MAX_DEPTH } from '../../../args/faults.ts'
import { ToolError } from '../../../errors.ts'
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import type { SchemaFacts } from '../check.ts'
import { type StepCounter, stepsOf } from '../steps.ts'
import { translateFormat, translatePattern } from './interpreted-formats.ts'

/** Returns a copy, because the library changes schemas. Throws for everything that AJV refuses. */
export function toInterpreted({ schema, nodes, matchers }: SchemaFacts, counter: StepCounter): Schema {
  const keys = new Set(nodes.flatMap((node) => (isSchemaNode(node.patternProperties) ? Object.keys(node.patternProperties) : [])))
  for (const [source, { engine, isLinear }] of matchers) {
    if (isLinear && (engine instanceof RegExp || !keys.has(source))) continue
    const words = `The pattern ${JSON.stringify(source)} may take too long to match, and code generation is forbidden here, so no other engine can match it. Simplify it: repeat no group that itself repeats.`
    throw new ToolError('invalid_definition', words)
  }
  return translate(schema as SchemaNode, 0, counter) as Schema
}

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
const DATA = new Set(['const', 'enum', 'required', 'dependentRequired', 'type'])
/** Annotations, which don't constrain values and which the library would read as schemas. */
const WORDS = new Set(['default', 'examples', 'example', 'title', 'description', '$comment', 'nullable'])
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

function translate(node: unknown, depth: number, counter: StepCounter): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('deep')
  if (Array.isArray(node)) return node.map((item) => translate(item, depth + 1, counter))
  if (!isSchemaNode(node)) return node
  const copy: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(node)) {
    if (WORDS.has(keyword) || keyword.startsWith('x-')) continue
    assertKind(keyword, value)
    if (keyword === 'format' || keyword === 'pattern') continue
    if (DATA.has(keyword)) copy[keyword] = value
    else if (MAPS.has(keyword) && isSchemaNode(value)) copy[keyword] = translateMap(value, depth + 1, counter)
    else copy[keyword] = translate(value, depth + 1, counter)
  }
  if ('id' in node) throw new Error('NOT SUPPORTED: keyword "id", use "$id" for schema ID')
  if (node.type !== undefined) copy.type = translateType(node)
  // Each in its own schema, because the format of a number is expressed in keywords that the schema may already have.
  const formats = [
    ...(typeof node.format === 'string' ? [translateFormat(node.format)] : []),
    ...(typeof node.pattern === 'string' ? [translatePattern(node.pattern)] : []),
  ]
  if (formats.length > 0) copy.allOf = [...((copy.allOf as unknown[]) ?? []), ...formats]
  return counting(copy, counter)
}

/** Counts steps in a getter of `$ref`, which the library reads for each check of a value. Such a check takes as long as 30 steps of AJV. */
function counting(copy: Record<string, unknown>, counter: StepCounter): object {
  const { $ref } = copy
  const steps = 30 + stepsOf(copy)
  const get = () => {
    counter.take(steps)
    return $ref
  }
  return Object.defineProperty(copy, '$ref', { get, enumerable: false })
}

/** Throws for a value of the wrong type, as AJV does. The library accepts any value for any keyword. */
function assertKind(keyword: string, value: unknown): void {
  const kinds = Object.hasOwn(KINDS, keyword) ? KINDS[keyword]?.split(' ') : undefined
  const kind = Array.isArray(value) ? 'array' : typeof value
  if (kinds !== undefined && !kinds.includes(kind)) throw new Error(`${keyword} value must be ${JSON.stringify(kinds)}`)
}

const KINDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    number:
      'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
    string: '$ref pattern format',
    boolean: 'uniqueItems',
    array: 'required enum allOf anyOf oneOf prefixItems',
    object: 'properties patternProperties dependencies dependentRequired dependentSchemas',
    'object boolean':
      'propertyNames contains not if then else additionalProperties unevaluatedProperties additionalItems unevaluatedItems',
    'object array boolean': 'items',
  }).flatMap(([kinds, keywords]) => keywords.split(' ').map((keyword) => [keyword, kinds])),
)

function translateMap(map: SchemaNode, depth: number, counter: StepCounter): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null)
  for (const [name, node] of Object.entries(map)) copy[name] = Array.isArray(node) ? node : translate(node, depth, counter)
  return copy
}

function translateType({ type, nullable }: SchemaNode): unknown {
  const types = Array.isArray(type) ? type : [type]
  const wrong = types.find((name) => !TYPES.has(name as string))
  if (wrong !== undefined) throw new Error(`type must be JSONType or JSONType[]: ${types.join()}`)
  return nullable === true ? [...types, 'null'] : type
}
