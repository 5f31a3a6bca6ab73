import type { Tool } from '@x/tool-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRegistry, toolNamed } from '../../test/tools.ts'
import { type LoaderContext, lazy } from './lazy.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => {})

/** A tool that is loaded after a delay. */
function later(ms: number) {
  const tool: Tool<'slow'> = toolNamed('slow')
  return { tool, load: () => new Promise<Tool<'slow'>>((resolve) => setTimeout(resolve, ms, tool)) }
}

describe('a lazy tool in two registries', () => {
  it('has a separate timeout in each registry', async () => {
    const { tool, load } = later(1_000)
    const slow = lazy('slow', vi.fn(load))
    const [hasty, patient] = [createRegistry([slow], { loadTimeoutMs: 50 }), createRegistry([slow])]
    const [gone, came] = [expect(hasty.resolve()).rejects.toMatchObject({ code: 'load_timeout' }), patient.resolve()]
    await vi.advanceTimersByTimeAsync(1_000)
    await gone
    expect((await came).get('slow')).toBe(tool)
    expect((await hasty.resolve()).get('slow')).toBe(tool)
  })

  it('is loaded again after a timeout, and all callers use the first result', async () => {
    const [first, second] = [later(1_000), later(2_000)]
    const load = vi.fn(second.load).mockImplementationOnce(first.load)
    const slow = lazy('slow', load)
    const [hasty, patient] = [createRegistry([slow], { loadTimeoutMs: 50 }), createRegistry([slow])]
    const gone = expect(hasty.resolve()).rejects.toMatchObject({ code: 'load_timeout' })
    const early = patient.resolve()
    await vi.advanceTimersByTimeAsync(60)
    await gone
    const late = createRegistry([slow]).resolve()
    await vi.advanceTimersByTimeAsync(3_000)
    expect([(await early).get('slow'), (await late).get('slow'), slow.loaded]).toEqual([first.tool, first.tool, first.tool])
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('ignores a failed second attempt after the first has succeeded', async () => {
    const first = later(1_000)
    const failing = () => new Promise<never>((_, reject) => setTimeout(reject, 2_000, new Error('no')))
    const slow = lazy('slow', vi.fn<() => Promise<Tool<'slow'>>>(failing).mockImplementationOnce(first.load))
    const gone = expect(slow.load({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'load_timeout' })
    await vi.advanceTimersByTimeAsync(60)
    await gone
    const late = slow.load()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await late).toBe(first.tool)
  })

  it('is loaded with the context of the first caller, and after a failure with that of the next', async () => {
    const load = async ({ resolve }: LoaderContext) => (await resolve('needed')) && toolNamed('a')
    const shared = lazy('a', load)
    const [without, having] = [createRegistry([shared]), createRegistry([shared, toolNamed('needed')])]
    const outcomes = await Promise.allSettled([without.resolve('a'), having.resolve('a')])
    expect(outcomes).toMatchObject([{ reason: { code: 'load_failed' } }, { reason: { code: 'load_failed' } }])
    expect([...(await having.resolve('a')).keys()]).toEqual(['a'])
    expect([...(await without.resolve('a')).keys()]).toEqual(['a'])
  })
})

describe('a timeout', () => {
  it('fails only for the tools that are not loaded in time', async () => {
    const load = vi
      .fn<() => Promise<ReturnType<typeof toolNamed<'hung'>>>>(async () => toolNamed('hung'))
      .mockImplementationOnce(never)
    const registry = createRegistry([lazy('quick', async () => toolNamed('quick')), lazy('hung', load), toolNamed('ready')])
    const outcome = expect(registry.resolve()).rejects.toMatchObject({
      failures: [{ code: 'load_timeout', identifier: 'hung', detail: 'Its loader did not settle within 10000 ms.' }],
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await outcome
    expect((await registry.resolve()).size).toBe(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('uses one timer for concurrent loads, and none for loaded modules', async () => {
    const there = createRegistry(['a', 'b'].map((name) => lazy(name, async () => toolNamed(name))))
    let [isDone, most] = [false, 0]
    const resolving = there.resolve().then(() => (isDone = true))
    for (; !isDone; await undefined) most = Math.max(most, vi.getTimerCount())
    await resolving
    expect(most).toBe(0)
    const outcome = expect(createRegistry(['a', 'b', 'c'].map((name) => lazy(name, never))).resolve()).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(10_000)
    await outcome
  })

  it('applies to a resolver too', async () => {
    const registry = createRegistry([], { resolvers: [{ name: 'plugins', find: never }], loadTimeoutMs: 50 })
    const outcome = expect(registry.resolve('a')).rejects.toMatchObject({
      code: 'load_timeout',
      message: expect.stringContaining('A resolver did not settle within 50 ms.'),
    })
    await vi.advanceTimersByTimeAsync(50)
    await outcome
  })

  it.each([
    ['applies to a source too', {}, 50],
    ['is that of the source if it has one', { loadTimeoutMs: 200 }, 200],
  ])('%s', async (_, own, ms) => {
    const source = { name: 'hung', cards: () => [], tools: never, ...own }
    let isDone = false
    const outcome = createRegistry([source], { loadTimeoutMs: 50 })
      .resolve('hung_get')
      .catch((error: Error) => {
        isDone = true
        return error.message
      })
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(isDone).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    const message = String(await outcome)
    expect(message).toContain(`The source "hung" did not settle within ${ms} ms.`)
    expect(message.includes('Make the source "hung" settle, or raise its loadTimeoutMs.')).toBe(ms === 200)
  })

  it('is separate for a loader for which another loader waits', async () => {
    const asking = lazy('asking', async ({ resolve }: LoaderContext) => (await resolve('hung')) && toolNamed('asking'))
    const registry = createRegistry([asking, lazy('hung', never)], { loadTimeoutMs: 50 })
    const outcome = expect(registry.resolve('asking')).rejects.toMatchObject({ failures: [{ identifier: 'asking' }] })
    await vi.advanceTimersByTimeAsync(100)
    await outcome
    expect(vi.getTimerCount()).toBe(0)
  })
})
