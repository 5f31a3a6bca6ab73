import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startDeadline } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('is paused while the user is being asked', async () => {
  const passed = vi.fn()
  const deadline = startDeadline(100)
  void deadline.passed.then(passed)
  await vi.advanceTimersByTimeAsync(60)
  const answers: (() => void)[] = []
  const ask = () => new Promise<void>((resolve) => void answers.push(resolve))
  const asked = [deadline.without(ask), deadline.without(ask)]
  await vi.advanceTimersByTimeAsync(10_000)
  expect(passed).not.toHaveBeenCalled()
  answers[1]?.()
  await asked[1]
  await vi.advanceTimersByTimeAsync(10_000)
  expect(passed).not.toHaveBeenCalled()
  deadline.end()
})

it('continues with the remaining time', async () => {
  const passed = vi.fn()
  const deadline = startDeadline(100)
  void deadline.passed.then(passed)
  await vi.advanceTimersByTimeAsync(60)
  await deadline.without(async () => {})
  await vi.advanceTimersByTimeAsync(39)
  expect(passed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(passed).toHaveBeenCalledTimes(1)
})

it('leaves no timer behind', async () => {
  const deadline = startDeadline(100)
  const asked = deadline.without(() => Promise.resolve())
  deadline.end()
  await asked
  expect(vi.getTimerCount()).toBe(0)
})
