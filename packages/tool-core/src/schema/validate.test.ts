import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import type { Loose } from '../../test/tools.ts'
import { MAX_CHARACTERS, MAX_VALUES } from '../faults.ts'
import { renderIssues } from './issue.ts'
import { checkOf, validate } from './validate.ts'

describe('validate', () => {
  it('returns no issues for a valid value', async () => {
    expect(await validate(Type.Object({ a: Type.Number() }), { a: 1 })).toEqual([])
  })

  it('T2-13: names the missing argument', async () => {
    expect(await validate(Type.Object({ city: Type.String() }), {})).toEqual([
      {
        path: '',
        keyword: 'required',
        message: "must have required property 'city'",
        expected: 'property "city"',
        got: '{}',
      },
    ])
  })

  it('reports each wrong field by its path', async () => {
    const schema = Type.Object({ list: Type.Array(Type.Number()), name: Type.String() })
    const issues = await validate(schema, { list: [1, 'x'], name: 2 })
    expect(renderIssues(issues)).toBe('/list/1 must be number; /name must be string')
  })

  it.each<Loose>([
    [Type.Object({ u: Type.Enum(['c', 'f']) }), { u: 'k' }, '/u must be equal to one of the allowed values: "c", "f"'],
    [Type.Object({ u: Type.Literal('c') }), { u: 'k' }, '/u must be equal to constant: "c"'],
    [Type.Object({}, { additionalProperties: false }), { x: 1 }, 'must NOT have additional properties: "x"'],
  ])('adds facts that AJV omits: %#', async (schema, value, words) => {
    expect(renderIssues(await validate(schema, value))).toBe(words)
  })

  it('reports at most ten issues', async () => {
    const wrong = Array.from({ length: 50 }, () => 'x')
    expect(await validate(Type.Object({ list: Type.Array(Type.Number()) }), { list: wrong })).toHaveLength(10)
  })

  it('ignores inherited properties', async () => {
    expect(await validate({ type: 'object', required: ['toString'] }, {})).toHaveLength(1)
  })

  it('neither coerces nor fills in defaults, and changes no schema', async () => {
    const schema = Type.Object({ n: Type.Number({ default: 1 }) })
    const before = JSON.stringify(schema)
    const value = Object.freeze({ n: '1' })
    expect(await validate(schema, value)).toHaveLength(1)
    expect(await validate(schema, Object.freeze({}))).toHaveLength(1)
    expect(JSON.stringify(schema)).toBe(before)
  })

  it('distinguishes two schemas with the same $id', async () => {
    const text = Type.Object({ a: Type.String({ $id: 'inner' }) }, { $id: 'outer' })
    const number = Type.Object({ a: Type.Number({ $id: 'inner' }) }, { $id: 'outer' })
    expect(await validate(text, { a: 'x' })).toEqual([])
    expect(await validate(number, { a: 1 })).toEqual([])
    expect(await validate(number, { a: 'x' })).toHaveLength(1)
  })

  it('accepts a recursive schema', async () => {
    const tree = Type.Cyclic({ Tree: Type.Object({ v: Type.Number(), next: Type.Optional(Type.Ref('Tree')) }) }, 'Tree')
    const schema = Type.Object({ tree })
    expect(await validate(schema, { tree: { v: 1, next: { v: 2 } } })).toEqual([])
    expect(renderIssues(await validate(schema, { tree: { v: 1, next: { v: 'x' } } }))).toBe('/tree/next/v must be number')
  })

  it('accepts a schema that names another draft', async () => {
    const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }
    expect(await validate(schema, {})).toEqual([])
  })

  it.each<Loose>([
    [
      { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
      /Invalid schema: it refers to "#\/\$defs\/none" at \/properties\/a\/\$ref\..* Add it to \$defs/,
    ],
    [{ type: 'object', properties: { a: { minimum: 'x' } } }, /at \/properties\/a\/minimum: .*number/],
    [{ type: 'object', items: [{ type: 'strin' }] }, /at \/items\/0\/type: .*strin/],
    [{ type: 'object', properties: { a: { required: 'b' } } }, /at \/properties\/a\/required/],
    [{ type: 'object', properties: { a: { pattern: '(' } } }, /at schema\/properties\/a\/pattern/],
    [{ type: 'object', properties: { a: { pattern: '(a+)\\1+$' } } }, /may take too long to match/],
    [holdingItself(), /contains itself at \/properties\/self/],
  ])('rejects a wrong schema at every use, and names the place: %#', async (schema, message) => {
    for (const _use of [1, 2]) {
      await expect(validate(schema, {})).rejects.toMatchObject({
        code: 'invalid_definition',
        message: expect.stringMatching(message),
      })
    }
  })

  it('locates the error of a wrong schema only once', async () => {
    const schema = { type: 'object', properties: { a: { minimum: 'x' } } }
    const first = await validate(schema, {}).catch((error: unknown) => error)
    expect(await validate(schema, {}).catch((error: unknown) => error)).toBe(first)
  })

  it('compiles a schema once, and is synchronous after that', async () => {
    const schema = Type.Object({ a: Type.Number() })
    const first = checkOf(schema)
    expect(checkOf(schema)).toBe(first)
    const check = await first
    expect(checkOf(schema)).toBe(check)
  })

  it.each<Loose>([
    ['draft-07 by default', { items: [{ type: 'string' }], additionalItems: false }, ['a'], ['a', 1]],
    ['2020-12 by a keyword', { prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 1]],
    ['2019-09 by a keyword', { allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
    ['2019-09 by its name', { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }] }, ['a'], [1]],
    [
      '2020-12 by its name',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', dependentRequired: { a: ['b'] } },
      {},
      { a: 1 },
    ],
    [
      '2020-12 by its name, with an older tuple',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', items: [{ type: 'string' }] },
      ['a'],
      [1],
    ],
  ])('accepts %s', async (_what, schema, right, wrong) => {
    expect(await validate(schema, right)).toEqual([])
    expect(await validate(schema, wrong)).not.toEqual([])
  })

  it('never writes to the console', async () => {
    const spies = (['log', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method))
    await validate({ type: 'string', format: 'unheard-of', mystery: 1 }, 'x')
    await validate({ type: 'strin' }, 'x').catch(() => undefined)
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
  })
})

