import * as valibotJson from '@valibot/to-json-schema'
import * as arktype from 'arktype'
import { Type } from 'typebox'
import * as valibot from 'valibot'
import { describe, expect, it } from 'vitest'
import * as zod from 'zod'
import { onFakeClock } from '../test/clock.ts'
import { defineTool, type Loose } from '../test/tools.ts'
import { callTool } from './call/call.ts'
import { toSpec } from './define/spec.ts'
import type { Tool } from './define/tool.ts'
import { withStandard } from './schema/standard-args.ts'
import { defineTool as defineTypedTool } from './standard-schema.ts'

// Types are tested in standard-schema.test-d.ts; those of four libraries are half of what the compiler may spend on the package.
const { toStandardJsonSchema }: Loose = valibotJson
const { type }: Loose = arktype
const v: Loose = valibot
const z: Loose = zod
const defineStandardTool: (options: Loose) => Tool = defineTypedTool as Loose

const libraries: readonly [library: string, tool: Tool][] = [
  [
    'zod',
    defineStandardTool({
      name: 'book',
      description: 'Books.',
      args: z.object({ city: z.string().min(2).describe('City name'), nights: z.number().int().optional() }),
      execute: (args: object) => args,
    }),
  ],
  [
    'valibot',
    defineStandardTool({
      name: 'book',
      description: 'Books.',
      args: toStandardJsonSchema(
        v.object({
          city: v.pipe(v.string(), v.minLength(2), v.description('City name')),
          nights: v.optional(v.pipe(v.number(), v.integer())),
        }),
      ),
      execute: (args: object) => args,
    }),
  ],
  [
    'arktype',
    defineStandardTool({
      name: 'book',
      description: 'Books.',
      args: type({ city: type('string >= 2').describe('City name'), 'nights?': 'number.integer' }),
      execute: (args: object) => args,
    }),
  ],
]

const call = (args: object) => ({ id: 'call_1', name: 'book', args: args as Record<string, unknown> })

describe.each(libraries)('a tool whose args are a schema of %s', (_library, book) => {
  it('shows the model a JSON Schema', () => {
    const { parameters } = toSpec(book).function
    expect(parameters).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string', minLength: 2 }, nights: { type: 'integer' } },
      required: ['city'],
    })
    expect(book.arguments.map(({ name, type: shown, required }) => [name, shown, required])).toEqual([
      ['city', 'string', true],
      ['nights', 'integer', false],
    ])
  })

  it('receives valid args, coerced as for every tool', async () => {
    expect(await callTool(book, call({ city: 'Oslo', nights: '2' }))).toMatchObject({
      ok: true,
      output: { city: 'Oslo', nights: 2 },
      tags: [{ tag: 'coerced', path: '/nights' }],
    })
  })

  it("reports the issues of the library's validator", async () => {
    expect(await callTool(book, call({ city: 'O' }))).toMatchObject({
      ok: false,
      error: { code: 'invalid_arguments', issues: [{ path: '/city', keyword: 'standard-schema' }] },
    })
  })

  it('refuses a forbidden key before the library sees it', async () => {
    const args = JSON.parse('{"city":"Oslo","__proto__":{"isAdmin":true}}')
    expect(await callTool(book, call(args))).toMatchObject({ ok: false, error: { issues: [{ keyword: 'forbidden' }] } })
  })
})

