/**
 * A `$ref` for AJV that checks each value against each referenced schema only once. AJV's own repeats the check for every branch: an
 * `anyOf` with two branches that refer to the same schema takes 2^depth checks of a nested value.
 */
import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import type * as Compile from 'ajv/dist/compile/index.js'
import type * as Ref from 'ajv/dist/vocabularies/core/ref.js'

export interface RefInternals extends Pick<typeof Compile, 'SchemaEnv' | 'resolveRef'>, Pick<typeof Ref, 'callRef'> {}
/** AJV's tag for template literals that contain code. */
export type CodeOf = typeof import('ajv')._

type SchemaEnv = Compile.SchemaEnv
type Validate = NonNullable<SchemaEnv['validate']>
interface Result {
  readonly isValid: boolean
  readonly errors: Validate['errors']
  readonly evaluated: Validate['evaluated']
}

/**
 * Replaces `$ref`. Returns a function that clears the results: call it before each check. With `byPlace`, a value is checked again at
 * another path, because errors contain the path.
 */
export function checkRefsOnce(
  ajv: Ajv,
  { SchemaEnv, resolveRef, callRef }: RefInternals,
  _: CodeOf,
  byPlace: boolean,
): () => void {
  const original = ajv.getKeyword('$ref') as CodeKeywordDefinition
  const functions = new Map<SchemaEnv, { readonly validate: Validate }>()
  const results: Map<unknown, Map<unknown, Result>>[] = []

  function functionOf(schema: SchemaEnv): { readonly validate: Validate } {
    const known = functions.get(schema)
    if (known !== undefined) return known
    const seen = new Map<unknown, Map<unknown, Result>>()
    const validate = ((data: unknown, context) => {
      const place = byPlace ? context?.instancePath : undefined
      const there = seen.get(place) ?? new Map<unknown, Result>()
      seen.set(place, there)
      // `propertyNames` checks a name at the path of its object.
      const known = there.get(data)
      if (known !== undefined) {
        // One error is enough for a repeated failure.
        return answer(known, known.errors?.slice(0, 1))
      }
      const own = schema.validate as Validate
      const isValid = own(data, context) as boolean
      // A copy, because the next call changes `evaluated`.
      const result = { isValid, errors: own.errors, evaluated: own.evaluated && { ...own.evaluated } }
      there.set(data, result)
      // A copy, because AJV appends to the list that it receives.
      return answer(result, result.errors?.slice())
    }) as Validate
    const answer = ({ isValid, evaluated }: Result, errors: Validate['errors'] = null) => {
      // A copy, because AJV also adds to the evaluated properties that it receives.
      const props = typeof evaluated?.props === 'object' ? { ...evaluated.props } : evaluated?.props
      Object.assign(validate, { errors, evaluated: evaluated && { ...evaluated, props } })
      return isValid
    }
    results.push(seen)
    const made = { validate }
    functions.set(schema, made)
    return made
  }

  function code(context: KeywordCxt): void {
    const { gen, schema, it } = context
    const { root } = it.schemaEnv
    const isRoot = (schema === '#' || schema === '#/') && it.baseId === root.baseId
    const target = isRoot ? root : resolveRef.call(it.self, root, it.baseId, schema)
    // AJV inlines a small schema without references, and throws for a missing one.
    if (!(target instanceof SchemaEnv)) {
      original.code(context)
      return
    }
    const name = gen.scopeValue('wrapper', { ref: functionOf(target) })
    callRef(context, _`${name}.validate`, target, target.$async)
  }

  ajv.removeKeyword('$ref').addKeyword({ keyword: '$ref', schemaType: 'string', before: 'const', code })
  return () => {
    for (const seen of results) seen.clear()
  }
}
