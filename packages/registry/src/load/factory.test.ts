import { defineTool, type TypedSchema } from '@x/tool-core'
import { Type } from 'typebox'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRegistry, thrownBy, toolNamed } from '../../test/tools.ts'
import { tool } from '../names/reference.ts'
import { defineToolFactory } from './factory.ts'
import { lazy } from './lazy.ts'
import { lazyToolset } from './lazy-toolset.ts'

const seen: object[] = []

const search = defineToolFactory({
  name: 'web_search',
  options: Type.Object({
    maxResults: Type.Optional(Type.Integer({ default: 5 })),
    domains: Type.Optional(Type.Array(Type.String())),
  }),
  create: (options) => {
    seen.push(options)
    return defineTool({
      name: 'web_search',
      description: 'Searches.',
      args: Type.Object({}),
      execute: () => options.maxResults,
    })
  },
})

afterEach(() => void seen.splice(0))

async function onlyToolOf(registry: ReturnType<typeof createRegistry>) {
  return [...(await registry.resolve()).values()][0]
}

describe('a factory', () => {
  it('T1-7: creates its tool from options and from the defaults in the schema', async () => {
    const registry = createRegistry([search])
    expect(registry.get('web_search')).toMatchObject({ kind: 'factory' })
    expect(await (await registry.resolve()).get('web_search')?.execute({})).toBe(5)
    expect(await (await createRegistry([tool(search, {})]).resolve()).get('web_search')?.execute({})).toBe(5)
    const configured = createRegistry([tool(search, { maxResults: 20 })])
    expect(await (await configured.resolve()).get('web_search')?.execute({})).toBe(20)
  })

  it('accepts options with a schema of any library, which validates and transforms them', async () => {
    const json = { type: 'object', properties: { most: { type: 'string', default: '5' } } }
    const validate = ({ most = '5' }: { most?: string }) =>
      most === 'x' ? { issues: [{ message: 'is no number', path: ['most'] }] } : { value: { most: Number(most) } }
    const options: TypedSchema<{ most?: string }, { most: number }> = {
      '~standard': { version: 1, vendor: 'zod', validate, jsonSchema: { input: () => json } },
    } as never
    const parts = { description: 'Searches.', args: Type.Object({}) }
    const find = defineToolFactory({
      name: 'find',
      options,
      create: ({ most }) => defineTool({ name: 'find', ...parts, execute: () => most.toFixed(1) }),
    })
    expect(await (await tool(find).load()).execute({})).toBe('5.0')
    expect(await (await tool(find, { most: '3' }).load()).execute({})).toBe('3.0')
    await expect(tool(find, { most: 'x' }).load()).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('/most is no number'),
    })
  })

  it('T1-7: passes each tool its own copy of the options', async () => {
    const domains = ['a.org']
    const references = [
      tool(search, { maxResults: 1, domains }, { as: 'one' }),
      tool(search, { maxResults: 2, domains }, { as: 'two' }),
    ]
    await createRegistry(references).resolve()
    const [one, two] = seen as { domains: string[] }[]
    expect([one?.domains, two?.domains]).toEqual([domains, domains])
    expect(one?.domains).not.toBe(two?.domains)
    expect(one?.domains).not.toBe(domains)
  })

  it('T1-8: calls a callback when the tool is resolved, once per agent', async () => {
    let maxResults = 1
    const options = vi.fn(() => ({ maxResults }))
    const registry = createRegistry([tool(search, options)])
    maxResults = 7
    expect(options).not.toHaveBeenCalled()
    const tools = await registry.resolveFor('agent')
    expect(await tools.get('web_search')?.execute({})).toBe(7)
    expect(options).toHaveBeenCalledTimes(1)
  })

  it('T1-3: creates a tool for each agent from one import', async () => {
    const load = vi.fn(async () => ({ default: search }))
    const reference = createRegistry([lazy('web_search', load)]).tool('web_search', { maxResults: 3 })
    const [one, two] = await Promise.all([createRegistry([reference]).resolve(), createRegistry([reference]).resolve()])
    expect(one.get('web_search')).not.toBe(two.get('web_search'))
    expect(await one.get('web_search')?.execute({})).toBe(3)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('T1-9: creates two tools under two names', async () => {
    const registry = createRegistry([
      tool(search, { maxResults: 1 }, { as: 'few' }),
      tool(search, { maxResults: 9 }, { as: 'many' }),
    ])
    expect(registry.names).toEqual(['few', 'many'])
    const tools = await registry.resolve()
    expect([await tools.get('few')?.execute({}), await tools.get('many')?.execute({})]).toEqual([1, 9])
    const twice = () => createRegistry([tool(search), tool(search, { maxResults: 2 })])
    expect(thrownBy(twice)).toMatchObject({ code: 'duplicate_tool_name' })
  })

  it.each<[string, object, string]>([
    ['a wrong type', { maxResults: 'many' }, '/maxResults must be integer'],
    ['an undeclared option', { limit: 3 }, '/limit is not declared'],
  ])('refuses %s in its options', async (_name, options, words) => {
    await expect(onlyToolOf(createRegistry([tool(search, options as never)]) as never)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(words),
    })
  })

  it('T1-23: fails with the cause if it throws, and with the fix if it returns the wrong value', async () => {
    const cause = new Error('no key')
    const made = (create: () => unknown) =>
      createRegistry([defineToolFactory({ name: 'a', options: Type.Object({}), create: create as never })]).resolve()
    const throwing = () => {
      throw cause
    }
    await expect(made(throwing)).rejects.toMatchObject({ code: 'load_failed', cause })
    const message = expect.stringContaining("1. Return a tool with the factory's name from create")
    await expect(made(() => ({}))).rejects.toMatchObject({ code: 'invalid_module', message })
    await expect(made(() => toolNamed('b'))).rejects.toMatchObject({ code: 'wrong_name', message })
  })

  it('is validated at its definition', () => {
    const options = Type.Object({})
    expect(thrownBy(() => defineToolFactory({ name: 'a b', options, create: () => toolNamed('a b') }))).toBeInstanceOf(Error)
    expect(thrownBy(() => defineToolFactory({ name: 'a', options: {} as never, create: () => toolNamed('a') }))).toMatchObject({
      code: 'invalid_entry',
    })
    const foreign = { type: 'object', '~standard': { vendor: 'zod' } } as never
    expect(thrownBy(() => defineToolFactory({ name: 'a', options: foreign, create: () => 1 as never }))).toMatchObject({
      code: 'invalid_entry',
      message:
        'defineToolFactory("a"): options is a schema from zod that can\'t be converted to JSON Schema. Use zod 4.2 or newer.',
    })
    expect(thrownBy(() => defineToolFactory({ name: 'a', options, create: 1 as never }))).toMatchObject({ code: 'invalid_entry' })
    const card = { tags: 'web' as never }
    expect(thrownBy(() => defineToolFactory({ name: 'a', options, create: () => toolNamed('a'), card }))).toMatchObject({
      code: 'invalid_entry',
    })
  })
})

