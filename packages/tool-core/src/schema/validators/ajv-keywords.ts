/**
 * Keywords of AJV, replaced where it is wrong: it compares each item of a list with each, throws for `{ "toString": 1 }`, and
 * divides as computers do, for which 19.99 is no multiple of 0.01.
 */
import type { Ajv, SchemaValidateFunction } from 'ajv'
import type { SchemaNode } from '../schema.ts'
import { isMultipleOf } from './decimal.ts'
import { duplicatesOf, isEqual } from './equal.ts'

/** Replaces those that the schema needs. */
export function replaceKeywords(ajv: Ajv, nodes: readonly SchemaNode[]): void {
  for (const replacement of REPLACEMENTS) if (nodes.some(replacement.isNeeded)) replace(ajv, replacement)
}

interface Replacement {
  readonly keyword: string
  /** Where not any. */
  readonly schemaType?: 'boolean' | 'number' | 'array'
  readonly isNeeded: (node: SchemaNode) => boolean
  /** The facts of a failure; `undefined` for a value that fits. */
  readonly failure: (schema: unknown, value: unknown) => Readonly<Record<string, unknown>> | undefined
}

const REPLACEMENTS: readonly Replacement[] = [
  {
    keyword: 'uniqueItems',
    schemaType: 'boolean',
    isNeeded: (node) => node.uniqueItems === true,
    failure: (isAsked, items) => {
      const [i, j] = (isAsked === true && Array.isArray(items) && duplicatesOf(items)) || []
      return i === undefined ? undefined : { i, j }
    },
  },
  {
    keyword: 'const',
    isNeeded: (node) => isObject(node.const),
    failure: (allowedValue, value) => (isEqual(allowedValue, value) ? undefined : { allowedValue }),
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    isNeeded: (node) => Array.isArray(node.enum) && node.enum.some(isObject),
    failure: (allowedValues, value) => {
      const isAllowed = (allowedValues as readonly unknown[]).some((allowed) => isEqual(allowed, value))
      return isAllowed ? undefined : { allowedValues }
    },
  },
  {
    keyword: 'multipleOf',
    schemaType: 'number',
    isNeeded: (node) => Object.hasOwn(node, 'multipleOf'),
    failure: (multipleOf, value) => {
      return typeof value !== 'number' || isMultipleOf(value, Number(multipleOf)) ? undefined : { multipleOf }
    },
  },
]

function replace(ajv: Ajv, { keyword, schemaType, failure }: Replacement): void {
  const validate: SchemaValidateFunction = (schema: unknown, value: unknown) => {
    const params = failure(schema, value)
    validate.errors = params === undefined ? [] : [{ keyword, params }]
    return params === undefined
  }
  ajv.removeKeyword(keyword).addKeyword({ keyword, ...(schemaType !== undefined && { schemaType }), errors: true, validate })
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
