import * as valibotJson from '@valibot/to-json-schema'
import * as arktype from 'arktype'
import * as valibot from 'valibot'
import { describe, expect, it } from 'vitest'
import * as zod from 'zod'
import { defineTool, type Loose } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import { ToolError } from '../errors.ts'
import type { Issue } from './issue.ts'

// The types are tested elsewhere, and checking those of three libraries takes long.
const { toStandardJsonSchema }: Loose = valibotJson
const { type }: Loose = arktype
const v: Loose = valibot
const z: Loose = zod

const SECRET = 'hunter2-Tr0ub4dor'

interface Refused {
  readonly message: string
  readonly issues: readonly Issue[]
}

async function refusalOf(args: Loose, given: object): Promise<Refused> {
  const tool = defineTool({ name: 'login', description: 'Logs in.', args, execute: () => 1 })
  const result = await callTool(tool, { id: '1', name: 'login', args: given as Record<string, unknown> })
  if (result.ok) throw new Error('accepted')
  return { message: result.error.message, issues: result.error.issues ?? [] }
}

const UNDECLARED = 'must NOT have additional properties: "code"'
const reject = (text: unknown) => `the password ${text} is too simple`

/** The same rules, written with each library. */
const LIBRARIES: readonly [library: string, schemas: Readonly<Record<string, Loose>>][] = [
  [
    'zod',
    {
      email: z.object({ user: z.object({ password: z.email() }) }),
      regex: z.object({ user: z.object({ password: z.string().regex(/^\d+$/) }) }),
      short: z.object({ user: z.object({ password: z.string().max(5) }) }),
      union: z.object({ user: z.object({ password: z.union([z.number(), z.literal('none')]) }) }),
      choice: z.object({ user: z.object({ password: z.enum(['one', 'two']) }) }),
      custom: z.object({
        user: z.object({ password: z.string().refine(() => false, { error: (i: Loose) => reject(i.input) }) }),
      }),
      object: z.object({ user: z.object({ password: z.object({ hash: z.string() }) }) }),
      list: z.object({ user: z.object({ password: z.array(z.string()) }) }),
    },
  ],
  [
    'valibot',
    Object.fromEntries(
      Object.entries({
        email: v.pipe(v.string(), v.email()),
        regex: v.pipe(v.string(), v.regex(/^\d+$/)),
        short: v.pipe(v.string(), v.maxLength(5)),
        union: v.union([v.number(), v.literal('none')]),
        choice: v.picklist(['one', 'two']),
        custom: v.pipe(
          v.string(),
          v.email((issue: Loose) => reject(issue.input)),
        ),
        object: v.object({ hash: v.string() }),
        list: v.array(v.string()),
      }).map(([name, password]) => [name, toStandardJsonSchema(v.object({ user: v.object({ password }) }))]),
    ),
  ],
  [
    'arktype',
    Object.fromEntries(
      Object.entries({
        email: 'string.email',
        regex: type(/^\d+$/),
        short: 'string <= 5',
        union: "number | 'none'",
        choice: "'one' | 'two'",
        object: { hash: 'string' },
        list: 'string[]',
      }).map(([name, password]) => [name, type({ user: { password } })]),
    ),
  ],
]

describe.each(LIBRARIES)('a refusal of %s', (_, schemas) => {
  it.each(Object.keys(schemas))('T2-17: shows the place and the reason, and never repeats the value: %s', async (name) => {
    const { message, issues } = await refusalOf(schemas[name], { user: { password: SECRET } })
    expect(`${message} ${JSON.stringify(issues)}`.toLowerCase()).not.toContain(SECRET.slice(0, 8).toLowerCase())
    expect(issues.map(({ path }) => path)).toContain('/user/password')
    for (const issue of issues) expect(issue.message.length).toBeGreaterThan(10)
    expect(message).toContain('/user/password ')
  })

  it('T2-17: never repeats a number', async () => {
    const { message, issues } = await refusalOf(schemas.list, { user: { password: 90210 } })
    expect(`${message} ${JSON.stringify(issues)}`).not.toContain('90210')
  })
})

it.each<[string, Loose, string]>([
  ['zod', z.object({ code: z.string().regex(/^\d+$/) }), 'Invalid string: must match pattern /^\\d+$/'],
  ['zod', z.object({ code: z.string().max(5, 'Use at most 5 digits.') }), 'Use at most 5 digits.'],
  ['valibot', toStandardJsonSchema(v.object({ code: v.pipe(v.string(), v.email()) })), 'must match format "email"'],
  ['arktype', type({ code: 'string <= 5' }), 'code must be at most length 5 (was 17)'],
  ['arktype', type({ code: "'one' | 'two'" }), 'must be equal to one of the allowed values: "one", "two"'],
])('keeps a message of %s, or uses what the JSON Schema expects', async (_, args, message) => {
  expect((await refusalOf(args, { code: SECRET })).issues).toMatchObject([{ path: '/code', message }])
})

