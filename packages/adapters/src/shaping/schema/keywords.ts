/** Facts about JSON Schema keywords: the types to which they apply, and where they contain schemas. */

/** A JSON Schema from any source. Its keywords may be unknown or have values of the wrong type. */
export type SchemaNode = { readonly [keyword: string]: unknown }

export function isSchema(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Keywords that contain a schema. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** Keywords that contain a list of schemas. */
export const LIST_KEYWORDS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])

/** Keywords that map names to schemas. */
export const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])

/** Keywords that describe a schema and don't restrict its values. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
])

const ABOUT: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  patternProperties: 'object',
  propertyNames: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  unevaluatedProperties: 'object',
  dependentRequired: 'object',
  dependentSchemas: 'object',
  propertyOrdering: 'object',
  items: 'array',
  prefixItems: 'array',
  additionalItems: 'array',
  unevaluatedItems: 'array',
  contains: 'array',
  minContains: 'array',
  maxContains: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  contentEncoding: 'string',
  contentMediaType: 'string',
  contentSchema: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
}

/**
 * Returns the only type to which a keyword applies. Returns undefined if it applies to several. `format` applies to strings,
 * unless it is a number format.
 */
export function subjectOf(keyword: string, value: unknown): string | undefined {
  if (keyword === 'format') return NUMBER_FORMATS.has(String(value)) ? 'number' : 'string'
  return Object.hasOwn(ABOUT, keyword) ? ABOUT[keyword] : undefined
}

const NUMBER_FORMATS = new Set(['float', 'double', 'int32', 'int64', 'uint32', 'uint64'])

/**
 * Returns true if a keyword for the type `subject` applies to values of the given type. Type names may be in upper case, as in
 * Gemini's schemas.
 */
export function isAbout(subject: string, type: string): boolean {
  const name = type.toLowerCase()
  return subject === name || (subject === 'number' && name === 'integer')
}

/** Returns the JSON Schema type of a value. Returns `number` for integers too. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/** Returns true for `true` and `{}`, which allow any value. */
export function allowsAll(schema: unknown): boolean {
  return schema === true || (isSchema(schema) && Object.keys(schema).length === 0)
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Compares JSON values by their JSON text, so keys must be in the same order. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the valid type names in the value of `type`, which may be in upper case as in Gemini's schemas. */
export function typeNamesOf(value: unknown): readonly string[] {
  return toList(value).filter((type): type is string => typeof type === 'string' && NAMES.has(type.toLowerCase()))
}

const NAMES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
