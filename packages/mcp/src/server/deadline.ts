/** The timeout of a tool that asks questions. It is paused while the user is being asked. */
import { PausableTimer } from '../pausable-timer.ts'

export interface Deadline {
  /** Resolves when the time is up. */
  readonly passed: Promise<'passed'>
  /** Pauses the deadline while the work runs. */
  without<T>(work: () => Promise<T>): Promise<T>
  end(): void
}

export function startDeadline(timeoutMs: number): Deadline {
  let pass = () => {}
  const passed = new Promise<'passed'>((resolve) => {
    pass = () => resolve('passed')
  })
  const timer = new PausableTimer(timeoutMs, pass)
  return {
    passed,
    async without(work) {
      timer.pause()
      try {
        return await work()
      } finally {
        timer.resume()
      }
    },
    end: () => timer.stop(),
  }
}
