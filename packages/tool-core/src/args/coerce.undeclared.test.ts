import { type TProperties, type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { validate } from '../schema/validate.ts'
import { coerceArgs } from './coerce.ts'

function coerce(properties: TProperties, args: object) {
  const { args: coerced, tags, issues } = coerceArgs(Type.Object(properties), args)
  expect(issues).toEqual([])
  return { args: coerced, tags: tags.map(({ tag, path }) => `${tag} ${path}`) }
}

function probe(schema: TSchema, value: unknown) {
  const { args, tags } = coerce({ probe: schema }, { probe: value })
  return { value: args.probe, tags }
}

describe('undeclared arguments', () => {
  it('removes and tags undeclared arguments, also in nested objects', () => {
    const inner = Type.Object({ a: Type.Number() })
    expect(coerce({ inner }, { inner: { a: 1, extra: 2 }, 'x/y~z': 3 })).toEqual({
      args: { inner: { a: 1 } },
      tags: ['stripped /inner/extra', 'stripped /x~1y~0z'],
    })
  })

  it('keeps undeclared arguments if a keyword of the schema concerns them', () => {
    const strict = Type.Object({ a: Type.Number() }, { additionalProperties: false })
    expect(coerceArgs(strict, { a: 1, b: 2 }).args).toEqual({ a: 1, b: 2 })
    expect(probe(Type.Record(Type.String(), Type.Number()), { any: 1 })).toEqual({ value: { any: 1 }, tags: [] })
    expect(probe(Type.Intersect([Type.Object({}), Type.Object({})]), { any: 1 })).toEqual({ value: { any: 1 }, tags: [] })
  })

  it.each([
    ['dependentSchemas', { dependentSchemas: { a: { properties: { b: {} }, required: ['b'] } } }],
    ['dependencies', { dependencies: { a: { properties: { b: {} }, required: ['b'] } } }],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }],
    ['required', { required: ['a', 'b'] }],
    ['minProperties', { minProperties: 2 }],
    ['not', { not: { required: ['c'] } }],
    ['propertyNames', { propertyNames: { maxLength: 9 } }],
    ['an unknown keyword', { discriminator: 'a' }],
  ])('keeps undeclared arguments beside %s, which may need them', async (_what, keywords) => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, ...keywords }
    const { args, tags } = coerceArgs(schema, { a: 1, b: 'x' })
    expect({ args, tags }).toEqual({ args: { a: 1, b: 'x' }, tags: [] })
    expect(await validate(schema, args)).toEqual([])
  })

  it('removes undeclared arguments beside keywords that do not concern them', () => {
    const says = { title: 'T', description: 'D', $comment: 'C', 'x-order': 1, $defs: {}, additionalProperties: undefined }
    const schema = { type: 'object', properties: { a: {} }, required: ['a'], ...says }
    expect(coerceArgs(schema, { a: 1, b: 2 }).args).toEqual({ a: 1 })
  })

  it('treats arguments named like a property of Object.prototype as plain data', () => {
    const args = JSON.parse('{"constructor":1,"toString":1,"valueOf":{"isAdmin":true}}')
    expect(coerce({ a: Type.String() }, { ...args, a: '1' }).args).toEqual({ a: '1' })
    expect(coerceArgs({ type: 'object' }, args).args).toEqual(args)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it.each([
    ['at the top', '{"__proto__":{"isAdmin":true}}', '/__proto__'],
    ['escaped', '{"\\u005f_proto__":{"isAdmin":true}}', '/__proto__'],
    ['reached through a constructor', '{"constructor":{"prototype":{"isAdmin":true}}}', '/constructor'],
    ['inside an object', '{"open":{"__proto__":{"isAdmin":true}}}', '/open/__proto__'],
    ['inside a list', '{"open":[{"__proto__":{"isAdmin":true}}]}', '/open/0/__proto__'],
    ['inside a string of JSON', '{"text":"{\\"__proto__\\":{\\"isAdmin\\":true}}"}', '/text/__proto__'],
  ])('refuses a prototype %s', (_where, json, path) => {
    const schema = Type.Object({ open: Type.Optional(Type.Any()), text: Type.Optional(Type.Object({})) })
    const { args, issues } = coerceArgs(schema, JSON.parse(json))
    expect(issues).toMatchObject([{ path, keyword: 'forbidden', message: 'is a forbidden key' }])
    expect((args as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})

describe('T2-22: a strict tool', () => {
  function strictly(schema: object, args: object) {
    const { args: coerced, tags, issues } = coerceArgs(schema, args, { strict: true })
    return { coerced, tags, issues: issues.map(({ path, message }) => `${path} ${message}`) }
  }
  const inner = Type.Object({ city: Type.Optional(Type.String()) })

  it('refuses undeclared arguments, also in objects, arrays and nullable objects', () => {
    const schema = Type.Object({ inner, list: Type.Array(inner), maybe: Type.Union([inner, Type.Null()]) })
    const { issues, tags } = strictly(schema, { x: 1, inner: { citi: 'a' }, list: [{ y: 1 }], maybe: { z: 1 } })
    expect(issues).toEqual([
      '/x is not declared',
      '/inner/citi is not declared (did you mean "city"?)',
      '/list/0/y is not declared',
      '/maybe/z is not declared',
    ])
    expect(tags).toEqual([])
  })

  it('leaves open schemas open, and closes the others', () => {
    const schema = Type.Object({
      open: Type.Object({}, { additionalProperties: true }),
      map: Type.Record(Type.String(), Type.Number()),
      any: Type.Any(),
      free: Type.Unsafe({ type: 'object' }),
    })
    const args = { open: { a: 1 }, map: { b: 2 }, any: { c: 3 }, free: { d: 4 } }
    expect(strictly(schema, args)).toMatchObject({
      coerced: { open: { a: 1 }, map: { b: 2 }, any: { c: 3 } },
      issues: ['/free/d is not declared'],
    })
    expect(coerceArgs(schema, args)).toMatchObject({ args, issues: [] })
  })

  it('reports at most ten, however many there are', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key_${index}`, index]))
    expect(strictly(inner, many).issues).toHaveLength(10)
  })
})
