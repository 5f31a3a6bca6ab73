/**
 * Makes AJV check each value only once against each referenced schema. AJV itself repeats the check for every branch. If both branches of
 * an `anyOf` refer to the same schema, a nested value takes 2^depth checks. AJV also copies all errors for each invalid value, which is
 * quadratic in the length of a list.
 */
import type { Ajv, Code, CodeKeywordDefinition, KeywordCxt, Name } from 'ajv'
import type * as Compile from 'ajv/dist/compile/index.js'
import type * as Codes from 'ajv/dist/vocabularies/code.js'
import { isLong, type Take } from '../equal.ts'
import { Results } from '../results.ts'

export interface RefInternals extends Pick<typeof Compile, 'SchemaEnv' | 'resolveRef'>, Pick<typeof Codes, 'callValidateCode'> {}
/** The tag that AJV exports for template literals with code. */
export type CodeOf = (texts: TemplateStringsArray, ...parts: readonly unknown[]) => Code
/** The exports of AJV for generating code. */
export interface CodeWords {
  readonly _: CodeOf
  readonly str: CodeOf
  readonly Name: new (name: string) => Name
  readonly nil: Code
}

type SchemaEnv = Compile.SchemaEnv
type Validate = NonNullable<SchemaEnv['validate']>
interface Result {
  readonly isValid: boolean
  readonly errors: Validate['errors']
}

export interface RefOptions {
  /** True if a value must be checked again at another path, because its errors contain the path. */
  readonly byPlace: boolean
  readonly take: Take
}

/** Replaces references. Returns a function that clears the cached results and must be called before each check. */
export function checkRefsOnce(
  ajv: Ajv,
  { SchemaEnv, resolveRef, callValidateCode }: RefInternals,
  { _, Name, nil }: CodeWords,
  { byPlace, take }: RefOptions,
): () => void {
  const { code: inlineRef } = ajv.getKeyword('$ref') as CodeKeywordDefinition
  const functions = new Map<Validate, Validate>()
  const results: Results<Result>[] = []
  const vErrors = new Name('vErrors')

  function onceOf(own: Validate): Validate {
    const known = functions.get(own)
    if (known !== undefined) return known
    const seen = new Results<Result>()
    const validate = ((data: unknown, context) => {
      const { instancePath = '' } = context ?? {}
      if (byPlace) take(instancePath.length / CHARACTERS_OF_A_STEP)
      if (isLong(data)) take(data.length / CHARACTERS_OF_A_STEP)
      const there = seen.at(byPlace ? instancePath : undefined, data)
      // The names of properties are checked at the place of their object.
      const known = there.get(data)
      if (known !== undefined) {
        // One error is enough for a repeated failure.
        return answer(known, known.errors?.slice())
      }
      const isValid = own(data, context) as boolean
      const { errors } = own
      // Copied, because AJV appends to the list of errors.
      const result = { isValid, errors: errors?.slice(0, 1) }
      there.set(data, result)
      return answer(result, errors)
    }) as Validate
    const answer = ({ isValid }: Result, errors: Validate['errors'] = null) => {
      Object.assign(validate, { errors })
      return isValid
    }
    results.push(seen)
    functions.set(own, validate)
    return validate
  }

  function append(errors: Validate['errors'], more: NonNullable<Validate['errors']>): Validate['errors'] {
    if (errors === null || errors === undefined) return more
    take(more.length / ERRORS_OF_A_STEP)
    // Appending a long list item by item takes much longer than copying both lists.
    if (more.length > errors.length) return errors.concat(more)
    for (const error of more) errors.push(error)
    return errors
  }

  function ref(context: KeywordCxt): void {
    const { gen, schema, it } = context
    const { root } = it.schemaEnv
    const target = schema === '#' ? root : resolveRef.call(it.self, root, it.baseId, schema)
    // AJV inlines a small schema that has no references.
    if (!(target instanceof SchemaEnv)) {
      inlineRef(context)
      return
    }
    const once = gen.scopeValue('func', { ref: onceOf })
    const validate = gen.const('_once', _`${once}(${gen.scopeValue('wrapper', { ref: target })}.validate)`)
    const addErrors = () => {
      gen.assign(vErrors, _`${gen.scopeValue('func', { ref: append })}(${vErrors}, ${validate}.errors)`)
      gen.assign(new Name('errors'), _`${vErrors}.length`)
    }
    context.result(callValidateCode(context, validate, nil), undefined, addErrors)
  }

  ajv.removeKeyword('$ref').addKeyword({ keyword: '$ref', schemaType: 'string', before: 'const', code: ref })
  return () => {
    for (const seen of results) seen.clear()
  }
}

const CHARACTERS_OF_A_STEP = 32
const ERRORS_OF_A_STEP = 2