describe('the validator of the library', () => {
  it('may transform the args', async () => {
    const tool = defineStandardTool({
      name: 'book',
      description: 'Books.',
      args: z.object({ city: z.string().trim().toUpperCase(), nights: z.number().default(1) }),
      execute: (args: object) => args,
    })
    expect(await callTool(tool, call({ city: ' oslo ' }))).toMatchObject({ output: { city: 'OSLO', nights: 1 } })
  })

  it('fills in its own defaults, even one that is not valid input', async () => {
    const length = z.string().transform((text: string) => text.length)
    const args = z.object({ text: length.default(5) })
    const tool = defineStandardTool({ name: 'book', description: 'Books.', args, execute: ({ text }: { text: string }) => text })
    expect(await callTool(tool, call({}))).toMatchObject({ output: 5 })
    expect(await callTool(tool, call({ text: 'abc' }))).toMatchObject({ output: 3 })
  })

  it('fills in its own defaults, which may differ from call to call', async () => {
    let calls = 0
    const args = z.object({ id: z.string().default(() => `id_${++calls}`), default: z.string().optional() })
    const tool = defineStandardTool({ name: 'book', description: 'Books.', args, execute: ({ id }: { id: string }) => id })
    const before = calls
    const ids = [await callTool(tool, call({})), await callTool(tool, call({}))].map((result) => result.ok && result.output)
    expect(new Set(ids).size).toBe(2)
    expect(calls).toBe(before + 2)
    expect(tool.arguments.map(({ name }) => name)).toEqual(['id', 'default'])
  })

  it('keeps a schema that is named default, and the values of extensions', () => {
    const kept = { dependentSchemas: { default: { required: ['city'] } }, 'x-form': { default: 'Rome' } }
    const tool = defineStandardTool({
      name: 'book',
      description: 'Books.',
      args: z.object({ city: z.string() }).meta(kept),
      execute: () => 1,
    })
    expect(toSpec(tool).function.parameters).toMatchObject(kept)
  })

  it('keeps values of a schema that have a member named default', () => {
    const examples = [{ default: 'Rome', city: 'Oslo' }]
    const place = z.object({ default: z.string().default('Rome'), city: z.string() }).meta({ examples })
    const tool = defineStandardTool({ name: 'go', description: 'Goes.', args: z.object({ place }), execute: () => null })
    const { properties }: Loose = tool.args
    expect(properties.place.examples).toEqual(examples)
    expect(properties.place.properties.default).toEqual({ type: 'string' })
  })

  it('reports at most ten issues', async () => {
    const tool = defineStandardTool({
      ...{ name: 'book', description: 'Books.', execute: () => 1 },
      args: z.object({ list: z.array(z.number()) }),
    })
    const result = await callTool(tool, call({ list: Array(20_000).fill('x') }))
    expect(result.ok || result.error.issues).toHaveLength(10)
  })

  it("is the Standard Schema of the tool's args", async () => {
    const even = z.object({ n: z.number().refine((n: number) => n % 2 === 0, 'must be even') })
    const tool = defineStandardTool({ name: 'book', description: 'Books.', args: even, execute: () => 1 })
    expect(await tool.args['~standard'].validate({ n: 13 })).toMatchObject({ issues: [{ message: 'must be even' }] })
    expect(JSON.stringify(tool.args)).not.toContain('standard')
  })

  it('may be asynchronous', async () => {
    const args = z.object({ city: z.string().refine(async (city: string) => city !== 'Atlantis', 'no such city') })
    const tool = defineStandardTool({ name: 'book', description: 'Books.', args, execute: () => 'booked' })
    expect(await callTool(tool, call({ city: 'Atlantis' }))).toMatchObject({
      error: { message: 'Invalid arguments for "book": /city no such city.' },
    })
    expect(await callTool(tool, call({ city: 'Oslo' }))).toMatchObject({ ok: true })
  })

  it('times out at the deadline', async () => {
    const args = z.object({ city: z.string().refine(() => new Promise<boolean>(() => {})) })
    const tool = defineStandardTool({ name: 'book', description: 'Books.', args, timeoutMs: 10, execute: () => 'booked' })
    expect(await onFakeClock(() => callTool(tool, call({ city: 'Oslo' })))).toMatchObject({ error: { code: 'timeout' } })
  })

  it.each<[string, () => unknown, RegExp]>([
    [
      'has no JSON Schema output',
      () => v.object({ city: v.string() }),
      /defineTool\("book"\): args must be a Standard Schema that supports JSON/,
    ],
    [
      'cannot say itself as JSON Schema',
      () => z.object({ at: z.date() }),
      /defineTool\("book"\): args can't be converted to JSON Schema/,
    ],
    ['describes no object', () => z.string(), /defineTool\("book"\): args must be an object schema, got {"type":"string"}/],
    ['is missing', () => undefined, /defineTool\("book"\): args must be a Standard Schema/],
  ])('a schema that %s is refused', (_what, args, words) => {
    const define = () => defineStandardTool({ name: 'book', description: 'Books.', args: args() as never, execute: () => 1 })
    expect(define).toThrow(expect.objectContaining({ code: 'invalid_definition', message: expect.stringMatching(words) }))
  })
})

