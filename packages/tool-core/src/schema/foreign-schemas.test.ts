import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAction, defineTool, type Loose } from '../../test/tools.ts'
import { callTool, dispatch } from '../call/call.ts'

const parts = { name: 'book', description: 'Books.', args: Type.Object({}), execute: () => ({}) }
const invalid = (message: string) =>
  expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining(message) })

describe('a schema of another library inside a TypeBox schema', () => {
  it.each<Loose>([
    ['zod at /properties/city', { city: z.string() }],
    ['valibot at /properties/city', { city: v.string() }],
    ['zod at /properties/stay/properties/city', { stay: Type.Object({ city: z.string() as never }) }],
    ['zod at /properties/city', { city: Type.Optional(z.string().min(30) as never) }],
    ['zod at /properties/city', { city: { ...z.string() } as never }],
    ['zod at /properties/cities/items', { cities: Type.Array(z.string() as never) }],
    ['zod at /properties/city/anyOf/1', { city: Type.Union([Type.Null(), z.string() as never]) }],
    ['arktype at /properties/city', { city: Object.assign(() => {}, { '~standard': { vendor: 'arktype' } }) }],
  ])('is refused at the definition: %s', (where: string, properties: object) => {
    const args = Type.Object(properties as never)
    const define = () => defineTool({ ...parts, args })
    expect(define).toThrow(invalid(`defineTool("book"): args contains a schema from ${where}. Write it with TypeBox`))
  })

  it('is refused as a part of an output and of a context', () => {
    const schema = Type.Object({ city: z.string() as never })
    expect(() => defineAction({ ...parts, output: schema })).toThrow('output contains a schema from zod')
    expect(() => defineTool({ ...parts, context: schema })).toThrow('context contains a schema from zod')
  })

  it('is accepted as data, and so are the args of a tool', async () => {
    const inner = defineTool(parts)
    const args = Type.Object({
      options: inner.args,
      city: Type.Optional(Type.String({ default: 'Oslo', examples: [z.string()] })),
    })
    expect(await callTool(defineTool({ ...parts, args }), { id: '1', name: 'book', args: { options: {} } })).toMatchObject({
      ok: true,
    })
  })
})

/** A schema from a library without Standard Schema, such as zod 3.22 or yup. */
class OldSchema {
  readonly type?: string
  readonly _def = { checks: [] }
  constructor(type?: string) {
    if (type !== undefined) this.type = type
  }
}

describe('a schema of a library without Standard Schema', () => {
  it.each<Loose>([
    ['/properties/city', { city: new OldSchema() }],
    ['/properties/city', { city: new OldSchema('string') }],
    ['/properties/cities/items', { cities: Type.Array(new OldSchema() as never) }],
    ['/properties/city', { city: new (class {})() }],
  ])('is refused inside a TypeBox schema, at %s', (where: string, properties: object) => {
    const holds = invalid(`at ${where}. Write it with TypeBox`)
    const schema = Type.Object(properties as never)
    expect(() => defineTool({ ...parts, args: schema })).toThrow(holds)
    expect(() => defineTool({ ...parts, context: schema })).toThrow(holds)
    expect(() => defineAction({ ...parts, output: schema })).toThrow(holds)
  })

  it('is refused as a whole schema, even with a type', () => {
    const schema = new OldSchema('object') as Loose
    expect(() => defineTool({ ...parts, args: schema })).toThrow(invalid('args is a schema from the class OldSchema.'))
    expect(() => defineTool({ ...parts, context: schema })).toThrow(invalid('context is a schema from the class OldSchema.'))
    expect(() => defineAction({ ...parts, output: schema })).toThrow(invalid('output is a schema from the class OldSchema.'))
  })

  it('is distinguished from a JSON Schema without a prototype and from an instance that is data', () => {
    const args = Type.Object({ city: Object.assign(Object.create(null), { type: 'string', default: new Date(0) }) as never })
    expect(() => defineTool({ ...parts, args })).not.toThrow()
  })
})

describe('the value of an unknown keyword', () => {
  it.each<Loose>([
    [{ ui: { properties: { label: 'City', order: 5, hint: null } } }],
    [{ ui: { items: { properties: { label: undefined } } } }],
    [{ ui: { validator: z.string() } }],
    [{ validator: z.string() }],
  ])('is accepted: %o', async (more: object) => {
    const tool = defineTool({ ...parts, args: Type.Object({ city: Type.Unsafe({ type: 'string', ...more }) }) })
    expect(await callTool(tool, { id: '1', name: 'book', args: { city: 'Oslo' } })).toMatchObject({ ok: true })
    expect(await callTool(tool, { id: '1', name: 'book', args: { city: 5 } })).toMatchObject({ ok: false })
  })
})

describe('a property without a schema', () => {
  it.each([undefined, null, 'string', 5])('is refused: %o', (schema) => {
    const define = () => defineTool({ ...parts, args: Type.Object({ city: schema as never }) })
    const type = schema === null ? 'null' : typeof schema
    const words = `defineTool("book"): args contains a value of type ${type} instead of a schema at /properties/city`
    expect(define).toThrow(invalid(words))
  })

  it('may be `true`, and may have the name `properties`', () => {
    const properties = Type.Object({ properties: Type.String(), type: Type.String() })
    const args = { type: 'object', properties: { any: true, properties } }
    expect(() => defineTool({ ...parts, args })).not.toThrow()
  })
})

describe('an invalid definition', () => {
  it.each([undefined, null, 'book'])('is refused, and the message says what to write: %o', (definition) => {
    expect(() => defineTool(definition as never)).toThrow(invalid('Write defineTool({ name, description, args, execute })'))
    expect(() => defineAction(definition as never)).toThrow(
      invalid('Write defineAction({ name, description, args, output, execute })'),
    )
  })
})

describe('dispatch', () => {
  it.each([[[defineTool(parts)]], [undefined], [{ book: defineTool(parts) }]])(
    'refuses tools that are not a Map: %#',
    (tools) => {
      expect(() => dispatch(tools as never, { id: '1', name: 'book', args: {} })).toThrow(invalid('Write new Map(tools.map('))
    },
  )
})
