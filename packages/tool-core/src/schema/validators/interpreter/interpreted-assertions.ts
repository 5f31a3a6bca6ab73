/** Keywords of the interpreter that check a value but not its members. */
import type { Format } from 'ajv'
import { countingTest, type Matcher } from '../../pattern.ts'
import { isSchemaNode as isObject, type SchemaNode } from '../../schema.ts'
import { isMultipleOf } from '../ajv/decimal.ts'
import type { TextLengths } from '../ajv/text-length.ts'
import { isEqual, type Take, type ValueNumbers } from '../equal.ts'
import type { Failure } from '../issues/failure.ts'
import type { ObjectNames } from '../object-names.ts'
import type { StepCounter } from '../steps.ts'

export interface Work {
  readonly counter: StepCounter
  readonly take: Take
  readonly numbers: ValueNumbers
  readonly names: ObjectNames
  readonly lengths: TextLengths
  readonly matchers: ReadonlyMap<string, Matcher>
  readonly formats: Readonly<Record<string, Format>>
}

export interface Fault {
  readonly params: Failure['params']
  readonly message?: string
}

/** Returns what is wrong with a value. Undefined for a valid value. */
export type Assertion = (value: unknown) => Fault | undefined

/** Creates the assertion for a keyword. Returns undefined if the keyword allows every value. */
export type DefineAssertion = (operand: unknown, node: SchemaNode, work: Work) => Assertion | undefined

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  // JSON has no NaN and no Infinity.
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => isObject(value),
}

/** The assertions for each keyword, in the order in which their failures are reported. */
export const ASSERTIONS: Readonly<Record<string, DefineAssertion>> = {
  type: (operand, { nullable }) => {
    const own = (Array.isArray(operand) ? operand : [operand]) as readonly string[]
    const types = nullable === true && !own.includes('null') ? [...own, 'null'] : own
    const tests = types.map((name) => (Object.hasOwn(TYPES, name) ? TYPES[name] : undefined))
    if (tests.includes(undefined)) throw new Error(`type must be JSONType or JSONType[]: ${own.join()}`)
    const fault = { params: { type: Array.isArray(operand) || types.length > 1 ? types : operand } }
    const [only] = tests
    if (tests.length === 1 && only !== undefined) return (value) => (only(value) ? undefined : fault)
    return (value) => (tests.some((test) => test?.(value)) ? undefined : fault)
  },
  const: (allowedValue, _, { take }) => {
    const fault = { params: { allowedValue } }
    return (value) => (isEqual(allowedValue, value, take) ? undefined : fault)
  },
  enum: (allowedValues, _, { take }) => {
    const list = allowedValues as readonly unknown[]
    const fault = { params: { allowedValues } }
    return (value) => (list.some((allowed) => isEqual(allowed, value, take)) ? undefined : fault)
  },
  minimum: limiting((value, limit) => value >= limit),
  maximum: limiting((value, limit) => value <= limit),
  exclusiveMinimum: limiting((value, limit) => value > limit),
  exclusiveMaximum: limiting((value, limit) => value < limit),
  multipleOf: (multipleOf, _, { take }) => {
    return (value) =>
      typeof value !== 'number' || isMultipleOf(value, Number(multipleOf), take) ? undefined : { params: { multipleOf } }
  },
  maxLength: (limit, _, { lengths }) => {
    return (value) => (typeof value === 'string' && lengths.isLonger(value, Number(limit)) ? { params: { limit } } : undefined)
  },
  minLength: (limit, _, { lengths }) => {
    return (value) => (typeof value === 'string' && lengths.isShorter(value, Number(limit)) ? { params: { limit } } : undefined)
  },
  pattern: (pattern, _, { matchers, counter }) => {
    const matches = countingTest(matchers.get(pattern as string) as Matcher, counter)
    return (value) => (typeof value !== 'string' || matches(value) ? undefined : { params: { pattern } })
  },
  format: (format, _, { formats }) => {
    const known = Object.hasOwn(formats, format as string) ? formats[format as string] : undefined
    const judge = judgeOf(known)
    const type = typeof known === 'object' && 'type' in known && known.type === 'number' ? 'number' : 'string'
    return judge && ((value) => (type !== typeof value || judge(value as never) ? undefined : { params: { format } }))
  },
  formatMinimum: comparing('>=', (order) => order >= 0),
  formatMaximum: comparing('<=', (order) => order <= 0),
  formatExclusiveMinimum: comparing('>', (order) => order > 0),
  formatExclusiveMaximum: comparing('<', (order) => order < 0),
  minItems: counting(itemsIn, atLeast),
  maxItems: counting(itemsIn, atMost),
  uniqueItems: (isAsked, _, { numbers }) => {
    if (isAsked !== true) return undefined
    return (value) => {
      const [i, j] = (Array.isArray(value) && numbers.duplicatesIn(value)) || []
      return i === undefined ? undefined : { params: { i, j } }
    }
  },
  minProperties: counting(propertiesIn, atLeast),
  maxProperties: counting(propertiesIn, atMost),
}

function limiting(isWithin: (value: number, limit: number) => boolean): DefineAssertion {
  return (limit) => (value) => (typeof value !== 'number' || isWithin(value, Number(limit)) ? undefined : { params: { limit } })
}

function counting(
  count: (value: unknown, work: Work) => number | undefined,
  isWithin: (size: number, limit: number) => boolean,
): DefineAssertion {
  return (limit, _, work) => (value) => {
    const size = count(value, work)
    return size === undefined || isWithin(size, Number(limit)) ? undefined : { params: { limit } }
  }
}

function itemsIn(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}

function propertiesIn(value: unknown, { names }: Work): number | undefined {
  return isObject(value) ? names.of(value).length : undefined
}

function atLeast(size: number, limit: number): boolean {
  return size >= limit
}

function atMost(size: number, limit: number): boolean {
  return size <= limit
}

function comparing(comparison: string, isWithin: (order: number) => boolean): DefineAssertion {
  return (limit, { format }, { formats }) => {
    const known = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined
    if (known === undefined || known === true) return undefined
    const compare = typeof known === 'object' && 'compare' in known ? (known.compare as Compare | undefined) : undefined
    if (compare === undefined) throw new Error(`format "${format}" does not define "compare" function`)
    return (value) => {
      const order = typeof value === 'string' ? compare(value, limit as string) : undefined
      return order === undefined || isWithin(order)
        ? undefined
        : { params: { comparison, limit }, message: `should be ${comparison} ${limit}` }
    }
  }
}

type Compare = (one: string, other: string) => number | undefined

function judgeOf(format: Format | undefined): ((value: never) => unknown) | undefined {
  const judge = typeof format === 'object' && 'validate' in format ? format.validate : format
  if (judge instanceof RegExp) return (text: string) => judge.test(text)
  return typeof judge === 'function' ? (judge as (value: never) => unknown) : undefined
}

export function hasProperty(object: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined
}