it('a schema of another library is refused by the defineTool that would misread it', () => {
  const schemas: Loose = { zod: z.object({ city: z.string() }), valibot: v.object({}), arktype: type({ city: 'string' }) }
  for (const vendor in schemas) {
    const options: Loose = { name: 'book', description: 'Books.', args: schemas[vendor], execute: () => 1 }
    const message = `defineTool("book"): args is a schema of ${vendor}. Write it with TypeBox, e.g. Type.Object({ … }), or use defineTool from "@x/tool-core/standard-schema", which accepts schemas of other libraries.`
    expect(() => defineTool(options)).toThrow(message)
  }
})

it('explicit arguments may name the defaults that another library fills in', async () => {
  const args = z.object({ city: z.string(), nights: z.int().default(1) })
  const list = [
    { name: 'city', type: 'string', description: '', required: true },
    { name: 'nights', type: 'integer', description: '', required: false, default: 1 },
  ]
  const options: Loose = { name: 'book', description: 'Books.', args, arguments: list, execute: (given: object) => given }
  const tool = defineStandardTool(options)
  expect(tool.arguments).toEqual(list)
  expect(await callTool(tool, { id: '1', name: 'book', args: { city: 'Oslo' } })).toMatchObject({ output: { nights: 1 } })
  expect(() => defineStandardTool({ ...options, arguments: list.map((argument) => ({ ...argument, required: true })) })).toThrow(
    '"nights" is optional in args',
  )
})

describe('the args of a tool', () => {
  const schema = Type.Object({ city: Type.String(), nights: Type.Integer({ default: 1 }) })
  const tool = defineTool({ name: 'book', description: 'Books.', args: schema, execute: () => 1 })
  const standard = tool.args['~standard']

  it('are a Standard Schema, which validates like a call', async () => {
    expect(standard).toMatchObject({ version: 1, vendor: '@x/tool-core' })
    expect(await standard.validate({ city: 'Oslo', nights: '2', zip: 1 })).toEqual({ value: { city: 'Oslo', nights: 2 } })
    expect(await standard.validate({ nights: 'x' })).toEqual({
      issues: [
        { message: "must have required property 'city'", path: [] },
        { message: 'must be integer', path: ['nights'] },
      ],
    })
    expect(await standard.validate('text')).toMatchObject({
      issues: [{ message: 'The arguments must be an object, not a string: parse it first.' }],
    })
  })

  it('are a Standard JSON Schema', () => {
    expect(standard.jsonSchema.input({ target: 'draft-07' })).toMatchObject({ type: 'object', required: ['city'] })
    expect(standard.jsonSchema.output({ target: 'draft-2020-12' })).toMatchObject({ required: ['city', 'nights'] })
    expect(() => standard.jsonSchema.input({ target: 'openapi-3.0' })).toThrow('Request "draft-07"')
  })

  it('hide it from code that reads or writes the schema', () => {
    expect(tool.args).toEqual(schema)
    expect(JSON.stringify(tool.args)).toBe(JSON.stringify(schema))
    expect('~standard' in schema).toBe(false)
    expect(withStandard(tool.args)).toBe(tool.args)
    expect(withStandard(schema)).toBe(tool.args)
  })
})
