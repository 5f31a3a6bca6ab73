/** For tests of timers: a clock that stands still and advances only to the next timer. */
import { onTestFinished, vi } from 'vitest'

const nextTurn = globalThis.setImmediate

/**
 * Settles as `work` does. After each turn of the event loop the clock moves on to the next timer. No test waits for a timer, and a
 * busy machine lets no deadline pass early.
 */
export async function onFakeClock<T>(work: () => Promise<T>): Promise<T> {
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
    outcome.then(stop, stop)
    while (!isOver) {
      await new Promise((resolve) => nextTurn(resolve))
      if (!isOver) vi.advanceTimersToNextTimer()
    }
    return await outcome
  } finally {
    vi.useRealTimers()
  }
}