describe('a reference', () => {
  it('T1-5: can be made to a tool without a registry, and can rename the tool', async () => {
    const given = toolNamed('a')
    expect(await tool(given).load()).toBe(given)
    expect((await tool(given, undefined, { as: 'b' }).load()).name).toBe('b')
  })

  it('is refused if it has options and the tool takes none', async () => {
    await expect(createRegistry([tool(toolNamed('a'), { x: 1 })]).resolve()).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringMatching(/so it takes no options[\s\S]*1\. Remove the options, or make it a factory/),
    })
  })

  it('T1-5: to a toolset is the toolset itself, and takes no options', async () => {
    const memory = { name: 'memory', tools: () => [toolNamed('memory_store')] }
    const later = lazyToolset('notes', async () => ({ tools: () => [toolNamed('notes_add')] }), ['notes_add'])
    expect([...(await createRegistry([tool(memory), tool(later)]).resolve()).keys()]).toEqual(['memory_store', 'notes_add'])
    expect(thrownBy(() => tool(memory as never, { x: 1 } as never))).toMatchObject({
      code: 'invalid_entry',
      message: 'tool: toolset "memory" takes no options and cannot be renamed. Configure it where you create it.',
    })
    expect(thrownBy(() => tool(later as never, undefined, { as: 'other' }))).toMatchObject({ code: 'invalid_entry' })
  })

  it('is refused at once for anything that is not a tool', () => {
    expect(thrownBy(() => tool({} as never))).toMatchObject({ code: 'invalid_entry' })
  })

  it('T1-4: can be made before the tool is registered', async () => {
    const registry = createRegistry([])
    const reference = registry.tool('late' as never)
    registry.register(toolNamed('late'))
    expect([...(await createRegistry([reference]).resolve()).keys()]).toEqual(['late'])
  })
})

it.each([undefined, null, 'web_search'])('defineToolFactory refuses %o, and the message contains the fix', (given) => {
  const words = expect.stringContaining('Write defineToolFactory({ name, options, create }).')
  expect(() => defineToolFactory(given as never)).toThrow(expect.objectContaining({ code: 'invalid_entry', message: words }))
})
