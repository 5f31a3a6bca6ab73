/** For tests of what a timer decides: a clock that stands still, and moves only from timer to timer. */
import { onTestFinished, vi } from 'vitest'

const nextImmediate = globalThis.setImmediate

/** A turn of the event loop, also while the clock stands still. Whatever waits for promises alone has gone on by then. */
export const aTurn = (): Promise<void> => new Promise((resolve) => nextImmediate(resolve))

/** A promise, and the function that resolves it. */
export function event(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { reached, reach: () => reach() }
}

/**
 * Settles as `work` does. The clock stands still until `reached` resolves; from then on it moves to the next timer after each turn of
 * the event loop. No test waits for a timer, and a busy machine lets no deadline pass early.
 */
export async function onFakeClock<T>(work: () => Promise<T>, reached?: Promise<unknown>): Promise<T> {
  vi.useFakeTimers()
  let isOver = false
  const stop = () => {
    isOver = true
  }
  // For a test that hangs.
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
