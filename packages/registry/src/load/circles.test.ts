import { describe, expect, it, vi } from 'vitest'
import { createRegistry, toolNamed } from '../../test/tools.ts'
import { type LoaderContext, lazy } from './lazy.ts'

/** A lazy tool whose loader needs others first. */
function needing<const Name extends string>(name: Name, ...others: readonly string[]) {
  return lazy(name, async ({ resolve }: LoaderContext) => {
    for (const other of others) await resolve(other)
    return toolNamed(name)
  })
}

describe('a loader', () => {
  it('may ask for other tools of the registry that loads it', async () => {
    const load = vi.fn(async () => toolNamed('b'))
    const registry = createRegistry([needing('a', 'b', 'c'), lazy('b', load), needing('c', 'b')])
    expect([...(await registry.resolve('a')).keys()]).toEqual(['a'])
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('REG-05: that waits for itself over others is told, with the circle', async () => {
    const registry = createRegistry([needing('a', 'b'), needing('b', 'c'), needing('c', 'a')])
    await expect(registry.resolve('a')).rejects.toMatchObject({
      code: 'circular',
      identifier: 'a',
      message: expect.stringContaining('Loaders wait for each other: c → a → b → c.'),
    })
  })

  it('REG-05: that waits for itself is told', async () => {
    await expect(createRegistry([needing('a', 'a')]).resolve()).rejects.toMatchObject({
      code: 'circular',
      message: expect.stringContaining('a → a.'),
    })
  })

  it('REG-05: a circle asked for from all its ends at once is told at each', async () => {
    const registry = createRegistry([needing('a', 'b'), needing('b', 'a'), toolNamed('c')])
    const outcomes = await Promise.allSettled([registry.resolve('a'), registry.resolve('b'), registry.resolve()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'circular' } })
  })

  it('may be asked for by two that are not in a circle', async () => {
    const registry = createRegistry([needing('a', 'c'), needing('b', 'c'), needing('c', 'd'), needing('d')])
    expect((await registry.resolve()).size).toBe(4)
  })

  it('that needs what is not there says so', async () => {
    const error = await createRegistry([needing('a', 'nothing')])
      .resolve()
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'load_failed', identifier: 'a', cause: { code: 'not_found', identifier: 'nothing' } })
  })

  it('that was loaded without a registry has nothing to ask', async () => {
    await expect(needing('a', 'b').load()).rejects.toThrow('There is no registry to resolve b from.')
  })
})
