/** Makes deadlines pass on a fake clock. */
import { expect, vi } from 'vitest'

/** Advances the fake clock by `ms` and returns the promise's rejection. */
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
