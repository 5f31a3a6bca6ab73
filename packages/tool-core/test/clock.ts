/** A clock for tests of timers. It stands still until it is advanced to the next timer. */
import { onTestFinished, vi } from 'vitest'

const nextTurn = globalThis.setImmediate

/**
 * Runs `work` and settles with its result. After each turn of the event loop, advances the clock to the next timer. No test therefore waits
 * for a timer, and no deadline passes early on a busy machine.
 */
export async function onFakeClock<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers()
  let isOver = false
  const stop = () => {
    isOver = true
  }
  // Also restores the clock after a test that hangs.
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