it.each<[string, Loose, object, string, string]>([
  ['a missing property of zod', z.object({ code: z.string() }), {}, '', "must have required property 'code'"],
  ['a missing property of arktype', type({ code: 'string' }), {}, '', "must have required property 'code'"],
  [
    'a missing property of valibot',
    toStandardJsonSchema(v.object({ code: v.string() })),
    {},
    '',
    "must have required property 'code'",
  ],
  ['a wrong type of zod', z.object({ code: z.string() }), { code: 5 }, '/code', 'must be string'],
  ['an undeclared property of zod', z.object({ of: z.strictObject({}) }), { of: { code: 5 } }, '/of', UNDECLARED],
  ['an undeclared property of arktype', type({ of: { '+': 'reject' } }), { of: { code: 5 } }, '/of', UNDECLARED],
  [
    'an undeclared property of valibot',
    toStandardJsonSchema(v.object({ of: v.strictObject({}) })),
    { of: { code: 5 } },
    '/of',
    UNDECLARED,
  ],
  [
    'a limit with a description of arktype',
    type({ code: type('string > 2').describe('an IATA code') }),
    { code: '' },
    '/code',
    'must NOT have fewer than 3 characters',
  ],
])("uses the JSON Schema's message for %s", async (_, args, given, path, message) => {
  const { issues } = await refusalOf(args, given)
  expect(issues).toMatchObject([{ path, message }])
  expect(issues[0]?.keyword).not.toBe('standard-schema')
})

it('names the ignored arguments, as for every tool', async () => {
  const { message } = await refusalOf(z.object({ code: z.string(), day: z.string().optional() }), { code: 5, zone: 1 })
  expect(message).toBe('Invalid arguments for "login": /code must be string. Undeclared arguments were ignored: /zone.')
})

it("uses the library's expectation if the JSON Schema accepts the value", async () => {
  const even = type({ code: type('number').narrow((n: number, context: Loose) => n % 2 === 0 || context.mustBe('even')) })
  const schema = {
    ...even['~standard'],
    jsonSchema: { input: () => ({ type: 'object', properties: { code: { type: 'number' } } }) },
  }
  const { issues } = await refusalOf({ '~standard': schema }, { code: 90211 })
  expect(issues).toMatchObject([{ path: '/code', message: 'must be even' }])
})

const fake = (message: (value: Loose) => string) => ({
  '~standard': {
    version: 1,
    vendor: 'other',
    validate: (value: Loose) => ({ issues: [{ message: message(value), path: ['of'] }] }),
    jsonSchema: { input: () => ({ type: 'object' }) },
  },
})

it.each<[string, unknown, (value: Loose) => string, string]>([
  ['of another argument', 'x', ({ other }) => `differs from ${other}!`, 'differs from …!'],
  ['in other case', SECRET, ({ of }) => `"${of.toUpperCase()}" is wrong`, '"…" is wrong'],
  ['without blanks', `  ${SECRET} `, ({ of }) => `${of.trim()} is wrong`, '… is wrong'],
  ['as JSON', '"quoted"\nvalue', ({ of }) => `not ${JSON.stringify(of)}`, 'not "…"'],
  ['in part', SECRET, ({ of }) => `starts with ${of.slice(0, 10)}…, so no`, 'starts with …'],
  ['of a long text', 'long secret '.repeat(50), ({ of }) => `not ${of}.`, 'not …'],
  ['a short one', 'ab', ({ of }) => `about "${of}"`, 'about "…"'],
  ['a number', 42, ({ of }) => `${of} of 420`, '… of 420'],
  ['in an object', { a: { b: SECRET } }, ({ of }) => `was ${JSON.stringify(of)}`, 'was {"a":{"b":"…"}}'],
])('removes a value from a message: %s', async (_, of, message, expected) => {
  const { issues } = await refusalOf(fake(message), { of, other: SECRET })
  expect(issues.map((issue) => issue.message)).toEqual([expected])
})

it('replaces a message if the arguments contain too many values', async () => {
  const list = Array.from({ length: 2_000 }, (_, index) => `item ${index}`)
  const { issues } = await refusalOf(
    fake(() => 'is wrong'),
    { of: list },
  )
  expect(issues.map(({ message }) => message)).toEqual(['must match the schema'])
})

const parseJson = (text: string) => JSON.parse(text)

it.each<[string, Loose]>([
  ['zod', z.object({ code: z.string().transform(parseJson) })],
  ['an asynchronous zod', z.object({ code: z.string().transform(async (text: string) => parseJson(text)) })],
  ['valibot', toStandardJsonSchema(v.object({ code: v.pipe(v.string(), v.transform(parseJson)) }))],
  ['arktype', type({ code: type('string').pipe(parseJson) })],
])('removes the value from an error that a validator throws: %s', async (_, args) => {
  const tool = defineTool({ name: 'login', description: 'Logs in.', args, execute: () => 1 })
  const result = await callTool(tool, { id: '1', name: 'login', args: { code: SECRET } })
  expect(result).toMatchObject({ ok: false, error: { code: 'execution_failed' } })
  expect(result.ok || result.error.message).toMatch(/^"login" failed: Unexpected token/)
  expect(result.ok || result.error.message).not.toContain(SECRET.slice(0, 8))
})

it('keeps the message of a ToolError that a validator throws', async () => {
  const refuse = (code: string) => {
    throw new ToolError('execution_failed', `No account has the code ${code}.`)
  }
  const args = z.object({ code: z.string().transform(refuse) })
  const { message } = await refusalOf(args, { code: SECRET })
  expect(message).toContain(SECRET)
})

it('runs an asynchronous refinement once', async () => {
  let runs = 0
  const exists = async () => {
    runs++
    return false
  }
  await refusalOf(z.object({ code: z.string().refine(exists) }), { code: SECRET })
  expect(runs).toBe(1)
})
