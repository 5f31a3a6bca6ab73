/** Measures in rounds. In each round, every comparison measures its two cells back to back. */
import type { Bench, Cell, Sample, Subject } from '../bench.ts'
import type { Question } from './subject-protocol.ts'

/** Two cells that are measured together. */
export interface Comparison {
  readonly cell: Cell
  readonly over: Cell
}

/** Samples of one comparison. Samples with the same index are from the same round. */
export interface Pairs extends Comparison {
  readonly samples: readonly Sample[]
  readonly overSamples: readonly Sample[]
}

export interface Measurement {
  readonly pairs: readonly Pairs[]
  /** Reasons why cells couldn't be measured, keyed by `cellKey`. */
  readonly failures: ReadonlyMap<string, string>
}

/** A process that runs one cell. */
export interface CellProcess {
  ask(question: Question): Promise<Sample>
  close(): void
}

export interface MeasureOptions {
  readonly start: (cell: Cell) => CellProcess
  readonly rounds: number
  readonly batchMs: number
  readonly warmUpMs: number
  readonly log: (line: string) => void
}

/** Measures case by case, so that each subject has at most one process at a time. A cell that fails is skipped and reported. */
export async function measure(bench: Bench, options: MeasureOptions): Promise<Measurement> {
  const failures = new Map<string, string>()
  const pairs: Pairs[] = []
  for (const caseName of bench.cases) {
    const comparisons = comparisonsOf(bench).filter(({ cell }) => cell.case === caseName)
    pairs.push(...(await measureTogether(comparisons, failures, options)))
  }
  return { pairs, failures }
}

/** Compares every subject with the baseline in every case, and adds the other comparisons that goals need. */
export function comparisonsOf({ base, subjects, cases, goals }: Bench): readonly Comparison[] {
  const rows = cases.flatMap((name) =>
    subjects
      .filter((subject) => subject.name !== base && isDoing(subject, name))
      .map((subject) => ({ cell: { subject: subject.name, case: name }, over: { subject: base, case: name } })),
  )
  const all = [...rows, ...goals.map(({ cell, over }) => ({ cell, over }))]
  return [...new Map(all.map((comparison) => [comparisonKey(comparison), comparison])).values()]
}

export function isDoing({ cases }: Subject, caseName: string): boolean {
  return cases?.includes(caseName) ?? true
}

export function comparisonKey({ cell, over }: Comparison): string {
  return `${cellKey(cell)} over ${cellKey(over)}`
}

export function cellKey({ subject, case: caseName }: Cell): string {
  return `${subject} at ${caseName}`
}

async function measureTogether(
  comparisons: readonly Comparison[],
  failures: Map<string, string>,
  { start, rounds, batchMs, warmUpMs, log }: MeasureOptions,
): Promise<readonly Pairs[]> {
  const processes = new Map<string, CellProcess>()
  const ask = async (cell: Cell, question: Question) => {
    const key = cellKey(cell)
    try {
      return await processes.get(key)?.ask(question)
    } catch (error) {
      failures.set(key, (error as Error).message)
      log(`${key}: ${(error as Error).message}`)
      return undefined
    }
  }
  const isMeasured = ({ cell, over }: Comparison) => !failures.has(cellKey(cell)) && !failures.has(cellKey(over))
  const running = comparisons.map((comparison) => ({
    ...comparison,
    samples: [] as Sample[],
    overSamples: [] as Sample[],
  }))

  try {
    for (const [key, cell] of cellsOf(comparisons)) {
      log(`Preparing ${key}`)
      processes.set(key, start(cell))
      await ask(cell, { type: 'open', warmUpMs })
    }
    for (let round = 1; round <= rounds; round++) {
      log(`Round ${round} of ${rounds}`)
      for (const { cell, over, samples, overSamples } of running.filter(isMeasured)) {
        // The order alternates between rounds.
        const order = round % 2 === 1 ? [over, cell] : [cell, over]
        const taken = new Map<Cell, Sample | undefined>()
        for (const next of order) taken.set(next, await ask(next, { type: 'measure', batchMs }))
        const sample = taken.get(cell)
        const overSample = taken.get(over)
        if (sample === undefined || overSample === undefined) continue
        samples.push(sample)
        overSamples.push(overSample)
      }
    }
  } finally {
    for (const process of processes.values()) process.close()
  }
  return running.filter(isMeasured)
}

function cellsOf(comparisons: readonly Comparison[]): ReadonlyMap<string, Cell> {
  return new Map(comparisons.flatMap(({ cell, over }) => [over, cell]).map((cell) => [cellKey(cell), cell]))
}
