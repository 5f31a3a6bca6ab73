/** The thread in which `test-work.ts` counts. */
import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'

export interface Reading {
  readonly name: string
  /** Reads a text of this length. */
  read(length: number): void
}

export interface CountedWork {
  readonly name: string
  /** One for each length. */
  readonly counts: readonly number[]
}

export function countAll(readings: readonly Reading[]): void {
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

/** Since it was last taken, of all code but Node's own. */
function takeCount(session: Session): number {
  let sum = 0
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error
    for (const { url, functions } of coverage.result) {
      if (url.startsWith('node:')) continue
      for (const { ranges } of functions) for (const { count } of ranges) sum += count
    }
  })
  return sum
}
