/** The workload of the `durable` bench: executes durable runs, and times each run's function from its call to its end. */
import { setImmediate } from 'node:timers/promises'
import type { Sample, Workload } from '../bench.ts'
import type { DurableScript } from './durable-script.ts'
import type { Servers } from './durable-servers.ts'

/** The exports of a subject's module. */
export interface DurableSubject {
  open(work: DurableWork): Promise<DurableRuns>
}

export type Effect = 'read' | 'idempotent' | 'write'

export interface DurableWork {
  readonly script: DurableScript
  /** Effects of the tools, by name. */
  readonly tools: Readonly<Record<string, Effect>>
  /** Empty directory for the subject's files. */
  readonly folder: string
  readonly servers: Servers
  /** Times a run's function. The subject must pass every run's function through this method. */
  timed<T>(fn: () => Promise<T>): Promise<T>
}

export interface DurableRuns {
  /** Executes a new run. Resolves to the final text. */
  run(id: string): Promise<string>
  /** Executes a new run, and its function once more from the records of all turns. */
  replay?(id: string): Promise<void>
  /** Returns the stored records of a finished run. Resolves to undefined if the subject stores nothing. */
  recorded(id: string): Promise<string | undefined>
  close(): Promise<void>
}

/** A batch repeats runs sequentially until their functions have taken this long in total. */
const BATCH_MS = 250
/** Length of the first batch, which is the warm-up. */
const WARM_UP_MS = 2000

/**
 * Opens a workload of sequential runs whose functions are timed, or of `atOnce` concurrent runs, which are timed from the first start to the
 * last result.
 */
export async function openDurable(
  subject: DurableSubject,
  work: Omit<DurableWork, 'timed'>,
  atOnce = 1,
): Promise<Workload & Pick<DurableRuns, 'close'>> {
  const { script } = work
  const clock = new Clock()
  const runs = await subject.open({ ...work, timed: (fn) => clock.time(fn) })
  let count = 0
  let least = WARM_UP_MS
  const run = async () => {
    const before = clock.times
    await script.check(...Array.from({ length: atOnce }, () => () => runs.run(`run-${++count}`)))
    if (clock.times !== before + atOnce)
      throw new Error(`The functions of ${atOnce} runs were called ${clock.times - before} times.`)
  }
  return {
    units: atOnce * script.steps,
    async verify() {
      await script.watch(() => runs.run('verified'))
      const records = await runs.recorded('verified')
      if (records !== undefined) script.assertRecorded(records)
    },
    run,
    async sample() {
      await setImmediate()
      globalThis.gc?.({ type: 'minor', execution: 'sync' })
      clock.reset()
      const all = new Clock()
      const timed = atOnce === 1 ? clock : all
      do await all.time(run)
      while (timed.wall < least * 1000)
      least = BATCH_MS
      const steps = clock.times * script.steps
      return { cpu: timed.cpu / steps, wall: timed.wall / steps }
    },
    close: () => runs.close(),
  }
}

/** Adds up the time that functions take, in microseconds. */
class Clock implements Sample {
  times = 0
  cpu = 0
  wall = 0

  reset(): void {
    this.times = 0
    this.cpu = 0
    this.wall = 0
  }

  async time<T>(fn: () => Promise<T>): Promise<T> {
    const startedCpu = process.cpuUsage()
    const started = performance.now()
    try {
      return await fn()
    } finally {
      this.wall += (performance.now() - started) * 1000
      const { user, system } = process.cpuUsage(startedCpu)
      this.cpu += user + system
      this.times++
    }
  }
}
