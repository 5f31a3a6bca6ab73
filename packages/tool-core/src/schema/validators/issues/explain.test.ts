import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { validate } from '../../validate.ts'

async function gotOf(schema: object, value: unknown) {
  return (await validate(Type.Object({ probe: schema as never }), { probe: value })).map(({ got }) => got)
}

describe('the shown value', () => {
  it.each([
    ['an object', Type.Object({ a: Type.Number() })],
    ['a list', Type.Array(Type.String())],
    ['one of several objects', Type.Union([Type.Object({ a: Type.Number() }), Type.Object({ b: Type.Number() })])],
    ['a short text or an object', Type.Union([Type.String({ maxLength: 3 }), Type.Object({ a: Type.Number() })])],
    ['a nullable list by a list of types', { type: ['array', 'null'], items: {} }],
    ['an object of a few', { type: 'object', enum: [{ a: 1 }] }],
    ['what is an object elsewhere', { $ref: '#/properties/probe/$defs/box', $defs: { box: { type: 'object' } } }],
  ])('T2-17: is only a length if the value replaces %s', async (_what, schema) => {
    const got = await gotOf(schema, '{"password":"hunter2",}')
    expect(new Set(got)).toEqual(new Set(['a string of 23 characters']))
  })

  it.each([
    ['{"password":"hunter2"}', '"{\\"password\\":\\"[redacted]\\"}"'],
    ['Authorization: Bearer hunter2', '"Authorization: Bearer [redacted]"'],
    [`${'x'.repeat(50)} AKIAIOSFODNN7EXAMPLE`, `"${'x'.repeat(50)} [redacte…"`],
    ['three', '"three"'],
  ])('T2-17: contains no credential of %j if a number is expected', async (text, got) => {
    expect(await gotOf(Type.Number(), text)).toEqual([got])
  })
})
