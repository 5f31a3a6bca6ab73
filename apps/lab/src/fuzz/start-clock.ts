/** A clock for what takes too long on a machine that does other work as well. */

/** Starts to measure: the result gives the milliseconds since then. */
export type StartClock = () => () => number

/** Milliseconds by the clock or of the processor, whichever are fewer: a busy machine stops the first, other threads add to the second. */
export function startProcessorClock(): () => number {
  const [clock, processor] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(processor)
    return Math.min(performance.now() - clock, (user + system) / 1000)
  }
}
