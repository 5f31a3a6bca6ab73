/** The timeout of a tool that asks questions. It is paused while the user is being asked. */

export interface Deadline {
  /** Resolves when the time is up. */
  readonly passed: Promise<'passed'>
  /** Pauses the deadline while the work runs. */
  without<T>(work: () => Promise<T>): Promise<T>
  end(): void
}

const LONGEST_TIMER = 2 ** 31 - 1

export function startDeadline(timeoutMs: number): Deadline {
  let left = timeoutMs
  let since = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting = 0
  let pass: (passed: 'passed') => void = () => {}
  const passed = new Promise<'passed'>((resolve) => {
    pass = resolve
  })
  const start = () => {
    since = performance.now()
    if (left <= LONGEST_TIMER) timer = setTimeout(() => pass('passed'), left)
  }
  const stop = () => {
    clearTimeout(timer)
    left -= performance.now() - since
  }
  start()
  return {
    passed,
    async without(work) {
      if (waiting++ === 0) stop()
      try {
        return await work()
      } finally {
        if (--waiting === 0) start()
      }
    },
    end() {
      // A question that is still open when the call ends must not restart the timer.
      left = Number.POSITIVE_INFINITY
      clearTimeout(timer)
    },
  }
}
