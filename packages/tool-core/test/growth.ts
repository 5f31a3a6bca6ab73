/**
 * Compares amounts of work that V8 does inside single calls, such as matching a pattern or copying a list, so that they can't be counted.
 * Processor time of two amounts is compared, and never with a limit: a busy or slow machine takes longer for both.
 */

/** How many times as large the large input is. */
const FACTOR = 32
/** Linear work takes as long for one large input as for 32 small ones. Quadratic work takes 32 times as long. */
const MOST = 8
const ROUNDS = 4
/** Number of rounds if the work seems to take too long. Beside busy threads, few rounds measure only the work. */
const MOST_ROUNDS = 64

/** Returns true if the work grows about as fast as its size. `small` is the smaller of the two sizes that are compared. */
export function isLinear(work: (size: number) => unknown, small: number): boolean {
  const inParts = () => {
    for (let part = 0; part < FACTOR; part++) work(small)
  }
  return isAtMost(MOST, () => work(small * FACTOR), inParts)
}

/** Returns true if the work takes at most `times` the processor time of other work. */
export function isAtMost(times: number, work: () => unknown, other: () => unknown): boolean {
  // The first run is slower, because functions aren't compiled yet.
  other()
  let [least, leastOther] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < MOST_ROUNDS; round++) {
    leastOther = Math.min(leastOther, timeOf(other))
    least = Math.min(least, timeOf(work))
    if (round >= ROUNDS - 1 && least <= times * leastOther) return true
  }
  return false
}

/** Returns microseconds. On Node 20, other threads of the process count too, so only the least of several is comparable. */
function timeOf(work: () => unknown): number {
  const started = now()
  work()
  return now() - started
}

function now(): number {
  // Linux updates the time of a thread every few milliseconds, and whenever the time of its process is read.
  const ofProcess = process.cpuUsage()
  const { threadCpuUsage } = process as { readonly threadCpuUsage?: () => typeof ofProcess }
  const { user, system } = threadCpuUsage?.() ?? ofProcess
  return user + system
}
