/** What the samples say: a row for each cell, and whether each goal is met. */
import type { Bench, Sample } from './bench.ts'
import { type Comparison, cellKey, comparisonKey, type Measurement, type Pairs } from './measure.ts'
import { type Summary, summarize } from './statistics.ts'

export interface Report {
  readonly bench: string
  readonly machine: object
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
  readonly goals: readonly GoalResult[]
}

/** The figures are null when the subject failed. */
export interface Row {
  readonly subject: string
  readonly case: string
  readonly median: number | null
  /** `us/step` is CPU time; `us/step wall` is what the clock says. */
  readonly unit: string
  /** The quartiles of the batches. */
  readonly spread: Summary['spread'] | null
  /** The median of the ratios to the base, round by round. */
  readonly ratio: number | null
  readonly ratioSpread: Summary['spread'] | null
  readonly error?: string
}

export interface GoalResult {
  readonly name: string
  /** The ratio that must not be exceeded. */
  readonly goal: number
  /** The median of the ratios of CPU time, round by round; null when a subject failed. */
  readonly measured: number | null
  readonly met: boolean
  readonly spread: Summary['spread'] | null
  /** The same ratio by the clock. */
  readonly measuredWall: number | null
  readonly error?: string
}

type Dimension = keyof Sample

export function toRows(bench: Bench, measurement: Measurement): readonly Row[] {
  const units: readonly (readonly [Dimension, string])[] = [
    ['cpu', `us/${bench.per}`],
    ['wall', `us/${bench.per} wall`],
  ]
  return units.flatMap(([dimension, unit]) =>
    bench.cases.flatMap((caseName) =>
      bench.subjects.map(({ name }) => toRow(bench, measurement, { subject: name, case: caseName }, dimension, unit)),
    ),
  )
}

function toRow(
  bench: Bench,
  { pairs, failures }: Measurement,
  cell: { subject: string; case: string },
  dimension: Dimension,
  unit: string,
): Row {
  const base = { subject: bench.base, case: cell.case }
  const error = failures.get(cellKey(cell)) ?? failures.get(cellKey(base))
  if (error !== undefined) return { ...cell, median: null, unit, spread: null, ratio: null, ratioSpread: null, error }
  if (cell.subject === bench.base) {
    // The base was measured beside every other subject.
    const samples = pairs.filter(({ over }) => cellKey(over) === cellKey(base)).flatMap(({ overSamples }) => overSamples)
    const { median, spread } = summarize(samples.map((sample) => sample[dimension]))
    return { ...cell, median, unit, spread, ratio: 1, ratioSpread: [1, 1] }
  }
  const pair = pairOf(pairs, { cell, over: base })
  const { median, spread } = summarize(pair.samples.map((sample) => sample[dimension]))
  const ratios = summarize(toRatios(pair, dimension))
  return { ...cell, median, unit, spread, ratio: ratios.median, ratioSpread: ratios.spread }
}

export function toGoals(bench: Bench, { pairs, failures }: Measurement): readonly GoalResult[] {
  return bench.goals.map(({ name, limit: goal, cell, over }) => {
    const error = failures.get(cellKey(cell)) ?? failures.get(cellKey(over))
    if (error !== undefined) return { name, goal, measured: null, met: false, spread: null, measuredWall: null, error }
    const pair = pairOf(pairs, { cell, over })
    const { median: measured, spread } = summarize(toRatios(pair, 'cpu'))
    const { median: measuredWall } = summarize(toRatios(pair, 'wall'))
    return { name, goal, measured, met: measured <= goal, spread, measuredWall }
  })
}

function pairOf(pairs: readonly Pairs[], comparison: Comparison): Pairs {
  const key = comparisonKey(comparison)
  const pair = pairs.find((candidate) => comparisonKey(candidate) === key)
  if (pair === undefined) throw new Error(`Nothing was measured of ${key}.`)
  return pair
}

/** Round by round, so that a machine that changes its speed changes both sides. */
function toRatios({ samples, overSamples }: Pairs, dimension: Dimension): readonly number[] {
  return samples.map((sample, round) => sample[dimension] / (overSamples[round] as Sample)[dimension])
}
