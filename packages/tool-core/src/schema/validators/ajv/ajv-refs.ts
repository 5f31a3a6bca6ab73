/**
 * References for AJV that check each value against each referenced schema only once. AJV's own repeats the check for every branch: an
 * `anyOf` with two branches that refer to the same schema takes 2^depth checks of a nested value. AJV's own also copies all errors for each
 * invalid value, which is quadratic in the length of a list.
 */
import type { Ajv, Code, CodeKeywordDefinition, KeywordCxt, Name } from 'ajv'
import type * as Compile from 'ajv/dist/compile/index.js'
import type * as Util from 'ajv/dist/compile/util.js'
import type * as Codes from 'ajv/dist/vocabularies/code.js'
import { isLong, type Take } from '../equal.ts'

export interface RefInternals
  extends Pick<typeof Compile, 'SchemaEnv' | 'resolveRef'>,
    Pick<typeof Codes, 'callValidateCode'>,
    Pick<typeof Util, 'mergeEvaluated'> {}
/** AJV's tag for template literals that contain code. */
export type CodeOf = (texts: TemplateStringsArray, ...parts: readonly unknown[]) => Code
/** AJV's exports for generating code. */
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
  readonly evaluated: Validate['evaluated']
}

export interface RefOptions {
  /** True to check a value again at another path, because errors contain the path. */
  readonly byPlace: boolean
  readonly take: Take
}

/** Replaces references. Returns a function that clears the results: call it before each check. */
export function checkRefsOnce(
  ajv: Ajv,
  { SchemaEnv, resolveRef, callValidateCode, mergeEvaluated }: RefInternals,
  { _, Name, nil }: CodeWords,
  { byPlace, take }: RefOptions,
): () => void {
  const { code: inlineRef } = ajv.getKeyword('$ref') as CodeKeywordDefinition
  const functions = new Map<Validate, Validate>()
  const results: Results[] = []
  const vErrors = new Name('vErrors')

  function onceOf(own: Validate): Validate {
    const known = functions.get(own)
    if (known !== undefined) return known
    const seen = new Results()
    const validate = ((data: unknown, context) => {
      const { instancePath = '', dynamicAnchors = NO_ANCHORS } = context ?? {}
      // Once an anchor is set, it stays for the rest of the check.
      const anchors = Object.keys(dynamicAnchors).length
      if (byPlace) take(instancePath.length / CHARACTERS_OF_A_STEP)
      if (isLong(data)) take(data.length / CHARACTERS_OF_A_STEP)
      const there = seen.at(byPlace ? `${anchors}${instancePath}` : anchors, data)
      // Names of properties are checked at the place of their object.
      const known = there.get(data)
      if (known !== undefined) {
        // One error is enough for a repeated failure.
        return answer(known, known.errors?.slice())
      }
      const isValid = own(data, context) as boolean
      const { errors } = own
      // Copies, because the next call changes `evaluated`, and AJV appends to the list of errors.
      const result = { isValid, errors: errors?.slice(0, 1), evaluated: own.evaluated && { ...own.evaluated } }
      there.set(data, result)
      return answer(result, errors)
    }) as Validate
    const answer = ({ isValid, evaluated }: Result, errors: Validate['errors'] = null) => {
      // A copy, because AJV also adds to the evaluated properties that it receives.
      const props = typeof evaluated?.props === 'object' ? { ...evaluated.props } : evaluated?.props
      Object.assign(validate, { errors, evaluated: evaluated && { ...evaluated, props } })
      return isValid
    }
    results.push(seen)
    functions.set(own, validate)
    return validate
  }

  function append(errors: Validate['errors'], more: NonNullable<Validate['errors']>): Validate['errors'] {
    if (errors === null || errors === undefined) return more
    take(more.length / ERRORS_OF_A_STEP)
    // Adding a long list item by item takes much longer than copying both.
    if (more.length > errors.length) return errors.concat(more)
    for (const error of more) errors.push(error)
    return errors
  }

  function callOnce(context: KeywordCxt, target: Code): void {
    const { gen, it } = context
    const validate = gen.const('_once', target)
    const addEvaluated = () => {
      if (!it.opts.unevaluated) return
      if (it.props !== true)
        it.props = mergeEvaluated.props(gen, gen.var('props', _`${validate}.evaluated.props`), it.props, Name)
      if (it.items !== true)
        it.items = mergeEvaluated.items(gen, gen.var('items', _`${validate}.evaluated.items`), it.items, Name)
    }
    const addErrors = () => {
      gen.assign(vErrors, _`${gen.scopeValue('func', { ref: append })}(${vErrors}, ${validate}.errors)`)
      gen.assign(new Name('errors'), _`${vErrors}.length`)
    }
    context.result(callValidateCode(context, validate, nil), addEvaluated, addErrors)
  }

  function ref(context: KeywordCxt): void {
    const { gen, schema, it } = context
    const { root } = it.schemaEnv
    const isRoot = (schema === '#' || schema === '#/') && it.baseId === root.baseId
    const target = isRoot ? root : resolveRef.call(it.self, root, it.baseId, schema)
    // AJV inlines a small schema without references, and throws for a missing one.
    if (!(target instanceof SchemaEnv)) {
      inlineRef(context)
      return
    }
    callOnce(context, _`${onceIn(gen)}(${gen.scopeValue('wrapper', { ref: target })}.validate)`)
  }

  /** Calls the schema that has the anchor, which only the check knows, or the one that refers to it. */
  function dynamicRef(context: KeywordCxt): void {
    const { gen, schema, keyword, it } = context
    if (schema[0] !== '#') throw new Error(`"${keyword}" only supports hash fragment reference`)
    const anchor: string = schema.slice(1)
    const isKnown = it.schemaEnv.root.dynamicAnchors[anchor] === true
    const target = isKnown ? _`${new Name('dynamicAnchors')}[${anchor}] || ${it.validateName}` : it.validateName
    callOnce(context, _`${onceIn(gen)}(${target})`)
  }

  const onceIn = (gen: KeywordCxt['gen']): Name => gen.scopeValue('func', { ref: onceOf })
  const replace = (keyword: string, before: string, code: (context: KeywordCxt) => void) => {
    if (ajv.getKeyword(keyword) !== false) ajv.removeKeyword(keyword).addKeyword({ keyword, schemaType: 'string', before, code })
  }
  replace('$dynamicRef', '$recursiveAnchor', dynamicRef)
  replace('$recursiveRef', '$ref', dynamicRef)
  replace('$ref', 'const', ref)
  return () => {
    for (const seen of results) seen.clear()
  }
}

const NO_ANCHORS: object = Object.freeze({})
const CHARACTERS_OF_A_STEP = 32
const ERRORS_OF_A_STEP = 2

/** Results of one schema for the values of one check. */
class Results {
  readonly #seen = new Map<unknown, Map<unknown, Result>>()
  #longPlace: unknown
  readonly #long = new Map<unknown, Result>()

  /** Returns the results at this position. Only the last of several long texts is kept, because a map takes long to compare them. */
  at(place: unknown, data: unknown): Map<unknown, Result> {
    if (isLong(data)) {
      if (place !== this.#longPlace || !this.#long.has(data)) this.#long.clear()
      this.#longPlace = place
      return this.#long
    }
    const known = this.#seen.get(place)
    if (known !== undefined) return known
    const there = new Map<unknown, Result>()
    this.#seen.set(place, there)
    return there
  }

  clear(): void {
    this.#seen.clear()
    this.#long.clear()
  }
}
