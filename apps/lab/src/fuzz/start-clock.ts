/** A clock for timeouts on a busy machine. */

/** Starts the clock. The returned function returns the milliseconds since then. */
export type StartClock = () => () => number

/** Measures the smaller of clock time and CPU time, in milliseconds. Other processes add to the first, other threads to the second. */
export function startProcessorClock(): () => number {
  const [clock, processor] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(processor)
    return Math.min(performance.now() - clock, (user + system) / 1000)
  }
}
