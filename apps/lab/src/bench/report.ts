/** What the samples say: a row for each cell, and whether each goal is met. */
import type { Bench, Cell, Sample } from './bench.ts'
import { type Comparison, cellKey, comparisonKey, type Measurement, type Pairs } from './measure.ts'
import { type Summary, summarize } from './statistics.ts'

export interface Report {
  readonly bench: string
  /** The subject that every ratio of a row is against. */
  readonly base: string
  readonly machine: object
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
  readonly goals: readonly GoalResult[]
}

interface Figures {
  readonly median: number
  /** The quartiles of the batches. */
  readonly spread: Summary['spread']
  /** The median of the ratios to the base, round by round. */
  readonly ratio: number
  readonly ratioSpread: Summary['spread']
}

/** CPU time, with what the clock says beside it. The figures are null when the subject failed. */
export interface Row extends Nullable<Figures> {
  readonly subject: string
  readonly case: string
  readonly unit: string
  readonly wall: Figures | null
  readonly error?: string
}

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null }

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
  return bench.cases.flatMap((caseName) =>
    bench.subjects.map(({ name }) => toRow(bench, measurement, { subject: name, case: caseName })),
  )
}

function toRow(bench: Bench, { pairs, failures }: Measurement, cell: Cell): Row {
  const base = { subject: bench.base, case: cell.case }
  const unit = `us/${bench.per}`
  const error = failures.get(cellKey(cell)) ?? failures.get(cellKey(base))
  if (error !== undefined) return { ...cell, median: null, unit, spread: null, ratio: null, ratioSpread: null, wall: null, error }
  const figures = (dimension: Dimension) =>
    cell.subject === bench.base ? baseFigures(pairs, base, dimension) : subjectFigures(pairs, { cell, over: base }, dimension)
  return { ...cell, ...figures('cpu'), unit, wall: figures('wall') }
}

/** The base was measured beside every other subject. */
function baseFigures(pairs: readonly Pairs[], base: Cell, dimension: Dimension): Figures {
  const samples = pairs.filter(({ over }) => cellKey(over) === cellKey(base)).flatMap(({ overSamples }) => overSamples)
  return { ...summarize(samples.map((sample) => sample[dimension])), ratio: 1, ratioSpread: [1, 1] }
}

function subjectFigures(pairs: readonly Pairs[], comparison: Comparison, dimension: Dimension): Figures {
  const pair = pairOf(pairs, comparison)
  const ratios = summarize(toRatios(pair, dimension))
  return { ...summarize(pair.samples.map((sample) => sample[dimension])), ratio: ratios.median, ratioSpread: ratios.spread }
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
