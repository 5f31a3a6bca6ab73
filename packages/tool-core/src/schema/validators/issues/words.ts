/** The message and the expected values for each keyword. The messages follow AJV's, and add details that AJV leaves out. */

import { nearestNames } from '../../../nearest-names.ts'
import { shorten } from '../../issue.ts'
import type { Failure } from './failure.ts'

export interface Words {
  /** Completes a sentence that starts with the path: `must be string`. */
  readonly message: string
  readonly expected?: string | undefined
}

type Params = Failure['params']

const MAX_VALUE = 100
const MAX_VALUES = 30

export function wordsOf({ keyword, params, message }: Failure): Words {
  return (
    (Object.hasOwn(WORDS, keyword) && WORDS[keyword]?.(params)) || { message: message ?? `must fit ${JSON.stringify(keyword)}` }
  )
}

const WORDS: Readonly<Record<string, (params: Params) => Words>> = {
  type: ({ type }) => ({ message: `must be ${listOf(type).join(' or ')}`, expected: listOf(type).join(' | ') }),
  enum: ({ allowedValues }) => ({
    message: `must be equal to one of the allowed values: ${choices(allowedValues, ', ')}`,
    expected: choices(allowedValues, ' | '),
  }),
  const: ({ allowedValue }) => ({
    message: `must be equal to constant: ${literal(allowedValue)}`,
    expected: literal(allowedValue),
  }),
  anyOf: ({ allowed }) => toUnion('must match a schema in anyOf', allowed),
  oneOf: ({ allowed }) => toUnion('must match exactly one schema in oneOf', allowed),
  minimum: ({ limit }) => ({ message: `must be >= ${limit}`, expected: `at least ${limit}` }),
  maximum: ({ limit }) => ({ message: `must be <= ${limit}`, expected: `at most ${limit}` }),
  exclusiveMinimum: ({ limit }) => ({ message: `must be > ${limit}`, expected: `more than ${limit}` }),
  exclusiveMaximum: ({ limit }) => ({ message: `must be < ${limit}`, expected: `less than ${limit}` }),
  multipleOf: ({ multipleOf }) => ({ message: `must be multiple of ${multipleOf}`, expected: `a multiple of ${multipleOf}` }),
  minLength: ({ limit }) => atLeast(limit, 'characters'),
  maxLength: ({ limit }) => atMost(limit, 'characters'),
  minItems: ({ limit }) => atLeast(limit, 'items'),
  maxItems: ({ limit }) => atMost(limit, 'items'),
  propertyNames: ({ limit, propertyName }) => ({
    message: limit === undefined ? nameFault(propertyName) : `must NOT have property names of more than ${limit} characters`,
    expected: propertyName === undefined ? undefined : `a name other than ${quoted(propertyName)}`,
  }),
  minProperties: ({ limit }) => atLeast(limit, 'properties'),
  maxProperties: ({ limit }) => atMost(limit, 'properties'),
  pattern: ({ pattern }) => ({
    message: `must match pattern ${quoted(pattern)}`,
    expected: `text that matches ${shorten(String(pattern), MAX_VALUE)}`,
  }),
  format: ({ format }) => ({ message: `must match format ${quoted(format)}`, expected: String(format) }),
  required: ({ missingProperty }) => ({
    message: `must have required property '${missingProperty}'`,
    expected: `property ${quoted(missingProperty)}`,
  }),
  additionalProperties: ({ additionalProperty }) => ({
    message: `must NOT have additional properties: ${quoted(additionalProperty)}`,
    expected: `no property ${quoted(additionalProperty)}`,
  }),
  unevaluatedProperties: ({ unevaluatedProperty }) => ({
    message: `must NOT have unevaluated properties: ${quoted(unevaluatedProperty)}`,
    expected: `no property ${quoted(unevaluatedProperty)}`,
  }),
  uniqueItems: ({ i, j }) => ({
    message: `must NOT have duplicate items (items ## ${j} and ${i} are identical)`,
    expected: 'different items',
  }),
  not: () => ({ message: 'must NOT match the schema in "not"' }),
  'false schema': () => ({ message: 'must not be present', expected: 'nothing' }),
}

function nameFault(name: unknown): string {
  return name === undefined ? 'property name must be valid' : `must NOT have the property name ${quoted(name)}`
}

/** Returns the texts for a union. `allowed` lists the types and values that the union allows, and is undefined if they aren't all known. */
function toUnion(message: string, allowed: unknown): Words {
  if (allowed === undefined) return { message }
  return { message: `must be ${choices(allowed, ' or ', String)}`, expected: choices(allowed, ' | ', String) }
}

/** Returns the types or values that a failed keyword allows. Undefined for a keyword without such a list. */
export function allowedBy({ keyword, params }: Failure): readonly string[] | undefined {
  if (keyword === 'type') return listOf(params.type).map(String)
  if (keyword === 'const') return [literal(params.allowedValue)]
  if (keyword === 'enum') return listOf(params.allowedValues).map(literal)
  return params.allowed as readonly string[] | undefined
}

function atLeast(limit: unknown, unit: string): Words {
  return { message: `must NOT have fewer than ${limit} ${unit}`, expected: `at least ${limit} ${unit}` }
}

function atMost(limit: unknown, unit: string): Words {
  return { message: `must NOT have more than ${limit} ${unit}`, expected: `at most ${limit} ${unit}` }
}

/** Returns ` (did you mean "city"?)` for a name that is close to a declared one, otherwise an empty string. */
export function didYouMean(wrong: string, declared: readonly string[]): string {
  const [near] = nearestNames(wrong, declared, 1)
  return near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`
}

/** Joins the first 30 values. */
function choices(values: unknown, separator: string, toText: (value: unknown) => string = literal): string {
  const list = listOf(values)
  const shown = list.slice(0, MAX_VALUES).map(toText)
  return list.length > MAX_VALUES ? [...shown, `${list.length - MAX_VALUES} more`].join(separator) : shown.join(separator)
}

function listOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [values]
}

function literal(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value), MAX_VALUE)
}

export function quoted(value: unknown): string {
  return JSON.stringify(shorten(String(value), MAX_VALUE))
}
