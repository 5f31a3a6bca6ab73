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
  it('are tools, sources and lazy tools, in the order in which they were passed', () => {
    const registry = createRegistry([toolNamed('a'), memory, lazy('b', async () => toolNamed('b'))])
    expect(registry.names).toEqual(['a', 'memory_store', 'memory_list', 'b'])
  })

  it('T2-6: may be an empty list', async () => {
    const registry = createRegistry([])
    expect(registry.names).toEqual([])
    expect(await registry.resolve()).toEqual(new Map())
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'T2-10: do not contain %s, which can be registered',
    (name) => {
      expect(createRegistry([]).has(name)).toBe(false)
      expect(createRegistry([toolNamed(name)]).has(name)).toBe(true)
    },
  )

  it('T2-28: are not affected by later changes of the array', () => {
    const entries = [toolNamed('a')]
    const registry = createRegistry(entries)
    entries.push(toolNamed('a'))
    expect(registry.names).toEqual(['a'])
  })

  it('T3-14: cannot be changed through the names array', () => {
    const registry = createRegistry([toolNamed('a')])
    expect(() => (registry.names as string[]).push('b')).toThrow(TypeError)
    expect(registry.has('b')).toBe(false)
  })

  it('T3-16: of two registries are separate', () => {
    createRegistry([toolNamed('a')])
    expect(createRegistry([]).has('a')).toBe(false)
  })
})

describe('duplicates', () => {
  it('T1-9: are refused with both owners in the message', () => {
    const error = registryError([memory, toolNamed('memory_store')])
    expect(error.code).toBe('duplicate_tool_name')
    expect(error.message).toBe(
      'createRegistry: entry 0 (toolset "memory") and entry 1 (a tool) both use the name "memory_store". Remove or rename one of them.',
    )
  })

  it('T2-9: are allowed if they are the same object', () => {
    const web = lazy('web', async () => toolNamed('web'))
    const stable: ToolSource = { name: 'stable', tools: () => [store] }
    expect(createRegistry([store, stable, stable, web, web]).names).toEqual(['memory_store', 'web'])
  })

  it('are refused if they differ only in case', () => {
    const { message } = registryError([toolNamed('Send'), lazy('send', async () => toolNamed('send'))])
    expect(message).toContain('entry 0 (a tool) and entry 1 (lazy) both use names that differ only in case, "Send" and "send"')
  })

  it('are refused even within one source', () => {
    const twice: ToolSource = { tools: () => [toolNamed('a'), toolNamed('a')] }
    expect(registryError([twice]).message).toContain('entry 0 (a tool source) and entry 0 (a tool source)')
  })
})

describe('invalid options', () => {
  it('are refused, and the message contains the fix', () => {
    const create = (options: unknown) => () => createRegistry([], options as never)
    for (const options of [null, 'app']) expect(create(options)).toThrow("Write createRegistry([tool], { name: 'app' })")
    expect(create({ resolvers: { name: 'plugins', find: () => undefined } })).toThrow(
      'resolvers must be an array, got a value of type object. Write { resolvers: [resolver] }',
    )
    expect(create({ loadTimeoutMs: '5' })).toThrow('loadTimeoutMs must be a number of milliseconds, got 5')
    expect(() => createRegistry([]).getOrThrow(undefined as never)).toThrow('Write registry.getOrThrow("name")')
  })
})

describe('an invalid entry', () => {
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
    expect(error.message).toMatch(/^createRegistry: entry 1 must be a tool, a toolset or lazy\(\)/)
  })

  it.each<[unknown, string]>([
    [undefined, 'undefined. Check the import'],
    [Promise.resolve(store), 'a promise. Await it.'],
    [[store], 'an array. Spread it: ...tools.'],
    [createRegistry([store]), 'a registry. Pass it as { parent }, merge it, or spread its references: ...registry.tools().'],
    [createRegistry([]), 'a registry. Pass it as { parent }, merge it, or spread its references: ...registry.tools().'],
    ['get_weather', `the string "get_weather". Pass the tool itself, or registry.tool('get_weather').`],
    [() => store, 'a function. Pass its return value, or an instance of the class.'],
    [unbranded, 'an object. Create it with defineTool'],
    [{ tools: () => [unbranded] }, 'a source whose tools() does not return an array of tools.'],
  ])('T2-3: is described, and the message contains the fix: %o', (entry, words) => {
    expect(registryError([entry]).message).toContain(`createRegistry: entry 0 must be a tool, a toolset or lazy(), got ${words}`)
  })

  it('is refused with the fix if it lists its tools asynchronously, without an unhandled rejection', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const remote: ToolSource = { tools: () => Promise.reject(new Error('offline')) }
    expect(registryError([remote]).message).toContain('Await source.tools() and spread the result')
    // Node reports an unhandled rejection before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it.each(['', 'a b', 'data:text/javascript,1', '../evil.js'])('is refused if it is a lazy tool named %j', (name) => {
    const load = vi.fn()
    expect(registryError([lazy(name, load)])).toMatchObject({ code: 'invalid_entry' })
    expect(load).not.toHaveBeenCalled()
  })
})
