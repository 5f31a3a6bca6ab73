/** A fake clock for tests of timeouts. Time stands still, and advances only from one timer to the next. */
import { onTestFinished, vi } from 'vitest'

const nextImmediate = globalThis.setImmediate

/**
 * Waits for a turn of the event loop, even while the clock stands still. Code that only waits for promises has continued by the time it
 * resolves.
 */
export const aTurn = (): Promise<void> => new Promise((resolve) => nextImmediate(resolve))

/** Creates a promise, and the function that resolves it. */
export function event(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { reached, reach: () => reach() }
}

/**
 * Settles like `work`. The clock stands still until `reached` resolves. From then on it moves to the next timer after each turn of
 * the event loop. So no test waits for a timer, and no timeout fires early on a busy machine.
 */
export async function onFakeClock<T>(work: () => Promise<T>, reached?: Promise<unknown>): Promise<T> {
  vi.useFakeTimers()
  let isOver = false
  const stop = () => {
    isOver = true
  }
  // This cleans up after a test that hangs.
  onTestFinished(() => {
    stop()
    vi.useRealTimers()
  })
  try {
    const outcome = work()
    await Promise.race([reached, outcome.then(stop, stop)])
    while (!isOver) {
      await aTurn()
      if (!isOver) vi.advanceTimersToNextTimer()
    }
    return await outcome
  } finally {
    vi.useRealTimers()
  }
}
