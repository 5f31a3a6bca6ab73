/**
 * Replaces keywords that AJV implements badly. AJV compares each item of a list with every other item, throws for `{ "toString": 1 }`, and
 * divides in binary floating point, where 19.99 isn't a multiple of 0.01.
 */
import type { Ajv, SchemaValidateFunction } from 'ajv'
import type { SchemaNode } from '../schema.ts'
import { isMultipleOf } from './decimal.ts'
import { duplicatesOf, isEqual, type Take } from './equal.ts'

/** Replaces the keywords that the schema uses. `take` counts their steps. */
export function replaceKeywords(ajv: Ajv, nodes: readonly SchemaNode[], take: Take): void {
  for (const replacement of REPLACEMENTS) if (nodes.some(replacement.isNeeded)) replace(ajv, replacement, take)
}

interface Replacement {
  readonly keyword: string
  /** Type of the keyword's value. Default: any type. */
  readonly schemaType?: 'boolean' | 'number' | 'array'
  readonly isNeeded: (node: SchemaNode) => boolean
  /** Returns the params of a failure, `undefined` for a valid value. */
  readonly failure: (schema: unknown, value: unknown, take: Take) => Readonly<Record<string, unknown>> | undefined
}

const REPLACEMENTS: readonly Replacement[] = [
  {
    keyword: 'uniqueItems',
    schemaType: 'boolean',
    isNeeded: (node) => node.uniqueItems === true,
    failure: (isAsked, items, take) => {
      const [i, j] = (isAsked === true && Array.isArray(items) && duplicatesOf(items, take)) || []
      return i === undefined ? undefined : { i, j }
    },
  },
  {
    keyword: 'const',
    isNeeded: (node) => isObject(node.const),
    failure: (allowedValue, value, take) => (isEqual(allowedValue, value, take) ? undefined : { allowedValue }),
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    isNeeded: (node) => Array.isArray(node.enum) && node.enum.some(isObject),
    failure: (allowedValues, value, take) => {
      const isAllowed = (allowedValues as readonly unknown[]).some((allowed) => isEqual(allowed, value, take))
      return isAllowed ? undefined : { allowedValues }
    },
  },
  {
    keyword: 'multipleOf',
    schemaType: 'number',
    isNeeded: (node) => Object.hasOwn(node, 'multipleOf'),
    failure: (multipleOf, value, take) => {
      return typeof value !== 'number' || isMultipleOf(value, Number(multipleOf), take) ? undefined : { multipleOf }
    },
  },
]

function replace(ajv: Ajv, { keyword, schemaType, failure }: Replacement, take: Take): void {
  const validate: SchemaValidateFunction = (schema: unknown, value: unknown) => {
    const params = failure(schema, value, take)
    validate.errors = params === undefined ? [] : [{ keyword, params }]
    return params === undefined
  }
  ajv.removeKeyword(keyword).addKeyword({ keyword, ...(schemaType !== undefined && { schemaType }), errors: true, validate })
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
