import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallClock } from './clock.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const caller = () => new AbortController()

describe('the clock of a call', () => {
  it('aborts at the deadline', () => {
    const clock = new CallClock(100, caller().signal)
    vi.advanceTimersByTime(99)
    expect(clock.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect([clock.signal.aborted, clock.isOver]).toEqual([true, true])
  })

  it('stops while it is paused, also for several questions at once', () => {
    const clock = new CallClock(100, caller().signal)
    vi.advanceTimersByTime(60)
    clock.pause()
    clock.pause()
    vi.advanceTimersByTime(1_000)
    clock.resume()
    vi.advanceTimersByTime(1_000)
    clock.resume()
    vi.advanceTimersByTime(39)
    expect(clock.isOver).toBe(false)
    vi.advanceTimersByTime(1)
    expect(clock.isOver).toBe(true)
  })

  it('is aborted by the caller, which is not its deadline', () => {
    const controller = caller()
    const clock = new CallClock(100, controller.signal)
    controller.abort('enough')
    expect([clock.signal.reason, clock.isOver]).toEqual(['enough', false])
    expect(new CallClock(100, controller.signal).signal.aborted).toBe(true)
  })

  it('has no deadline if it is Infinity or the clock is stopped', () => {
    const endless = new CallClock(Number.POSITIVE_INFINITY, caller().signal)
    const stopped = new CallClock(100, caller().signal)
    stopped.stop()
    vi.advanceTimersByTime(2 ** 31)
    expect([endless.isOver, stopped.isOver]).toEqual([false, false])
  })
})