function holdingItself(): object {
  const schema: Record<string, unknown> = { type: 'object' }
  schema.properties = { self: schema }
  return schema
}

describe('bounds of a value', () => {
  const any = {}
  const recursive = { $defs: { node: { properties: { a: { $ref: '#/$defs/node' } } } }, $ref: '#/$defs/node' }

  it('refuses excessive depth before any recursion', async () => {
    const list = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    const object = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)
    for (const [schema, value] of [
      [any, list],
      [recursive, object],
      [{ const: [] }, list],
      [{ uniqueItems: true }, [list, list]],
    ] as const) {
      expect(await validate(schema, value)).toMatchObject([{ path: '', keyword: 'depth', expected: 'at most 512 levels' }])
    }
  })

  it('refuses circular values and excessive size', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect(await validate(any, circular)).toMatchObject([{ keyword: 'depth' }])
    expect(await validate(any, new Array(MAX_VALUES).fill(0))).toMatchObject([{ keyword: 'size' }])
    expect(await validate(any, 'x'.repeat(MAX_CHARACTERS + 1))).toMatchObject([{ keyword: 'size' }])
    expect(await validate(any, 'x'.repeat(MAX_CHARACTERS))).toEqual([])
  })

  it.each<Loose>([
    ['{"__proto__":{"isAdmin":true}}', '/__proto__'],
    ['{"a/b":[{"__proto__":1}]}', '/a~1b/0/__proto__'],
    ['{"constructor":{"prototype":{}}}', '/constructor'],
  ])('refuses %s', async (json, path) => {
    expect(await validate(any, JSON.parse(json))).toMatchObject([{ path, keyword: 'forbidden' }])
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it('counts an instance of a class as one value', async () => {
    class Connection {
      readonly self = this
    }
    expect(await validate(Type.Object({ db: Type.Any() }), { db: new Connection() })).toEqual([])
  })
})

