import { defineAction, defineTool, deriveTool, type Tool, type ToolOptions } from '@x/tool-core'
import fc from 'fast-check'
import { type TObject, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { findDrift, fingerprintOf, fingerprintTools } from './fingerprint.ts'

const schema = { type: 'object', required: ['city'], properties: { city: { type: 'string', description: 'A city.' } } }

function weather(changes: Partial<ToolOptions<string, TObject, unknown, TObject>> = {}): Tool {
  const base = { name: 'get_weather', description: 'Weather.', args: schema as never, execute: () => 1 }
  return defineTool({ ...base, ...changes } as never)
}

const withArgs = (args: object) => weather({ args: args as never })

describe('fingerprintOf', () => {
  it('returns the fingerprints that were stored', async () => {
    expect(await fingerprintOf(weather())).toBe('sha256:314ee6b6cd7ba02db2a2eacf4492b6c220c34b89564ee34e6214423cfa44c477')
  })

  it.each<[string, Tool]>([
    ['the name', weather({ name: 'get_forecast' })],
    ['the description', weather({ description: 'Weather. ' })],
    ['one hidden character', weather({ description: 'Weather.\u200B' })],
    ['the category', weather({ category: 'web' })],
    ['a tag', weather({ tags: ['web'] })],
    ['an argument', withArgs({ ...schema, properties: { ...schema.properties, key: { type: 'string' } } })],
    [
      'the description of an argument',
      withArgs({ ...schema, properties: { city: { type: 'string', description: 'Or a key.' } } }),
    ],
    ['the required arguments', withArgs({ ...schema, required: [] })],
    ['a pattern', withArgs({ ...schema, properties: { city: { ...schema.properties.city, pattern: '^a' } } })],
    ['an expression', withArgs({ ...schema, properties: { city: { ...schema.properties.city, 'x-pattern': /^a/ } } })],
    ['a default', withArgs({ ...schema, properties: { city: { ...schema.properties.city, default: 'Bern' } } })],
    [
      'a default that is a day',
      withArgs({ ...schema, properties: { city: { ...schema.properties.city, default: new Date(0) } } }),
    ],
    [
      'the list of arguments',
      weather({ arguments: [{ name: 'city', type: 'string', description: 'Or a key.', required: true }] }),
    ],
    ['an example', weather({ examples: [{ args: { city: 'Bern' } }] })],
    ['the effect', weather({ effect: 'destructive' })],
    ['the approval requirement', weather({ needsApproval: true })],
    ['strictness', weather({ strict: true })],
    ['the context schema', weather({ context: Type.Object({ token: Type.String() }) })],
    [
      'the kind',
      defineAction({
        ...weather(),
        arguments: undefined,
        args: Type.Object({}),
        output: Type.Object({}),
        execute: () => ({}),
      } as never),
    ],
  ])('changes if this changes: %s', async (_, changed) => {
    expect(await fingerprintOf(changed)).not.toBe(await fingerprintOf(weather()))
  })

  it('changes with the output schema', async () => {
    const base = { name: 'get', description: 'Gets.', args: Type.Object({}), execute: () => ({}) as never }
    const before = defineAction({ ...base, output: Type.Object({ a: Type.Number() }) })
    const after = defineAction({ ...base, output: Type.Object({ a: Type.String() }) })
    expect(await fingerprintOf(after)).not.toBe(await fingerprintOf(before))
  })

  it.each<[string, Tool]>([
    [
      'the order of keys',
      withArgs({ properties: { city: { description: 'A city.', type: 'string' } }, required: ['city'], type: 'object' }),
    ],
    ['an undefined property', withArgs({ ...schema, title: undefined })],
    ['hidden properties of TypeBox', withArgs(Type.Object({ city: Type.String({ description: 'A city.' }) }))],
    ['flags that are false', weather({ needsApproval: false, strict: false })],
    ['functions', weather({ execute: () => 2, toModelOutput: String })],
    ['limits of a run', weather({ timeoutMs: 5, maxRetries: 2, module: 'tools/weather' })],
    ['a copy', deriveTool(weather(), {})],
  ])('does not change if this changes: %s', async (_, same) => {
    expect(await fingerprintOf(same)).toBe(await fingerprintOf(weather()))
  })

  it('changes with the order of an array', async () => {
    const [one, other] = [
      ['a', 'b'],
      ['b', 'a'],
    ].map((tags) => weather({ tags }))
    expect(await fingerprintOf(one as Tool)).not.toBe(await fingerprintOf(other as Tool))
  })

  it.each([
    [['a,b'], ['a', 'b']],
    [[1], ['1']],
    [[1], [1n]],
    [[null], ['null']],
    [[[]], [{}]],
    [['\uD800'], ['\uFFFD']],
    [[/a/], ['/a/']],
    [JSON.parse('[{"__proto__":1}]'), [{}]],
  ])('differs for %o and %o', async (one, other) => {
    const [first, second] = [one, other].map((list) => withArgs({ ...schema, enum: list }))
    expect(await fingerprintOf(first as Tool)).not.toBe(await fingerprintOf(second as Tool))
  })

  it('accepts a circular schema, and depends on the position of the cycle', async () => {
    const holding = (where: string) => {
      const node: Record<string, unknown> = { type: 'object', properties: {} }
      const inner: Record<string, unknown> = { type: 'array' }
      inner.items = where === 'node' ? node : inner
      node.properties = { next: inner }
      return deriveHolding(node)
    }
    const texts = [
      await fingerprintOf(holding('node')),
      await fingerprintOf(holding('inner')),
      await fingerprintOf(holding('node')),
    ]
    expect(texts[0]).toBe(texts[2])
    expect(texts[0]).not.toBe(texts[1])
  })

  it.each([
    ['are nested deeper than 512 levels', () => Array.from({ length: 600 }).reduce<object>((items) => ({ items }), {})],
    ['have more than 1000000 values', () => Array.from({ length: 64 }).reduce<object>((part) => ({ a: part, b: part }), {})],
    ['have more than 1000000 values', () => new Array(2 ** 31)],
  ])('refuses a tool whose schemas %s', async (words, make) => {
    await expect(fingerprintOf(deriveHolding({ type: 'object', examples: make() }))).rejects.toMatchObject({
      code: 'invalid_entry',
      message: expect.stringMatching(new RegExp(`^fingerprintOf\\("get_weather"\\): .*${words}`)),
    })
  })

  it('is the same only for equal schemas', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (a, b) => {
        const [one, other, again] = [a, b, JSON.parse(JSON.stringify(a))].map((value) => withArgs({ ...schema, default: value }))
        expect(await fingerprintOf(one as Tool)).toBe(await fingerprintOf(again as Tool))
        const equal = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
        expect((await fingerprintOf(one as Tool)) === (await fingerprintOf(other as Tool))).toBe(equal)
      }),
    )
  })
})

