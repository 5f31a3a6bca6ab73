import fc from 'fast-check'
import { type TProperties, type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { validate } from '../schema/validate.ts'
import { coerceArgs } from './coerce.ts'

const leaf: fc.Arbitrary<TSchema> = fc.oneof(
  fc.constantFrom(Type.String(), Type.Number(), Type.Integer(), Type.Boolean(), Type.Null(), Type.Any()),
  fc.constantFrom(Type.Enum(['1', 'true']), Type.Literal('a'), Type.String({ minLength: 1 }), Type.Number({ minimum: 0 })),
)
const { schema } = fc.letrec<{ schema: TSchema; object: TSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('object'),
    tie('schema').map((items) => Type.Array(items)),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((members) => Type.Union(members)),
    tie('schema').map((value) => Type.Record(Type.String(), value)),
  ),
  object: fc
    .dictionary(fc.constantFrom('a', 'b', 'c', 'toString'), fc.tuple(tie('schema'), fc.boolean()), { maxKeys: 3 })
    .map((fields) => Type.Object(propertiesOf(fields))),
}))
const object = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', 'toString'), fc.tuple(schema, fc.boolean()), { maxKeys: 4 })
  .map((fields) => Type.Object(propertiesOf(fields)))

function propertiesOf(fields: Record<string, [TSchema, boolean]>): TProperties {
  return Object.fromEntries(
    Object.entries(fields).map(([name, [node, optional]]) => [name, optional ? Type.Optional(node) : node]),
  )
}

const texts = fc.constantFrom('1', '2.5', 'true', 'a', '', '[1]', '{"a":"1"}', 'null', '9007199254740993')
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(texts, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'toString'), tie('value'), { maxKeys: 4 }),
  ),
}))
const args = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'toString'), value, { maxKeys: 5 }) as fc.Arbitrary<object>

function deepFreeze<T>(node: T): T {
  if (typeof node === 'object' && node !== null) Object.values(Object.freeze(node)).forEach(deepFreeze)
  return node
}

describe('coerceArgs, for any schema and value', () => {
  it("T3-10: accepts frozen arguments, returns a new object, and leaves the caller's object unchanged", () => {
    fc.assert(
      fc.property(object, args, (node, given) => {
        const before = JSON.stringify(given)
        const { args: coerced } = coerceArgs(node, deepFreeze(given))
        expect(coerced).not.toBe(given)
        expect(JSON.stringify(given)).toBe(before)
      }),
    )
  })

  it('returns the same value when it changes nothing', () => {
    fc.assert(
      fc.property(object, args, (node, given) => {
        const { args: coerced, tags, issues } = coerceArgs(node, given)
        if (tags.length + issues.length === 0) expect(coerced).toEqual({ ...given })
      }),
    )
  })

  it('never breaks a value that AJV accepts unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(object, args, async (node, given) => {
        if ((await validate(node, given)).length > 0) return
        expect(await validate(node, coerceArgs(node, given).args)).toEqual([])
      }),
      { numRuns: process.env.X_FULL ? 300 : 60 },
    )
  })

  it('agrees with AJV when it changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(object, args, async (node, given) => {
        const { args: coerced, tags, issues } = coerceArgs(node, given)
        if (tags.length + issues.length === 0) expect(await validate(node, coerced)).toEqual(await validate(node, given))
      }),
    )
  })

  it('changes nothing in a value that it has already coerced', () => {
    fc.assert(
      fc.property(object, args, (node, given) => {
        const once = coerceArgs(node, given).args
        expect(coerceArgs(node, once)).toEqual({ args: once, tags: [], issues: [] })
      }),
    )
  })
})
