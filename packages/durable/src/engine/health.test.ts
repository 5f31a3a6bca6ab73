import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DurableError } from '../errors.ts'
import { assertLooking, HEALTH_MS, toHealth } from './health.ts'

describe('a health check', () => {
  it('reports the problem instead of rejecting', async () => {
    const problem = new DurableError('cannot_open', 'no')
    expect(await toHealth(async () => {})).toEqual({ ok: true })
    expect(await toHealth(() => Promise.reject(problem))).toEqual({ ok: false, problem })
    const { ok, problem: wrapped } = await toHealth(async () => JSON.parse('{'))
    expect([ok, wrapped]).toMatchObject([false, { code: 'engine_failed', cause: expect.any(SyntaxError) }])
  })

  it('leaves no timer behind', async () => {
    const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await toHealth(async () => {})).toEqual({ ok: true })
    // Other work in this thread may set timers too.
    const own = set.mock.calls.findIndex(([, ms]) => ms === HEALTH_MS)
    expect(clear).toHaveBeenCalledWith(set.mock.results[own]?.value)
  })

  it('fails if the storage never answers', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const health = toHealth(() => new Promise(() => {}))
    await vi.advanceTimersByTimeAsync(5000)
    const message = "The storage doesn't answer: no answer within 5000 ms"
    expect(await health).toMatchObject({ ok: false, problem: { code: 'engine_failed', message } })
  })

  it('fails if the worker has not looked for runs for too long', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(5000)
    onTestFinished(() => void vi.restoreAllMocks())
    const lookedAt = 3000
    expect(await toHealth(async () => assertLooking(lookedAt, 10_000))).toEqual({ ok: true })
    const message = "The worker hasn't looked for runs for 2000 ms. Restart the process if this lasts."
    expect(await toHealth(async () => assertLooking(lookedAt, 1999))).toMatchObject({
      ok: false,
      problem: { code: 'stalled', message },
    })
  })
})
