/** Tests what a model reads about the tools, and how a program finds the rest. */
import { createRegistry, lazy } from '@x/registry'
import { defineTool, type Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { numberTool, resultOf } from '../../test/agent.ts'
import { codeTool } from '../index.ts'
import { declare, MAX_DECLARATIONS } from './declarations.ts'
import { typeText } from './type-text.ts'

describe('a declaration', () => {
  it('has arguments, output and description in one line', () => {
    const card = {
      name: 'get_weather',
      description: 'Weather of a city.\nIn degrees.',
      args: Type.Object({
        city: Type.String(),
        unit: Type.Optional(Type.Union([Type.Literal('c'), Type.Literal('f')])),
        days: Type.Array(Type.Object({ offset: Type.Integer() })),
        limit: Type.Integer({ default: 3 }),
      }),
      output: Type.Object({ degrees: Type.Union([Type.Number(), Type.Null()]) }),
    }
    expect(declare(card)).toBe(
      'tools.get_weather(args: { city: string; unit?: "c" | "f"; days: { offset: number }[]; limit?: number }): Promise<{ degrees: number | null }> // Weather of a city. In degrees.',
    )
    expect(declare({ name: 'a.b-c', arguments: ['x', { name: 'y', values: ['1', '2'] }] })).toBe(
      'tools["a.b-c"](args: { x?: unknown; y?: "1" | "2" }): Promise<any>',
    )
  })

  it.each([
    ['a record', Type.Record(Type.String(), Type.Number()), 'Record<string, number>'],
    ['any properties', { type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
    ['unnamed properties', { type: 'object' }, 'Record<string, unknown>'],
    ['no properties', { type: 'object', additionalProperties: false }, '{}'],
    [
      'properties of which one is required',
      {
        type: 'object',
        properties: { id: { type: 'string' }, name: { type: 'string' } },
        anyOf: [{ required: ['id'] }, { required: ['name'] }],
      },
      '{ id?: string; name?: string }',
    ],
    [
      'properties that differ in some members',
      {
        properties: { a: { type: 'null' } },
        oneOf: [{ properties: { b: { type: 'null' } } }, { properties: { c: { type: 'null' } } }],
      },
      '{ a?: null } & ({ b?: null } | { c?: null })',
    ],
    [
      'an intersection',
      { type: 'array', items: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]) },
      '({ a: string } & { b: string })[]',
    ],
    [
      'one of 51 values',
      { enum: Array.from({ length: 51 }, (_, value) => value) },
      `${Array.from(Array(50).keys()).join(' | ')} | unknown`,
    ],
    ['one of 21 types', { anyOf: Array(21).fill({ type: 'null' }) }, 'null | unknown'],
    [
      'a tuple with a rest',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: ['number', 'null'] } },
      '[string, ...(number | null)[]]',
    ],
    ['a long tuple', { type: 'array', items: Array(21).fill({ type: 'null' }) }, `[${'null, '.repeat(20)}...unknown[]]`],
    [
      'required in spite of a default of another type',
      { type: 'object', properties: { a: { type: 'string', default: null } }, required: ['a'] },
      '{ a: string }',
    ],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string, number]'],
  ])('says that arguments are %s', (_, args, text) => {
    expect(typeText(args)).toBe(text)
  })

  it('is bounded for recursive, deep and wide schemas', () => {
    const node: Record<string, unknown> = { type: 'object', properties: {} }
    node.properties = { next: { $ref: '#' }, list: { type: 'array', items: { $ref: '#' } } }
    expect(typeText(node).length).toBeLessThan(3_000)
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`property${index}`, { type: 'string' }]))
    expect(typeText({ type: 'object', properties: wide }).length).toBeLessThan(1_500)
  })
})

