/**
 * Replaces keywords that are slow or wrong in AJV. AJV compares each item of a list with every other item, and throws for `{ "toString": 1
 * }`. It divides in binary floating point, where 19.99 isn't a multiple of 0.01. For each keyword that limits the size of a string or an
 * object, it counts the characters or properties again.
 */
import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import type { SchemaNode } from '../../schema.ts'
import { isEqual, isObject, type Take, ValueNumbers } from '../equal.ts'
import { ObjectNames } from '../object-names.ts'
import type { CodeOf } from './ajv-refs.ts'
import { isMultipleOf } from './decimal.ts'
import { TextLengths } from './text-length.ts'

/**
 * Replaces the keywords that the schema uses, and counts their steps with `take`. Returns a function that must be called before each check.
 */
export function replaceKeywords(ajv: Ajv, nodes: readonly SchemaNode[], _: CodeOf, take: Take): () => void {
  const numbers = new ValueNumbers(take)
  const names = new ObjectNames(take)
  for (const replacement of REPLACEMENTS)
    if (nodes.some(replacement.isNeeded)) replace(ajv, replacement, _, { take, numbers, names, lengths: new TextLengths(take) })
  return () => {
    numbers.forget()
    names.forget()
  }
}

interface Work {
  readonly take: Take
  readonly numbers: ValueNumbers
  readonly names: ObjectNames
  readonly lengths: TextLengths
}

interface Replacement {
  readonly keyword: string
  /** Type of the keyword's value. Default: any type. */
  readonly schemaType?: 'boolean' | 'number' | 'array'
  readonly type?: 'string' | 'object'
  /** The keyword that follows in AJV's order. Default: none. */
  readonly before?: string
  readonly isNeeded: (node: SchemaNode) => boolean
  /** Returns the params of a failure, or undefined if the value is valid. */
  readonly failure: (schema: unknown, value: unknown, work: Work) => Readonly<Record<string, unknown>> | undefined
}

const REPLACEMENTS: readonly Replacement[] = [
  {
    keyword: 'uniqueItems',
    schemaType: 'boolean',
    isNeeded: (node) => node.uniqueItems === true,
    failure: (isAsked, items, { numbers }) => {
      const [i, j] = (isAsked === true && Array.isArray(items) && numbers.duplicatesIn(items)) || []
      return i === undefined ? undefined : { i, j }
    },
  },
  {
    keyword: 'const',
    isNeeded: (node) => isObject(node.const),
    failure: (allowedValue, value, { take }) => (isEqual(allowedValue, value, take) ? undefined : { allowedValue }),
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    // An empty `enum` allows no value, but AJV throws for it.
    isNeeded: (node) => Array.isArray(node.enum) && (node.enum.length === 0 || node.enum.some(isObject)),
    failure: (allowedValues, value, { take }) => {
      const isAllowed = (allowedValues as readonly unknown[]).some((allowed) => isEqual(allowed, value, take))
      return isAllowed ? undefined : { allowedValues }
    },
  },
  {
    keyword: 'multipleOf',
    schemaType: 'number',
    isNeeded: (node) => Object.hasOwn(node, 'multipleOf'),
    failure: (multipleOf, value, { take }) => {
      return typeof value !== 'number' || isMultipleOf(value, Number(multipleOf), take) ? undefined : { multipleOf }
    },
  },
  {
    keyword: 'maxLength',
    schemaType: 'number',
    type: 'string',
    before: 'pattern',
    isNeeded: (node) => Object.hasOwn(node, 'maxLength'),
    failure: (limit, text, { lengths }) => (lengths.isLonger(text as string, Number(limit)) ? { limit } : undefined),
  },
  {
    keyword: 'minLength',
    schemaType: 'number',
    type: 'string',
    before: 'pattern',
    isNeeded: (node) => Object.hasOwn(node, 'minLength'),
    failure: (limit, text, { lengths }) => (lengths.isShorter(text as string, Number(limit)) ? { limit } : undefined),
  },
  ...(['maxProperties', 'minProperties'] as const).map(
    (keyword): Replacement => ({
      keyword,
      schemaType: 'number',
      type: 'object',
      // Not after `propertyNames`: for `{}`, AJV skips the keywords that follow it.
      before: keyword === 'maxProperties' ? 'minProperties' : 'required',
      isNeeded: (node) => Object.hasOwn(node, keyword),
      failure: (limit, object, { names }) => {
        const difference = names.of(object as object).length - Number(limit)
        return (keyword === 'maxProperties' ? difference : -difference) > 0 ? { limit } : undefined
      },
    }),
  ),
]

/** Adds a keyword as generated code. For a keyword that is a function, AJV would copy all earlier errors each time it adds one. */
function replace(ajv: Ajv, { isNeeded, failure, ...definition }: Replacement, _: CodeOf, work: Work): void {
  const ref = (schema: unknown, value: unknown) => failure(schema, value, work)
  const code = (context: KeywordCxt) => {
    const { gen, data, schemaCode } = context
    const found = gen.const('found', _`${gen.scopeValue('keyword', { ref })}(${schemaCode}, ${data})`)
    context.setParams({ found })
    context.fail(_`${found} !== undefined`)
  }
  const error: CodeKeywordDefinition['error'] = { message: definition.keyword, params: ({ params }) => _`${params.found}` }
  ajv.removeKeyword(definition.keyword).addKeyword({ ...definition, code, error })
}
