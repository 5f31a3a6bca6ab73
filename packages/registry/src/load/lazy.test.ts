import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRegistry } from '../../test/tools.ts'
import { lazy } from './lazy.ts'
import { lazyToolset } from './lazy-toolset.ts'

const web = defineTool({ name: 'web_search', description: 'Searches.', args: Type.Object({}), execute: () => 'found' })

function registryOf(load: () => unknown, loadTimeoutMs?: number) {
  return createRegistry([lazy('web_search', load as () => Promise<typeof web>)], { loadTimeoutMs })
}

describe('lazy', () => {
  it('accepts the default export of a module, or the tool itself', async () => {
    expect(await lazy('web_search', async () => ({ default: web })).load()).toBe(web)
    expect(await lazy('web_search', async () => web).load()).toBe(web)
  })

  it('T1-17: loads once for fifty concurrent callers and all later ones', async () => {
    const load = vi.fn(async () => web)
    const registry = registryOf(load)
    const maps = await Promise.all(Array.from({ length: 50 }, () => registry.resolve()))
    expect(new Set(maps.map((tools) => tools.get('web_search')))).toEqual(new Set([web]))
    await registry.resolve()
    await registry.tool('web_search').load()
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('does not cache a failure', async () => {
    const load = vi.fn(async () => web).mockRejectedValueOnce(new Error('offline'))
    const registry = registryOf(load)
    const reference = registry.tool('web_search')
    await expect(reference.load()).rejects.toThrow('offline')
    expect(await reference.load()).toBe(web)
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('T1-18: fails with the cause if its module throws', async () => {
    const cause = new Error('Cannot find package "left-pad"')
    const failing = registryOf(() => Promise.reject(cause)).resolve()
    await expect(failing).rejects.toMatchObject({
      code: 'load_failed',
      cause,
      message: expect.stringMatching(
        /^❌ Tool failed to load: web_search\n {3}Its module threw: Cannot find package "left-pad"\n/,
      ),
    })
  })

  it('T1-23: fails if its factory throws synchronously', async () => {
    const throwing = () => {
      throw new Error('no key')
    }
    await expect(registryOf(throwing).resolve()).rejects.toMatchObject({ code: 'load_failed' })
  })

  it.each([null, undefined, 'text', 1n, Symbol('s'), {}, Object.create(null), { message: 7 }])(
    'fails with load_failed if its module throws %o',
    async (thrown) => {
      await expect(registryOf(() => Promise.reject(thrown)).resolve()).rejects.toMatchObject({
        name: 'ToolResolutionError',
        code: 'load_failed',
      })
    },
  )

  it.each([
    ['it returned undefined', undefined],
    ['it returned null', null],
    ['it returned function', () => web],
    ['the module exports nothing', {}],
    ['the module exports webSearch, other', { webSearch: web, other: 1 }],
    ['the module exports default', { default: { ...web, [Symbol.for('@x/tool-core/tool')]: false } }],
  ])('T1-19: fails with invalid_module if it loads no tool: %s', async (words, loaded) => {
    await expect(registryOf(async () => loaded).resolve()).rejects.toMatchObject({
      code: 'invalid_module',
      message: expect.stringContaining(`Its loader did not return a tool: ${words}.`),
    })
  })

  it('T1-20: refuses a tool with another name', async () => {
    const other = defineTool({ name: 'other', description: 'Other.', args: Type.Object({}), execute: () => 1 })
    await expect(registryOf(async () => other).resolve()).rejects.toMatchObject({
      code: 'wrong_name',
      message: expect.stringContaining('Its loader returned a tool with a different name, "other".'),
    })
  })

  it('is named in the error if its module fails to resolve other tools', async () => {
    const inner = createRegistry([])
    const failing = registryOf(() => inner.resolve('planner' as never))
    await expect(failing.resolve()).rejects.toMatchObject({
      code: 'load_failed',
      identifier: 'web_search',
      cause: { identifier: 'planner' },
    })
  })
})

describe('a loader that never settles', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const never = () => new Promise(() => {})

  it.each([
    [10_000, undefined],
    [50, 50],
  ])('times out after %d ms', async (ms, loadTimeoutMs) => {
    const outcome = expect(registryOf(never, loadTimeoutMs).resolve()).rejects.toMatchObject({
      code: 'load_timeout',
      message: expect.stringContaining(`Its loader did not settle within ${ms} ms.`),
    })
    await vi.advanceTimersByTimeAsync(ms)
    await outcome
  })

  it('is called again for the next attempt', async () => {
    const load = vi.fn<() => Promise<unknown>>(async () => web).mockImplementationOnce(never)
    const registry = registryOf(load, 50)
    const outcome = expect(registry.resolve()).rejects.toMatchObject({ code: 'load_timeout' })
    await vi.advanceTimersByTimeAsync(50)
    await outcome
    expect((await registry.resolve()).get('web_search')).toBe(web)
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('is cached after it is resolved: all callers get the same tool, which is imported once', async () => {
    const load = vi.fn(async () => web)
    const registry = registryOf(load, 50)
    expect(registry.get('web_search')).toEqual({ name: 'web_search', kind: 'lazy', tool: undefined })
    expect((await registry.resolve()).get('web_search')).toBe(web)
    expect(registry.get('web_search')?.tool).toBe(web)
    expect((await registry.resolveFor('agent')).get('web_search')).toBe(web)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('needs no timer if the timeout is Infinity', async () => {
    const slow = () => new Promise((resolve) => setTimeout(resolve, 100_000, web))
    const resolving = registryOf(slow, Infinity).resolve()
    await vi.advanceTimersByTimeAsync(100_000)
    expect((await resolving).get('web_search')).toBe(web)
  })

  it('leaves no timer behind if it settles in time', async () => {
    await registryOf(async () => web).resolve()
    await registryOf(() => Promise.reject(new Error('no')))
      .resolve()
      .catch(() => {})
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is reported by its own registry if another registry refers to it', async () => {
    const outer = createRegistry(registryOf(never).tools(), { name: 'outer' })
    const outcome = expect(outer.resolve()).rejects.toMatchObject({
      code: 'load_timeout',
      searched: ['Registry "registry": web_search'],
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await outcome
  })
})

describe('an invalid loader', () => {
  it.each([
    ['a promise. Await it first', Promise.resolve(web)],
    ['a value of type object', web],
    ['a value of type string', './web-search.js'],
    ['undefined', undefined],
  ])('is refused with the fix: %s', (got, load) => {
    const fix = `its loader must be a function, got ${got}. Write () => import(`
    expect(() => lazy('web_search', load as never)).toThrow(`lazy("web_search"): ${fix}`)
    expect(() => lazyToolset('web', load as never)).toThrow(`lazyToolset("web"): ${fix}`)
  })

  it('is refused if names is not an array', () => {
    expect(() => lazyToolset('web', async () => ({}) as never, 'web_search' as never)).toThrow(
      'its tool names must be an array, got a value of type string. Write ["web_…"]',
    )
  })
})
