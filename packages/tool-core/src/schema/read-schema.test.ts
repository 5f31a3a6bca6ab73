import * as valibotJson from '@valibot/to-json-schema'
import * as arktype from 'arktype'
import { Type } from 'typebox'
import * as valibot from 'valibot'
import { describe, expect, it } from 'vitest'
import * as zod from 'zod'
import { onFakeClock } from '../../test/clock.ts'
import { defineAction, defineTool, type Loose, parallel } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import { checkContext } from '../define/context.ts'
import { deriveTool } from '../define/derive.ts'
import { toSpec } from '../define/spec.ts'
import type { Tool } from '../define/tool.ts'
import { jsonSchema } from './json-schema.ts'
import { readSchema } from './read-schema.ts'
import { withStandard } from './standard-args.ts'
import { validate } from './validate.ts'

// Types are tested in kinds.test-d.ts, because those of four libraries take half of the compiler's budget for the package.
const { toStandardJsonSchema }: Loose = valibotJson
const { type }: Loose = arktype
const v: Loose = valibot
const z: Loose = zod

const libraries: readonly [library: string, tool: Tool][] = [
  [
    'zod',
    defineTool({
      name: 'book',
      description: 'Books.',
      args: z.object({ city: z.string().min(2).describe('City name'), nights: z.number().int().optional() }),
      execute: (args: object) => args,
    }),
  ],
  [
    'valibot',
    defineTool({
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
    defineTool({
      name: 'book',
      description: 'Books.',
      args: type({ city: type('string >= 2').describe('City name'), 'nights?': 'number.integer' }),
      execute: (args: object) => args,
    }),
  ],
]

it('tags a default that a library fills in, and leaves out limits for safe integers', async () => {
  const args = z.object({ nights: z.int().default(1) })
  const tool = defineTool({ name: 'book', description: 'Books.', args, execute: (given: object) => given })
  expect(tool.args.properties).toEqual({ nights: { type: 'integer', default: 1 } })
  expect(await callTool(tool, call({}))).toMatchObject({ output: { nights: 1 }, tags: [{ tag: 'defaulted', path: '/nights' }] })
})

it.each<[string, Loose, string]>([
  ['properties of zod', { city: z.string() }, 'Wrap the properties in z.object({ … }) or Type.Object({ … }).'],
  ['properties of TypeBox', { city: Type.String() }, 'Wrap the properties in z.object({ … }) or Type.Object({ … }).'],
  [
    'a union',
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    "APIs don't accept a union at the root. Put the union into a property.",
  ],
  ['no type', { properties: {} }, `got {"properties":{}}. Add type: 'object'.`],
  ['a string of zod', z.string(), 'got {"type":"string"}. Write e.g. Type.Object({ … })'],
])('suggests what to write for %s as args', (_, args, words) => {
  expect(() => defineTool({ name: 'book', description: 'Books.', args, execute: () => 1 })).toThrow(words)
})

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
      error: { code: 'invalid_arguments', issues: [{ path: '/city', keyword: 'minLength' }] },
    })
  })

  it('refuses a forbidden key before the library sees the args', async () => {
    const args = JSON.parse('{"city":"Oslo","__proto__":{"isAdmin":true}}')
    expect(await callTool(book, call(args))).toMatchObject({ ok: false, error: { issues: [{ keyword: 'forbidden' }] } })
  })
})

