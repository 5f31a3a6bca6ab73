import { defineTool, type ToolSource } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { createRegistry } from '../test/tools.ts'
import { RegistryError } from './errors.ts'
import { lazy } from './load/lazy.ts'

function toolNamed<const Name extends string>(name: Name) {
  return defineTool({ name, description: 'Probe.', args: Type.Object({}), execute: () => name })
}

const store = toolNamed('memory_store')
const memory: ToolSource = { name: 'memory', tools: () => [store, toolNamed('memory_list')] }

function registryError(entries: readonly unknown[]): RegistryError {
  try {
    createRegistry(entries as never)
  } catch (error) {
    expect(error).toBeInstanceOf(RegistryError)
    return error as RegistryError
  }
  throw new Error('the registry was created')
}

describe('entries', () => {
  it('are tools, sources and lazy tools, listed in their order', () => {
    const registry = createRegistry([toolNamed('a'), memory, lazy('b', async () => toolNamed('b'))])
    expect(registry.names).toEqual(['a', 'memory_store', 'memory_list', 'b'])
  })

  it('T2-6: may be none', async () => {
    const registry = createRegistry([])
    expect(registry.names).toEqual([])
    expect(await registry.resolve()).toEqual(new Map())
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('T2-10: %s is not there, and may be registered', (name) => {
    expect(createRegistry([]).has(name)).toBe(false)
    expect(createRegistry([toolNamed(name)]).has(name)).toBe(true)
  })

  it('T2-28: are a snapshot, however the list changes later', () => {
    const entries = [toolNamed('a')]
    const registry = createRegistry(entries)
    entries.push(toolNamed('a'))
    expect(registry.names).toEqual(['a'])
  })

  it('T3-14: cannot be changed through the list of names', () => {
    const registry = createRegistry([toolNamed('a')])
    expect(() => (registry.names as string[]).push('b')).toThrow(TypeError)
    expect(registry.has('b')).toBe(false)
  })

  it('T3-16: of two registries do not mix', () => {
    createRegistry([toolNamed('a')])
    expect(createRegistry([]).has('a')).toBe(false)
  })
})

describe('duplicates', () => {
  it('REG-01, T1-9: are refused, naming both owners', () => {
    const error = registryError([memory, toolNamed('memory_store')])
    expect(error.code).toBe('duplicate_tool_name')
    expect(error.message).toBe(
      'createRegistry: entry 0 (toolset "memory") and entry 1 (a tool) both bring the name "memory_store". Leave one out, or rename one.',
    )
  })

  it('T2-9: are no duplicates when they are the same object', () => {
    const web = lazy('web', async () => toolNamed('web'))
    const stable: ToolSource = { name: 'stable', tools: () => [store] }
    expect(createRegistry([store, stable, stable, web, web]).names).toEqual(['memory_store', 'web'])
  })

  it('REG-02: that differ only in case are refused', () => {
    const { message } = registryError([toolNamed('Send'), lazy('send', async () => toolNamed('send'))])
    expect(message).toContain('entry 0 (a tool) and entry 1 (lazy) both bring names that differ only in case, "Send" and "send"')
  })

  it('within one source are refused', () => {
    const twice: ToolSource = { tools: () => [toolNamed('a'), toolNamed('a')] }
    expect(registryError([twice]).message).toContain('entry 0 (a tool source) and entry 0 (a tool source)')
  })
})

describe('options that are none', () => {
  it('are refused with what to write', () => {
    const create = (options: unknown) => () => createRegistry([], options as never)
    for (const options of [null, 'app']) expect(create(options)).toThrow("Write createRegistry([tool], { name: 'app' })")
    expect(create({ resolvers: { name: 'plugins', find: () => undefined } })).toThrow('must be a list: { resolvers: [resolver] }')
    expect(create({ loadTimeoutMs: '5' })).toThrow('loadTimeoutMs must be a number of milliseconds, got 5')
    expect(() => createRegistry([]).getOrThrow(undefined as never)).toThrow('Write registry.getOrThrow("name")')
  })
})

describe('what is no entry', () => {
  const unbranded = { name: 'a', description: 'A.', args: Type.Object({}), execute: () => 1 }
  class Toolset {
    tools() {
      return [store]
    }
  }
  it.each([
    null,
    undefined,
    'get_weather',
    7,
    () => store,
    {},
    unbranded,
    Toolset,
    { tools: [store] },
    { tools: () => [unbranded] },
  ])('T2-3: is refused: %o', (entry) => {
    const error = registryError([store, entry])
    expect(error.code).toBe('invalid_entry')
    expect(error.message).toMatch(/^createRegistry: entry 1 is no tool, toolset or lazy\(\)/)
  })

  it.each<[unknown, string]>([
    [undefined, 'undefined. Look at where it is imported from'],
    [Promise.resolve(store), 'a promise. Await it.'],
    [[store], 'a list. Spread it: ...tools.'],
    [createRegistry([store]), 'a registry. Give it as { parent }, or merge it.'],
    [createRegistry([]), 'a registry. Give it as { parent }, or merge it.'],
    ['get_weather', 'the text "get_weather". Give the tool itself, not its name; of a registry, registry.tool(name).'],
    [() => store, 'a function. Give what it makes; of a class, an instance.'],
    [unbranded, 'an object. Make it with defineTool'],
    [{ tools: () => [unbranded] }, 'a source whose tools() gives no list of tools.'],
  ])('T2-3: is called what it is, with the way out: %o', (entry, words) => {
    expect(registryError([entry]).message).toContain(`createRegistry: entry 0 is no tool, toolset or lazy(), but ${words}`)
  })

  it('a source that lists its tools asynchronously is refused with the way out, and without a stray rejection', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const remote: ToolSource = { tools: () => Promise.reject(new Error('offline')) }
    expect(registryError([remote]).message).toContain('await source.tools() and spread the result')
    // Node reports a rejection that nobody handles before the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it.each(['', 'a b', 'data:text/javascript,1', '../evil.js'])('REG-04: a lazy tool named %j is refused', (name) => {
    const load = vi.fn()
    expect(registryError([lazy(name, load)])).toMatchObject({ code: 'invalid_entry' })
    expect(load).not.toHaveBeenCalled()
  })
})
