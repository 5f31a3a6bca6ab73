/** Splits a context schema in two: the values that were bound, and those that the caller still has to give. */
import { ToolError } from '@x/tool-core'
import type { TObject } from 'typebox'

type SchemaNode = { readonly [keyword: string]: unknown }

export interface SplitSchema {
  /** Of the bound values. */
  readonly bound: TObject
  /** Of the others; `null` when nothing is asked for. */
  readonly rest: TObject | null
}

/** By the keys of `properties`, also inside `allOf`, as `sequence` writes it. The schema itself is not changed. */
export function splitSchema(schema: TObject, keys: ReadonlySet<string>, tool: string): SplitSchema {
  const odd = Object.keys(schema).find((keyword) => NOT_BY_KEY.has(keyword))
  if (odd !== undefined) {
    throw new ToolError(
      'invalid_definition',
      `withContext: the context schema of "${tool}" says ${odd}, which cannot be split into bound values and others. Declare each value as a property.`,
    )
  }
  const node = schema as unknown as SchemaNode
  const bound = partOf(node, (key) => keys.has(key))
  const rest = partOf(node, (key) => !keys.has(key))
  return { bound: opened(bound) as unknown as TObject, rest: isEmpty(rest) ? null : (rest as unknown as TObject) }
}

/** The names that the schema declares, also inside `allOf`. */
export function propertyNamesOf(schema: object): readonly string[] {
  const node = schema as SchemaNode
  return [...(isNode(node.properties) ? Object.keys(node.properties) : []), ...membersOf(node).flatMap(propertyNamesOf)]
}

/** These judge several properties together. */
const NOT_BY_KEY: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'not',
  'if',
  '$ref',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
])

function partOf(schema: SchemaNode, keep: (key: string) => boolean): SchemaNode {
  const { properties, required } = schema
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(isNode(properties) ? properties : {}).filter(([key]) => keep(key))),
    required: Array.isArray(required) ? required.filter(keep) : [],
    ...('allOf' in schema && { allOf: membersOf(schema).map((member) => partOf(member, keep)) }),
  }
}

/** The bound values are checked alone: what else there is, is no matter. */
function opened({ additionalProperties: _, ...schema }: SchemaNode): SchemaNode {
  return { ...schema, ...('allOf' in schema && { allOf: membersOf(schema).map(opened) }) }
}

function isEmpty(schema: SchemaNode): boolean {
  return Object.keys(schema.properties as object).length === 0 && membersOf(schema).every(isEmpty)
}

function membersOf({ allOf }: SchemaNode): readonly SchemaNode[] {
  return Array.isArray(allOf) ? allOf.filter(isNode) : []
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