describe('the validator of the library', () => {
  it('can transform the args', async () => {
    const tool = defineTool({
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
    const tool = defineTool({ name: 'book', description: 'Books.', args, execute: ({ text }: { text: string }) => text })
    expect(await callTool(tool, call({}))).toMatchObject({ output: 5 })
    expect(await callTool(tool, call({ text: 'abc' }))).toMatchObject({ output: 3 })
  })

  it('fills in its own defaults, which may differ from call to call', async () => {
    let calls = 0
    const args = z.object({ id: z.string().default(() => `id_${++calls}`), default: z.string().optional() })
    const tool = defineTool({ name: 'book', description: 'Books.', args, execute: ({ id }: { id: string }) => id })
    const before = calls
    const ids = [await callTool(tool, call({})), await callTool(tool, call({}))].map((result) => result.ok && result.output)
    expect(new Set(ids).size).toBe(2)
    expect(calls).toBe(before + 2)
    expect(tool.arguments.map(({ name }) => name)).toEqual(['id', 'default'])
  })

  it('keeps a schema with the name `default`, and the values of extensions', () => {
    const kept = { dependentSchemas: { default: { required: ['city'] } }, 'x-form': { default: 'Rome' } }
    const tool = defineTool({
      name: 'book',
      description: 'Books.',
      args: z.object({ city: z.string() }).meta(kept),
      execute: () => 1,
    })
    expect(toSpec(tool).function.parameters).toMatchObject(kept)
  })

  it('keeps values of a schema that have a member named `default`', () => {
    const examples = [{ default: 'Rome', city: 'Oslo' }]
    const place = z.object({ default: z.string().default('Rome'), city: z.string() }).meta({ examples })
    const tool = defineTool({ name: 'go', description: 'Goes.', args: z.object({ place }), execute: () => null })
    const { properties }: Loose = tool.args
    expect(properties.place.examples).toEqual(examples)
    expect(properties.place.properties.default).toEqual({ type: 'string', default: 'Rome' })
  })

  it('reports at most ten issues', async () => {
    const tool = defineTool({
      ...{ name: 'book', description: 'Books.', execute: () => 1 },
      args: z.object({ list: z.array(z.number()) }),
    })
    const result = await callTool(tool, call({ list: Array(20_000).fill('x') }))
    expect(result.ok || result.error.issues).toHaveLength(10)
  })

  it("is the Standard Schema of the tool's args", async () => {
    const even = z.object({ n: z.number().refine((n: number) => n % 2 === 0, 'must be even') })
    const tool = defineTool({ name: 'book', description: 'Books.', args: even, execute: () => 1 })
    expect(await tool.args['~standard'].validate({ n: 13 })).toMatchObject({ issues: [{ message: 'must be even' }] })
    expect(JSON.stringify(tool.args)).not.toContain('standard')
  })

  it('can be asynchronous', async () => {
    const args = z.object({ city: z.string().refine(async (city: string) => city !== 'Atlantis', 'no such city') })
    const tool = defineTool({ name: 'book', description: 'Books.', args, execute: () => 'booked' })
    expect(await callTool(tool, call({ city: 'Atlantis' }))).toMatchObject({
      error: { message: 'Invalid arguments for "book": /city no such city.' },
    })
    expect(await callTool(tool, call({ city: 'Oslo' }))).toMatchObject({ ok: true })
  })

  it('times out at the deadline', async () => {
    const args = z.object({ city: z.string().refine(() => new Promise<boolean>(() => {})) })
    const tool = defineTool({ name: 'book', description: 'Books.', args, timeoutMs: 10, execute: () => 'booked' })
    expect(await onFakeClock(() => callTool(tool, call({ city: 'Oslo' })))).toMatchObject({ error: { code: 'timeout' } })
  })

  it.each<[string, () => unknown, RegExp]>([
    [
      'has no JSON Schema output',
      () => v.object({ city: v.string() }),
      /defineTool\("book"\): args is a schema from valibot that can't be converted to JSON Schema. Write toStandardJsonSchema\(schema\)/,
    ],
    [
      'cannot say itself as JSON Schema',
      () => z.object({ at: z.date() }),
      /defineTool\("book"\): args can't be converted to JSON Schema/,
    ],
    [
      'describes no object',
      () => z.string(),
      /defineTool\("book"\): args must be an object schema, got {"type":"string"}\. Write/,
    ],
    ['is missing', () => undefined, /defineTool\("book"\): args must be an object schema, got undefined. Write e.g. Type.Object/],
  ])('is refused if the schema %s', (_what, args, words) => {
    const define = () => defineTool({ name: 'book', description: 'Books.', args: args() as never, execute: () => 1 })
    expect(define).toThrow(expect.objectContaining({ code: 'invalid_definition', message: expect.stringMatching(words) }))
  })
})

it('lists a default of another library in explicit arguments', async () => {
  const args = z.object({ city: z.string(), nights: z.int().default(1) })
  const list = [
    { name: 'city', type: 'string', description: '', required: true },
    { name: 'nights', type: 'integer', description: '', required: false, default: 1 },
  ]
  const options: Loose = { name: 'book', description: 'Books.', args, arguments: list, execute: (given: object) => given }
  const tool = defineTool(options)
  expect(tool.arguments).toEqual(list)
  expect(await callTool(tool, { id: '1', name: 'book', args: { city: 'Oslo' } })).toMatchObject({ output: { nights: 1 } })
  expect(() => defineTool({ ...options, arguments: list.map((argument) => ({ ...argument, required: true })) })).toThrow(
    '"nights" is optional in args',
  )
})

describe('the defaults of another library', () => {
  it.each<[string, () => unknown, unknown]>([
    ['zod', () => z.object({ nights: z.number().default(1) }), 1],
    ['arktype', () => type({ nights: 'number = 1' }), 1],
    ['arktype beside a transformation', () => type({ nights: 'number = 1', 'city?': 'string.trim' }).pick('nights', 'city'), 1],
    ['valibot', () => toStandardJsonSchema(v.object({ nights: v.optional(v.number(), 1) })), 1],
    ['arktype, but one that changes', () => type({ nights: ['number', '=', () => Math.random()] }), undefined],
    ['zod, but one that changes', () => z.object({ nights: z.number().default(() => Math.random()) }), undefined],
    ['zod, but one that is not valid input', () => z.object({ nights: z.string().transform(Number).default(1) }), undefined],
  ])('shows the model the defaults of %s', (_library, args, shown) => {
    const tool = defineTool({ name: 'book', description: 'Books.', args: args(), execute: () => 1 })
    const { parameters }: Loose = toSpec(tool).function
    expect(parameters.properties.nights.default).toBe(shown)
    expect(parameters.required ?? []).toEqual([])
    expect(tool.arguments).toContainEqual(expect.objectContaining({ name: 'nights', required: false }))
  })
})

describe('a schema of another library', () => {
  const user = z.object({ id: z.string().startsWith('u_', 'is no user id') })
  const parts = { name: 'book', description: 'Books.', args: z.object({}), execute: () => ({ id: 'x' }) }

  it('has the draft in its JSON form', () => {
    expect(readSchema(user).schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
    const { input } = user['~standard'].jsonSchema
    const older = (options: Loose) => {
      if (options.target === 'draft-2020-12') throw new Error('not supported')
      return input(options)
    }
    const schema = { '~standard': { ...user['~standard'], jsonSchema: { input: older } } }
    expect(readSchema(schema).schema).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' })
  })

  it('is converted once', () => {
    expect(readSchema(user).schema).toBe(readSchema(user).schema)
  })

  it('validates an output, but transforms nothing', async () => {
    const output = z.object({ id: z.string().startsWith('u_', 'is no user id').toUpperCase() })
    const action = (id: string) => defineAction({ ...parts, output, execute: () => ({ id }) })
    expect(await callTool(action('x'), call({}))).toMatchObject({
      error: {
        code: 'invalid_output',
        message: '"book" returned an output that does not match its schema: /id is no user id. The call itself was carried out.',
      },
    })
    expect(await callTool(action('u_1'), call({}))).toMatchObject({ output: { id: 'u_1' } })
  })

  it('LOOP-04: validates an output within the deadline', async () => {
    const output = z.object({}).refine(() => new Promise<boolean>(() => {}))
    const action = defineAction({ ...parts, output, timeoutMs: 10 })
    expect(await onFakeClock(() => callTool(action, call({})))).toMatchObject({ error: { code: 'timeout' } })
  })

  it('validates run-scoped values, even for a derived tool', async () => {
    for (const tool of [defineTool({ ...parts, context: user }), deriveTool(defineTool(parts), { context: user as never })]) {
      expect(await checkContext(tool.context as object, { id: 'x' })).toMatchObject([{ path: '/id', message: 'is no user id' }])
      expect(await callTool(tool, call({}), { values: { id: 'x' } })).toMatchObject({ error: { code: 'invalid_context' } })
      expect(await callTool(tool, call({}), { values: { id: 'u_1', other: 1 } })).toMatchObject({ ok: true })
    }
  })

  it('validates within limits', async () => {
    const { schema = {} } = readSchema(z.object({ id: z.unknown() }))
    let id: unknown = 1
    for (let depth = 0; depth < 600; depth++) id = [id]
    expect(await validate(schema, { id })).toMatchObject([{ keyword: 'depth' }])
  })

  it('can be used for a step of a composition', async () => {
    const output = z.object({ id: z.string() })
    const ann = defineAction({ ...parts, name: 'ann', args: user, output, execute: ({ id }: { id: string }) => ({ id }) })
    const both = parallel('both', { ann, bob: defineAction({ ...parts, name: 'bob', output }) })
    expect(await callTool(both, call({ id: 'u_1' }))).toMatchObject({ output: { ann: { id: 'u_1' }, bob: { id: 'x' } } })
    expect(await callTool(both, call({ id: 'x' }))).toMatchObject({ error: { code: 'invalid_arguments' } })
  })
})

describe('jsonSchema', () => {
  const weather = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const tool = (args: unknown) => defineTool({ name: 'book', description: 'Books.', args, execute: (given: object) => given })

  it('makes a JSON Schema usable as args, which AJV validates', async () => {
    const book = tool(jsonSchema(weather))
    expect(book.parse).toBeUndefined()
    expect(toSpec(book).function.parameters).toEqual(weather)
    expect(await callTool(book, call({ city: 5 }))).toMatchObject({ error: { issues: [{ keyword: 'type', path: '/city' }] } })
    expect(await callTool(book, call({ city: 'Oslo' }))).toMatchObject({ output: { city: 'Oslo' } })
  })

  it('returns a Standard Schema of any value, and leaves the schema unchanged', async () => {
    const count = jsonSchema({ type: 'integer' })
    expect(await count['~standard'].validate('5')).toEqual({ value: 5 })
    expect(await count['~standard'].validate(0.5)).toMatchObject({ issues: [{ message: 'must be integer' }] })
    expect(jsonSchema(weather)).toEqual(weather)
    expect('~standard' in weather).toBe(false)
  })

  it.each<[Loose, string]>([
    [undefined, "jsonSchema: pass a JSON Schema, such as { type: 'object'"],
    [[], "jsonSchema: pass a JSON Schema, such as { type: 'object'"],
    [z.object({}), 'jsonSchema: this is a schema from zod. Pass it without jsonSchema().'],
    [Promise.resolve({}), 'jsonSchema: this is a promise. Await it first.'],
    [new (class Weather {})(), "jsonSchema: pass a JSON Schema, such as { type: 'object'"],
  ])('refuses %o', (given, message) => {
    expect(() => jsonSchema(given)).toThrow(
      expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining(message) }),
    )
  })

  it('throws for args that describe no object', () => {
    expect(() => tool(jsonSchema({ type: 'string' }))).toThrow(
      'args must be an object schema, got {"type":"string"}. Write e.g. Type.Object({ … })',
    )
  })
})

describe('the args of a tool', () => {
  const schema = Type.Object({ city: Type.String(), nights: Type.Integer({ default: 1 }) })
  const tool = defineTool({ name: 'book', description: 'Books.', args: schema, execute: () => 1 })
  const standard = tool.args['~standard']

  it('are a Standard Schema that validates like a call', async () => {
    expect(standard).toMatchObject({ version: 1, vendor: '@x/tool-core' })
    expect(await standard.validate({ city: 'Oslo', nights: '2', zip: 1 })).toEqual({ value: { city: 'Oslo', nights: 2 } })
    expect(await standard.validate({ nights: 'x' })).toEqual({
      issues: [
        { message: "must have required property 'city'", path: [] },
        { message: 'must be integer', path: ['nights'] },
      ],
    })
    expect(await standard.validate('text')).toMatchObject({
      issues: [{ message: 'The arguments must be an object, not a string. Parse the string first.' }],
    })
  })

  it('are a Standard JSON Schema', () => {
    expect(standard.jsonSchema.input({ target: 'draft-07' })).toMatchObject({ type: 'object', required: ['city'] })
    expect(standard.jsonSchema.output({ target: 'draft-2020-12' })).toMatchObject({ required: ['city', 'nights'] })
    expect(() => standard.jsonSchema.input({ target: 'openapi-3.0' })).toThrow('Request "draft-07"')
  })

  it('hide `~standard` from code that reads or writes the schema', () => {
    expect(tool.args).toEqual(schema)
    expect(JSON.stringify(tool.args)).toBe(JSON.stringify(schema))
    expect('~standard' in schema).toBe(false)
    expect(withStandard(tool.args)).toBe(tool.args)
    expect(withStandard(schema)).toBe(tool.args)
  })
})
