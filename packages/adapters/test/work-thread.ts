/** The thread in which `work.ts` counts work. */
import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'

export interface Reading {
  readonly name: string
  /** Processes a text of this length. */
  read(length: number): void
}

/** Returns every sixth reading, or all of them for full counts. */
export function chooseReadings(readings: readonly Reading[]): readonly Reading[] {
  return readings.filter((_, index) => process.env.X_FULL || index % 6 === 0)
}

export interface CountedWork {
  readonly name: string
  /** The counts, one for each length. */
  readonly counts: readonly number[]
}

/** Number of characters that V8 read inside a single call. V8 doesn't count this work. */
let scanned = 0

/**
 * Counts the characters between the start and the end of each search. Covers only functions with which readers search all received text.
 */
function countSearches(): void {
  const { indexOf, lastIndexOf } = String.prototype
  String.prototype.indexOf = function (this: string, wanted, from = 0) {
    const found = indexOf.call(this, wanted, from)
    scanned += Math.max(0, (found < 0 ? this.length : found) - from)
    return found
  }
  String.prototype.includes = function (this: string, wanted, from) {
    return this.indexOf(wanted, from) >= 0
  }
  String.prototype.lastIndexOf = function (this: string, wanted, from = this.length) {
    const found = lastIndexOf.call(this, wanted, from)
    scanned += Math.max(0, Math.min(from, this.length) - Math.max(0, found))
    return found
  }
  const { exec } = RegExp.prototype
  RegExp.prototype.exec = function (text) {
    const start = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, text)
    const end = match === null ? (this.sticky ? start + 1 : text.length) : match.index + match[0].length
    scanned += Math.max(0, end - start)
    return match
  }
}

export function countAll(readings: readonly Reading[]): void {
  countSearches()
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  takeCount(session)
  const counted = readings.map(({ name, read }) => {
    const counts = (workerData as readonly number[]).map((length) => {
      read(length)
      return takeCount(session)
    })
    return { name, counts }
  })
  parentPort?.postMessage(counted)
}

/** Returns the work since the last call: executions of all code except Node's own, and characters in searches. */
function takeCount(session: Session): number {
  let sum = scanned
  scanned = 0
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error
    for (const { url, functions } of coverage.result) {
      if (url.startsWith('node:')) continue
      for (const { ranges } of functions) for (const { count } of ranges) sum += count
    }
  })
  return sum
}
