import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { renderIssues, validate } from './validate.ts'

describe('validate', () => {
  it('is empty for a value that fits', async () => {
    expect(await validate(Type.Object({ a: Type.Number() }), { a: 1 })).toEqual([])
  })

  it('T2-13: names the missing argument', async () => {
    expect(await validate(Type.Object({ city: Type.String() }), {})).toEqual([
      { path: '', keyword: 'required', message: "must have required property 'city'" },
    ])
  })

  it('points to each wrong field', async () => {
    const schema = Type.Object({ list: Type.Array(Type.Number()), name: Type.String() })
    const issues = await validate(schema, { list: [1, 'x'], name: 2 })
    expect(renderIssues(issues)).toBe('/list/1 must be number; /name must be string')
  })

  it.each([
    [Type.Object({ u: Type.Enum(['c', 'f']) }), { u: 'k' }, '/u must be equal to one of the allowed values: "c", "f"'],
    [Type.Object({ u: Type.Literal('c') }), { u: 'k' }, '/u must be equal to constant: "c"'],
    [Type.Object({}, { additionalProperties: false }), { x: 1 }, 'must NOT have additional properties: "x"'],
  ])('says what AJV leaves out: %#', async (schema, value, words) => {
    expect(renderIssues(await validate(schema, value))).toBe(words)
  })

  it('reports at most ten issues', async () => {
    const wrong = Array.from({ length: 50 }, () => 'x')
    expect(await validate(Type.Object({ list: Type.Array(Type.Number()) }), { list: wrong })).toHaveLength(10)
  })

  it('LOOP-02: an inherited property is no property', async () => {
    expect(await validate({ type: 'object', required: ['toString'] }, {})).toHaveLength(1)
  })

  it('ADP-07: neither coerces nor fills, and changes no schema', async () => {
    const schema = Type.Object({ n: Type.Number({ default: 1 }) })
    const before = JSON.stringify(schema)
    const value = Object.freeze({ n: '1' })
    expect(await validate(schema, value)).toHaveLength(1)
    expect(await validate(schema, Object.freeze({}))).toHaveLength(1)
    expect(JSON.stringify(schema)).toBe(before)
  })

  it('two schemas with the same $id do not meet', async () => {
    const text = Type.Object({ a: Type.String({ $id: 'inner' }) }, { $id: 'outer' })
    const number = Type.Object({ a: Type.Number({ $id: 'inner' }) }, { $id: 'outer' })
    expect(await validate(text, { a: 'x' })).toEqual([])
    expect(await validate(number, { a: 1 })).toEqual([])
    expect(await validate(number, { a: 'x' })).toHaveLength(1)
  })

  it('takes a recursive schema', async () => {
    const tree = Type.Cyclic({ Tree: Type.Object({ v: Type.Number(), next: Type.Optional(Type.Ref('Tree')) }) }, 'Tree')
    const schema = Type.Object({ tree })
    expect(await validate(schema, { tree: { v: 1, next: { v: 2 } } })).toEqual([])
    expect(renderIssues(await validate(schema, { tree: { v: 1, next: { v: 'x' } } }))).toBe('/tree/next/v must be number')
  })

  it('takes a schema that names another draft', async () => {
    const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }
    expect(await validate(schema, {})).toEqual([])
  })

  it('rejects when the schema cannot be compiled', async () => {
    await expect(validate({ type: 'object', properties: { a: { $ref: '#/$defs/none' } } }, {})).rejects.toThrow(/\$defs\/none/)
  })
})
