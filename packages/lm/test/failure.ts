/** Deadlines on a fake clock, for tests. */
import { expect, vi } from 'vitest'

/** The rejection of a promise, when this time has passed. */
export async function failureAfter(ms: number, promise: Promise<unknown>): Promise<unknown> {
  const settled = promise.then(
    () => 'no failure',
    (error: unknown) => error,
  )
  await vi.advanceTimersByTimeAsync(ms)
  const left = vi.getTimerCount()
  const failure = await Promise.race([settled, Promise.resolve('still waiting')])
  if (failure !== 'still waiting') expect(left).toBe(0)
  return failure
}
