/** A clock for timeouts on a busy machine. */

/** Starts the clock. Returns a function that returns the milliseconds since the start. */
export type StartClock = () => () => number

/** Measures the smaller of wall time and CPU time, because other processes add to the wall time, and other threads add to the CPU time. */
export function startProcessorClock(): () => number {
  const [clock, processor] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(processor)
    return Math.min(performance.now() - clock, (user + system) / 1000)
  }
}
