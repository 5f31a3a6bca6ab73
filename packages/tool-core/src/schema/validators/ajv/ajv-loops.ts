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
    const counting: typeof gen.forIn = (name, object, body) => {
      // Without this function, because the loops in the body belong to other keywords.
      Reflect.deleteProperty(gen, 'forIn')
      const made = gen.forIn(name, object, (key) => {
        gen.code(_`${gen.scopeValue('func', { ref: take })}(${STEPS_OF_A_NAME})`)
        body(key)
      })
      Reflect.set(gen, 'forIn', counting)
      return made
    }
    Reflect.set(gen, 'forIn', counting)
  }

  function countItems(context: KeywordCxt): void {
    const { gen, it } = context
    const counting: typeof context.subschema = (applied, valid) => {
      gen.code(_`${gen.scopeValue('func', { ref: take })}(${STEPS_OF_AN_ITEM})`)
      Reflect.deleteProperty(context, 'subschema')
      const made = context.subschema(it.allErrors ? applied : { ...applied, createErrors: false, allErrors: false }, valid)
      Reflect.set(context, 'subschema', counting)
      if (!it.allErrors) context.reset()
      return made
    }
    Reflect.set(context, 'subschema', counting)
  }
}

const OF_NAMES = ['additionalProperties', 'patternProperties', 'propertyNames']
const STEPS_OF_A_NAME = 10
const STEPS_OF_AN_ITEM = 4
