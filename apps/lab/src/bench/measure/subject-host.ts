/** Runs one workload and measures it in batches. */
import { setImmediate } from 'node:timers/promises'
import type { Sample, Workload } from '../bench.ts'
import type { Answer, Question } from './subject-protocol.ts'

/** The warm-up ends after two consecutive pieces of work that are less than 5 % faster than the fastest earlier one. */
const GAIN = 0.95
const ENOUGH = 2
const MOST_PIECES = 10

export class SubjectHost {
  readonly #open: () => Promise<Workload>
  #workload: Workload | undefined

  constructor(open: () => Promise<Workload>) {
    this.#open = open
  }

  /** Handles a request. Never rejects: if the subject fails, the reply contains the error. */
  async answer(question: Question): Promise<Answer> {
    try {
      if (question.type === 'open') return { sample: await this.#prepare(question.warmUpMs) }
      if (this.#workload === undefined) return { error: 'The workload is not open.' }
      return { sample: await measure(this.#workload, question.batchMs) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  async #prepare(warmUpMs: number): Promise<Sample> {
    const workload = await this.#open()
    await workload.verify()
    this.#workload = workload
    return workload.sample?.() ?? warmUp(workload, warmUpMs)
  }
}

/** Repeats the work until it no longer gets faster, so that the engine has compiled the code. */
async function warmUp(workload: Workload, pieceMs: number): Promise<Sample> {
  let best = await measure(workload, pieceMs)
  let noFaster = 0
  for (let piece = 1; piece < MOST_PIECES && noFaster < ENOUGH; piece++) {
    const sample = await measure(workload, pieceMs)
    noFaster = sample.cpu < best.cpu * GAIN ? 0 : noFaster + 1
    if (sample.cpu < best.cpu) best = sample
  }
  return best
}

async function measure({ run, units, sample }: Workload, leastMs: number): Promise<Sample> {
  if (sample !== undefined) return sample()
  // Lets timers and short-lived garbage of earlier work be handled here, so that they don't count in this batch.
  await setImmediate()
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
  const startedCpu = process.cpuUsage()
  const started = performance.now()
  let runs = 0
  let elapsed = 0
  do {
    await run()
    runs++
    elapsed = performance.now() - started
  } while (elapsed < leastMs)
  const { user, system } = process.cpuUsage(startedCpu)
  return { cpu: (user + system) / (runs * units), wall: (elapsed * 1000) / (runs * units) }
}
