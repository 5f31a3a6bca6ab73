import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DeadlineState, withDeadline } from './deadline.ts'

const subject = '"slow"'

/** Returns a promise even if the result is available at once. */
async function wait<T>(...given: Parameters<typeof withDeadline<T>>): Promise<T> {
  return withDeadline(...given)
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('withDeadline', () => {
  it('returns the result, synchronously or later', async () => {
    expect(await wait(() => 1, { subject, timeoutMs: 10 })).toBe(1)
    expect(await wait(async () => 2, { subject, timeoutMs: 10 })).toBe(2)
  })

  it('creates no timer for a settled promise', async () => {
    const timers = vi.fn()
    vi.stubGlobal('setTimeout', timers)
    expect(await wait(async () => 1, { subject, timeoutMs: 10 })).toBe(1)
    await expect(wait(() => Promise.reject('why'), { subject, timeoutMs: 10 })).rejects.toBe('why')
    expect(timers).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  })

  it('times out a promise that never settles', async () => {
    const waiting = wait(() => new Promise(() => {}), { subject, timeoutMs: 1_000 })
    const outcome = expect(waiting).rejects.toMatchObject({
      code: 'timeout',
      retryable: true,
      message: '"slow" did not finish within 1000 ms.',
    })
    await vi.advanceTimersByTimeAsync(1_000)
    await outcome
  })

  it('times out a thenable that resolves with a promise that never settles', async () => {
    // biome-ignore lint/suspicious/noThenProperty: thenables are what is tested
    const never = { then: (resolve: (value: unknown) => void) => resolve(new Promise(() => {})) } as unknown as Promise<unknown>
    const outcome = expect(wait(() => never, { subject, timeoutMs: 10 })).rejects.toMatchObject({ code: 'timeout' })
    await vi.advanceTimersByTimeAsync(10)
    await outcome
  })

  it('times out a callable thenable', async () => {
    // biome-ignore lint/suspicious/noThenProperty: thenables are what is tested
    const query = Object.assign(() => {}, { then: () => {} }) as unknown as Promise<unknown>
    const outcome = expect(wait(() => query, { subject, timeoutMs: 10 })).rejects.toMatchObject({ code: 'timeout' })
    await vi.advanceTimersByTimeAsync(10)
    await outcome
  })

  it.each([Infinity, 2 ** 40])('has no time limit for %d ms, which is more than a timer supports', async (timeoutMs) => {
    const settled = vi.fn()
    wait(() => new Promise(() => {}), { subject, timeoutMs }).then(settled, settled)
    await vi.advanceTimersByTimeAsync(2 ** 31)
    expect(settled).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind, whatever the result', async () => {
    await wait(async () => 1, { subject, timeoutMs: 1_000 })
    await wait(() => Promise.reject(new Error('no')), { subject, timeoutMs: 1_000 }).catch(() => {})
    const thrower = () => {
      throw new Error('no')
    }
    // biome-ignore lint/suspicious/noThenProperty: thenables are what is tested
    const broken = { then: thrower } as unknown as Promise<unknown>
    await wait(() => broken, { subject, timeoutMs: 1_000 }).catch(() => {})
    expect(vi.getTimerCount()).toBe(0)
  })

  it('aborts the signal at the deadline, even if the signal is first read later', async () => {
    let early: AbortSignal | undefined
    let signalOf: (() => AbortSignal) | undefined
    const waiting = wait(
      ({ signal }) => {
        signalOf = signal
        early = signal()
        return new Promise(() => {})
      },
      { subject, timeoutMs: 10 },
    ).catch(() => {})
    expect(early?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(10)
    await waiting
    expect(early?.aborted).toBe(true)
    expect(early?.reason).toMatchObject({ code: 'timeout' })

    const late = wait(
      ({ signal }) => {
        signalOf = signal
        return new Promise(() => {})
      },
      { subject, timeoutMs: 10 },
    ).catch(() => {})
    await vi.advanceTimersByTimeAsync(10)
    await late
    expect(signalOf?.().aborted).toBe(true)
  })
})

describe('the abort of the caller', () => {
  it('prevents the start if it came before', async () => {
    const start = vi.fn()
    const waiting = wait(start, { subject, timeoutMs: 10, signal: AbortSignal.abort('why') })
    await expect(waiting).rejects.toMatchObject({
      code: 'aborted',
      cause: 'why',
      message: '"slow" was aborted by the application.',
    })
    expect(start).not.toHaveBeenCalled()
  })

  it('stops the wait and aborts the signal', async () => {
    const controller = new AbortController()
    let own: AbortSignal | undefined
    const start = ({ signal }: DeadlineState) => {
      own = signal()
      return new Promise(() => {})
    }
    const waiting = wait(start, { subject, timeoutMs: 60_000, signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    expect(own?.aborted).toBe(true)
  })

  it('stops the wait if the work itself causes it', async () => {
    const controller = new AbortController()
    const start = () => {
      controller.abort()
      return new Promise(() => {})
    }
    const waiting = wait(start, { subject, timeoutMs: 60_000, signal: controller.signal })
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  })

  it('uses one listener for many calls, and removes it after they have ended', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const later = () => new Promise((resolve) => setTimeout(() => resolve(1), 0))
    const waitOnce = () => wait(later, { subject, timeoutMs: 1_000, signal })
    const all = Promise.all(Array.from({ length: 50 }, waitOnce))
    await vi.advanceTimersByTimeAsync(1)
    await all
    expect(added).toHaveBeenCalledTimes(1)
    expect(removed).toHaveBeenCalledTimes(1)
    const again = waitOnce()
    await vi.advanceTimersByTimeAsync(1)
    expect(await again).toBe(1)
  })

  it('ends every call that shares the signal', async () => {
    const controller = new AbortController()
    const waitOnce = () => wait(() => new Promise(() => {}), { subject, timeoutMs: 60_000, signal: controller.signal })
    const all = Promise.allSettled([waitOnce(), waitOnce(), waitOnce()])
    controller.abort()
    expect((await all).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected'])
  })
})
