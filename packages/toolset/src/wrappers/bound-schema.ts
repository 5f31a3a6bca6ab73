/** Splits a context schema in two: one schema for the bound values, and one for the values that the caller still has to pass. */
import { ToolError } from '@x/tool-core'
import type { TObject } from 'typebox'

type SchemaNode = { readonly [keyword: string]: unknown }

export interface SplitSchema {
  /** Schema of the bound values. */
  readonly bound: TObject
  /** Schema of the other values. `null` if all values are bound. */
  readonly rest: TObject | null
}

/** Splits a schema by the names in `keys`, even inside an `allOf`, which `sequence` creates. The schema itself isn't changed. */
export function splitSchema(schema: TObject, keys: ReadonlySet<string>, tool: string): SplitSchema {
  const odd = Object.keys(schema).find((keyword) => NOT_BY_KEY.has(keyword))
  if (odd !== undefined) {
    throw new ToolError(
      'invalid_definition',
      `withContext: the context schema of "${tool}" uses ${odd}, which cannot be split into bound and unbound values. Declare each value as a property.`,
    )
  }
  const node = schema as unknown as SchemaNode
  const bound = partOf(node, (key) => keys.has(key))
  const rest = partOf(node, (key) => !keys.has(key))
  return { bound: opened(bound) as unknown as TObject, rest: isEmpty(rest) ? null : (rest as unknown as TObject) }
}

/** Returns the names of a schema's properties, including those inside an `allOf`. */
export function propertyNamesOf(schema: object): readonly string[] {
  const node = schema as SchemaNode
  return [...(isNode(node.properties) ? Object.keys(node.properties) : []), ...membersOf(node).flatMap(propertyNamesOf)]
}

/** Keywords that apply to several properties together, so they can't be split by property. */
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

/** Returns the schema without `additionalProperties`, because the bound values are checked separately. */
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
