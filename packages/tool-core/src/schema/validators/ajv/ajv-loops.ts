/** Counts the work of AJV's loops, which takes longer than the steps of the schemas in them. */
import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import type { Take } from '../equal.ts'
import type { CodeOf } from './ajv-refs.ts'

/** Makes AJV count each name that it lists and each item that `contains` checks. `contains` creates no errors for items. */
export function countLoops(ajv: Ajv, _: CodeOf, take: Take): void {
  for (const keyword of OF_NAMES) wrap(keyword, countNames)
  wrap('contains', countItems)

  function wrap(keyword: string, prepare: (context: KeywordCxt) => void): void {
    const definition = ajv.getKeyword(keyword)
    if (typeof definition === 'boolean') return
    const { code } = definition as CodeKeywordDefinition
    const counting = (context: KeywordCxt) => {
      prepare(context)
      code(context)
      Reflect.deleteProperty(context.gen, 'forIn')
    }
    Object.assign(definition, { code: counting })
  }

  function countNames({ gen, keyword, schema, parentSchema }: KeywordCxt): void {
    // Stops at the first name that isn't declared.
    if (keyword === 'additionalProperties' && schema === false && parentSchema.patternProperties === undefined) return
    const { forIn } = gen
    const counting: typeof forIn = (name, object, body) =>
      forIn.call(gen, name, object, (key) => {
        gen.code(_`${gen.scopeValue('func', { ref: take })}(${STEPS_OF_A_NAME})`)
        // The loops in the body belong to other keywords.
        Object.assign(gen, { forIn })
        body(key)
        Object.assign(gen, { forIn: counting })
      })
    Object.assign(gen, { forIn: counting })
  }

  function countItems(context: KeywordCxt): void {
    const { gen, it, subschema: original } = context
    const subschema: KeywordCxt['subschema'] = (applied, valid) => {
      gen.code(_`${gen.scopeValue('func', { ref: take })}(${STEPS_OF_AN_ITEM})`)
      if (it.allErrors) return Reflect.apply(original, context, [applied, valid])
      const made = Reflect.apply(original, context, [{ ...applied, createErrors: false, allErrors: false }, valid])
      context.reset()
      return made
    }
    Object.assign(context, { subschema })
  }
}

const OF_NAMES = ['additionalProperties', 'patternProperties', 'propertyNames']
const STEPS_OF_A_NAME = 10
const STEPS_OF_AN_ITEM = 4