describe('1,000 tools', () => {
  const open = () => {
    const loaded: string[] = []
    const entries = Array.from({ length: 1_000 }, (_, index) => {
      const name = `tool_${index}`
      const description = index === 777 ? 'Books a table in a restaurant.' : `Does the thing number ${index} for the customer.`
      const load = async () => {
        loaded.push(name)
        return { default: numberTool(name, {}) }
      }
      return lazy(name, load as never, { description, arguments: ['value'] })
    })
    return { loaded, registry: createRegistry(entries) }
  }

  it('are declared within the stated length, without an import', () => {
    const { loaded, registry } = open()
    const { description } = codeTool(registry)
    expect(description.length).toBeLessThan(MAX_DECLARATIONS + 2_000)
    expect(description).toContain('tools.tool_0(')
    expect(description).toContain('tools.search')
    expect(loaded).toEqual([])
  })

  it('are found by a search inside the program, and imported when they are called', async () => {
    const { loaded, registry } = open()
    const code = `
      const [line] = await tools.search({ query: 'book a restaurant' })
      const name = /tools\\.(\\w+)/.exec(line)[1]
      return [name, (await tools[name]({ value: 3 })).value, await tools.describe({ name })]`
    expect(await resultOf(code, registry)).toEqual([
      'tool_777',
      3,
      'tools.tool_777(args: { value: number }): Promise<any> // The tool tool_777.',
    ])
    expect(loaded).toEqual(['tool_777'])
  })

  it('of which a program may call only the allowed ones are also searched only among these', async () => {
    const { registry } = open()
    const code = `return [await tools.search({ query: 'book a restaurant' }), await tools.describe({ name: 'tool_777' })]`
    const [found, described] = (await resultOf(code, registry, { allow: ['tool_1', 'tool_2*'] })) as [string[], string]
    expect(found.every((line) => /^tools\.tool_(?:1|2\d*)\(/.test(line))).toBe(true)
    expect(described).toBe('There is no tool "tool_777".')
  })

  it.each(['search', 'describe'])('may not include a tool named "%s", which would hide the built-in function', (name) => {
    const { registry } = open()
    registry.registerTool(numberTool(name))
    expect(() => codeTool(registry)).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringContaining(`the tool "${name}" hides the built-in function \`tools.${name}\``),
      }),
    )
    expect(() => codeTool(registry, { allow: ['tool_*'] })).not.toThrow()
  })

  it('that all are declared may include a tool named "search", which programs call', async () => {
    const code = `return [await tools.search({ value: 1 }), await tools.describe({ name: 'search' })]`
    expect(await resultOf(code, [numberTool('search')])).toEqual([
      { value: 1 },
      'tools.search(args: { value: number }): Promise<any> // The tool search.',
    ])
  })
})

describe('options', () => {
  it('that are invalid throw', () => {
    const tool = defineTool({ name: 'a', description: 'A.', args: Type.Object({}), execute: () => 1 }) as unknown as Tool
    for (const [options, message] of [
      [{ limits: { calls: 2_000 } }, 'limits.calls must be an integer from 0 to 1000, got 2000'],
      [{ limits: { cpu: 1 } }, 'codeTool: there is no option "limits.cpu". Options: limits.timeMs, limits.memoryBytes'],
      [{ limits: { call: 1 } }, 'there is no option "limits.call". Did you mean "limits.calls"?'],
      [{ alow: ['a'] }, 'codeTool: there is no option "alow". Did you mean "allow"? Options: name, allow, limits, declarationLength,'],
      [{ flwo: {} }, 'there is no option "flwo". Did you mean "flow"?'],
      [
        { flow: { untrusted: [], sinks: [], untrustd: ['a'] } },
        'codeTool: there is no option "flow.untrustd". Did you mean "flow.untrusted"? Options: flow.untrusted, flow.sinks.',
      ],
      [{ allow: ['b'] }, 'allow lists "b"'],
      [{ declarationLength: -1 }, 'declarationLength must be'],
    ] as const)
      expect(() => codeTool([tool], options as never)).toThrow(message)
    expect(() => codeTool(7 as never)).toThrow('pass a registry')
  })
})
