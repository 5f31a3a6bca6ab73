/** The types that keywords require of their values. If a value has another type, validators ignore the keyword or fail. */

import { typeOfValue } from '../schema.ts'

/** Returns the types that a keyword allows if its value has none of them. Undefined if the value is valid or missing. */
export function missedKinds(keyword: string, value: unknown): readonly string[] | undefined {
  const kinds = KINDS.get(keyword)
  if (kinds === undefined || value === undefined) return undefined
  return kinds.includes(typeOfValue(value)) ? undefined : kinds
}

/** True for a value of the right type that the keyword doesn't allow. */
export function isMisused(keyword: string, value: unknown): boolean {
  if (keyword === 'multipleOf') return typeof value === 'number' && !(value > 0)
  return keyword === 'required' && Array.isArray(value) && !value.every(isText)
}

export function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/** Throws if a keyword has a value of the wrong type. */
export function assertKind(keyword: string, value: unknown): void {
  const kinds = missedKinds(keyword, value)
  if (kinds !== undefined) throw new Error(`${keyword} value must be ${JSON.stringify(kinds)}`)
}

/** True for a keyword that requires certain types of value. */
export function hasKind(keyword: string): boolean {
  return KINDS.has(keyword)
}

const NUMBERS =
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties'
const TEXTS = '$ref pattern format formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum'
const SCHEMAS =
  'propertyNames contains not if then else additionalProperties unevaluatedProperties additionalItems unevaluatedItems'

/** The types of each keyword's value. */
const KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...each(NUMBERS, 'number'),
  ...each(TEXTS, 'string'),
  ...each('type', 'string', 'array'),
  ...each('uniqueItems', 'boolean'),
  ...each('required enum allOf anyOf oneOf prefixItems', 'array'),
  ...each('properties patternProperties dependencies dependentRequired dependentSchemas', 'object'),
  ...each(SCHEMAS, 'object', 'boolean'),
  ...each('items', 'object', 'array', 'boolean'),
])

function each(keywords: string, ...kinds: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  return keywords.split(' ').map((keyword) => [keyword, kinds])
}