describe('an issue', () => {
  async function first(schema: object, value: unknown) {
    return (await validate(schema, value))[0]
  }

  it('contains the expected and the actual value', async () => {
    const schema = Type.Object({
      n: Type.Integer({ maximum: 5 }),
      unit: Type.Enum(['c', 'f']),
      list: Type.Array(Type.Any(), { minItems: 1 }),
    })
    expect(await validate(schema, { n: 9, unit: 'kelvin', list: [] })).toMatchObject([
      { path: '/n', keyword: 'maximum', expected: 'at most 5', got: '9' },
      { path: '/unit', keyword: 'enum', expected: '"c" | "f"', got: '"kelvin"' },
      { path: '/list', keyword: 'minItems', expected: 'at least 1 items', got: '[0 items]' },
    ])
  })

  it('is short, whatever the value is', async () => {
    const long = 'x'.repeat(1_000_000)
    const { got, message } = (await first(Type.Object({}, { additionalProperties: false }), { [long]: long })) ?? {}
    expect(`${got}${message}`.length).toBeLessThan(400)
    expect((await first(Type.Number(), long))?.got?.length).toBeLessThan(70)
    expect(renderIssues(await validate(Type.Record(Type.String(), Type.Number()), { [long]: 'x' })).length).toBeLessThan(300)
    const many = Type.Enum(Array.from({ length: 10_000 }, (_, index) => `value ${index}`))
    expect((await first(many, 'x'))?.message.length).toBeLessThan(1_000)
  })

  it('shows the keys of an object, never its values', async () => {
    const issue = await first(Type.Object({ a: Type.Number() }), { b: 'private', c: { d: 'private' } })
    expect(issue).toMatchObject({ got: '{"b", "c"}' })
  })

  it.each<Loose>([
    ['password', Type.Object({ password: Type.Number() })],
    ['apiKey', Type.Object({ apiKey: Type.Number() })],
    ['X-Auth-Token', Type.Object({ 'X-Auth-Token': Type.Number() })],
    ['plain', Type.Object({ plain: Type.Number({ writeOnly: true }) })],
    [
      'plain',
      {
        properties: { plain: { anyOf: [{ type: 'number' }, { $ref: '#/$defs/hidden' }] } },
        $defs: { hidden: { type: 'null', writeOnly: true } },
      },
    ],
  ])('T2-17: does not repeat the value of %s', async (name, schema) => {
    const issues = await validate(schema, { [name]: 'hunter2' })
    expect(issues[0]).toMatchObject({ path: `/${name}`, got: '[redacted]' })
    expect(JSON.stringify(issues)).not.toContain('hunter2')
  })

  it('T2-17: shows nothing inside a secret', async () => {
    const schema = {
      properties: {
        credentials: { type: 'object', properties: { user: { type: 'number' } } },
        box: { writeOnly: true, items: { type: 'number' } },
      },
    }
    expect(JSON.stringify(await validate(schema, { credentials: { user: 'hunter2' }, box: ['hunter2'] }))).not.toContain(
      'hunter2',
    )
  })

  it.each(['max_tokens', 'tokens_per_minute', 'secretary', 'spinner', 'pinned', 'author', 'key'])(
    'shows the value of %s',
    async (name) => {
      expect(await first(Type.Object({ [name]: Type.Number() }), { [name]: 'x' })).toMatchObject({ got: '"x"' })
    },
  )

  it('suggests the declared property that was probably meant', async () => {
    const schema = Type.Object({ city: Type.String(), unit: Type.Optional(Type.String()) }, { additionalProperties: false })
    expect(renderIssues(await validate(schema, { citi: 'Rome' }))).toBe(
      `must have required property 'city', not "citi"; must NOT have additional properties: "citi" (did you mean "city"?)`,
    )
  })
})
