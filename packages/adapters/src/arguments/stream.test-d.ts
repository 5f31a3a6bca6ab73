import { Type } from 'typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { argumentStream, type PartialDeep } from './index.ts'

describe('argumentStream', () => {
  it('types its partial value from the schema', () => {
    const stream = argumentStream({
      schema: Type.Object({ city: Type.String(), tags: Type.Array(Type.Object({ id: Type.Integer() })) }),
    })
    expectTypeOf(stream.value.city).toEqualTypeOf<string | undefined>()
    expectTypeOf(stream.value.tags?.[0]?.id).toEqualTypeOf<number | undefined>()
    expectTypeOf(stream.snapshot()).toEqualTypeOf(stream.value)
    // @ts-expect-error The schema has no such property.
    stream.value.town
    // @ts-expect-error The value is read-only.
    stream.value.city = 'x'
  })

  it('is a record without a schema', () => {
    expectTypeOf(argumentStream().value.any).toEqualTypeOf<unknown>()
  })
})

describe('PartialDeep', () => {
  it('keeps lists and strings, and makes every property optional', () => {
    type Deep = PartialDeep<{ a: { b: string }; c: { d: 1 }[] }>
    expectTypeOf<Deep>().toEqualTypeOf<{ readonly a?: { readonly b?: string }; readonly c?: readonly { readonly d?: 1 }[] }>()
  })
})
