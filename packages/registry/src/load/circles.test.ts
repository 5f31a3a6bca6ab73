import { describe, expect, it, vi } from 'vitest'
import { createRegistry, toolNamed } from '../../test/tools.ts'
import { type LoaderContext, lazy } from './lazy.ts'

/** A lazy tool whose loader first resolves other tools. */
function needing<const Name extends string>(name: Name, ...others: readonly string[]) {
  return lazy(name, async ({ resolve }: LoaderContext) => {
    for (const other of others) await resolve(other)
    return toolNamed(name)
  })
}

describe('a loader', () => {
  it('may resolve other tools of its registry', async () => {
    const load = vi.fn(async () => toolNamed('b'))
    const registry = createRegistry([needing('a', 'b', 'c'), lazy('b', load), needing('c', 'b')])
    expect([...(await registry.resolve('a')).keys()]).toEqual(['a'])
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('fails with the cycle if it waits for itself through other loaders', async () => {
    const registry = createRegistry([needing('a', 'b'), needing('b', 'c'), needing('c', 'a')])
    await expect(registry.resolve('a')).rejects.toMatchObject({
      code: 'circular',
      identifier: 'a',
      message: expect.stringContaining('Loaders are waiting for each other: c → a → b → c.'),
    })
  })

  it('fails if it waits for itself', async () => {
    await expect(createRegistry([needing('a', 'a')]).resolve()).rejects.toMatchObject({
      code: 'circular',
      message: expect.stringContaining('a → a.'),
    })
  })

  it('fails for each caller if all tools of a cycle are resolved at once', async () => {
    const registry = createRegistry([needing('a', 'b'), needing('b', 'a'), toolNamed('c')])
    const outcomes = await Promise.allSettled([registry.resolve('a'), registry.resolve('b'), registry.resolve()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'circular' } })
  })

  it('may be shared by two other loaders without a cycle', async () => {
    const registry = createRegistry([needing('a', 'c'), needing('b', 'c'), needing('c', 'd'), needing('d')])
    expect((await registry.resolve()).size).toBe(4)
  })

  it('fails with the reason if it needs an unknown tool', async () => {
    const error = await createRegistry([needing('a', 'nothing')])
      .resolve()
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'load_failed', identifier: 'a', cause: { code: 'not_found', identifier: 'nothing' } })
  })

  it('cannot resolve tools if it was loaded without a registry', async () => {
    await expect(needing('a', 'b').load()).rejects.toThrow('b cannot be resolved: the loader was not run by a registry.')
  })
})