describe('findDrift', () => {
  const named = (name: string, description = 'Probe.') => weather({ name, description })

  it('reports what was added, removed and changed, by name', async () => {
    const approved = await fingerprintTools([named('same'), named('zebra'), named('mail')])
    const drift = await findDrift(approved, [named('mail', 'Mail in secret.'), named('same'), named('added')])
    expect(drift).toEqual([
      { name: 'added', change: 'added' },
      { name: 'mail', change: 'changed' },
      { name: 'zebra', change: 'removed' },
    ])
  })

  it('reports nothing for unchanged tools in any order, after a JSON round trip', async () => {
    const approved = JSON.parse(JSON.stringify(await fingerprintTools([named('a'), named('b')])))
    expect(await findDrift(approved, [named('b'), named('a')])).toEqual([])
  })

  it.each(['__proto__', 'constructor', 'toString'])('reports a tool named %s', async (name) => {
    const approved = JSON.parse(JSON.stringify(await fingerprintTools([named(name)])))
    expect(Object.keys(approved)).toEqual([name])
    expect(await findDrift(approved, [named(name)])).toEqual([])
    expect(await findDrift(approved, [named(name, 'Other.')])).toEqual([{ name, change: 'changed' }])
    expect(await findDrift({}, [named(name)])).toEqual([{ name, change: 'added' }])
  })

  it('refuses two tools with the same name, but accepts the same tool twice', async () => {
    await expect(fingerprintTools([named('a'), named('a', 'Other.')])).rejects.toMatchObject({ code: 'duplicate_tool_name' })
    const tool = named('a')
    expect(Object.keys(await fingerprintTools([tool, tool]))).toEqual(['a'])
  })

  it('refuses anything but tools, and invalid stored fingerprints', async () => {
    const map = new Map([['a', named('a')]])
    await expect(fingerprintTools(map as never)).rejects.toThrow('pass map.values()')
    for (const [tools, got] of [
      [named('a'), 'a value of type object'],
      [undefined, 'undefined'],
      [Promise.resolve([]), 'a promise. Await it first'],
    ])
      await expect(fingerprintTools(tools as never)).rejects.toThrow(
        `fingerprintTools: the tools must be iterable, got ${got}. Pass [tool]`,
      )
    for (const approved of [null, undefined, 'text', []]) {
      await expect(findDrift(approved as never, [])).rejects.toMatchObject({ code: 'invalid_entry' })
    }
  })
})

/** Creates a tool with these args without `defineTool`, which may refuse such a schema. */
function deriveHolding(args: object): Tool {
  return Object.create(weather(), { args: { value: args }, arguments: { value: [] } }) as Tool
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, member]) => [`key ${key}`, sorted(member)]).concat([['object', entries.length]])
}
