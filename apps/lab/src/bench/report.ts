/** Evaluates the samples: a row for each cell, and whether each goal is met. */
import type { Bench, Cell, Goal, Limit, Sample, Table } from './bench.ts'
import { type Comparison, cellKey, comparisonKey, isDoing, type Measurement, type Pairs } from './measure/measure.ts'
import { type Summary, summarize } from './measure/statistics.ts'

export interface Report {
  readonly bench: string
  /** The subject that all ratios refer to. */
  readonly base: string
  readonly machine: object
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
  readonly goals: readonly GoalResult[]
  readonly table?: Table | undefined
}

interface Figures {
  readonly median: number
  /** First and third quartile. */
  readonly spread: Summary['spread']
  /** Median of the per-round ratios to the base. */
  readonly ratio: number
  readonly ratioSpread: Summary['spread']
}

/** One row. The figures are of CPU time, and those in `wall` are of wall time. They are null if the subject failed. */
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
  /** The maximum that the goal allows. */
  readonly goal: number
  /** A ratio, or microseconds per unit of the bench. */
  readonly unit: string
  /** The goal's median of per-round ratios, or the limit's median time. Null if a subject failed. */
  readonly measured: number | null
  readonly met: boolean
  readonly spread: Summary['spread'] | null
  /** Like `measured`, but always in wall time. */
  readonly measuredWall: number | null
  readonly error?: string
}

type Dimension = keyof Sample

export function toRows(bench: Bench, measurement: Measurement): readonly Row[] {
  return bench.cases.flatMap((caseName) =>
    bench.subjects
      .filter((subject) => isDoing(subject, caseName))
      .map(({ name }) => toRow(bench, measurement, { subject: name, case: caseName })),
  )
}

function toRow(bench: Bench, measurement: Measurement, cell: Cell): Row {
  const { pairs } = measurement
  const base = { subject: bench.base, case: cell.case }
  const unit = unitOf(bench)
  const error = whyNot(measurement, [cell, base])
  if (error !== undefined) return { ...cell, median: null, unit, spread: null, ratio: null, ratioSpread: null, wall: null, error }
  const figures = (dimension: Dimension) =>
    cell.subject === bench.base ? baseFigures(pairs, base, dimension) : subjectFigures(pairs, { cell, over: base }, dimension)
  return { ...cell, ...figures('cpu'), unit, wall: figures('wall') }
}

/** Summarizes all samples of the baseline, which was measured with every other subject. */
function baseFigures(pairs: readonly Pairs[], base: Cell, dimension: Dimension): Figures {
  return { ...summarize(samplesOf(pairs, base).map((sample) => sample[dimension])), ratio: 1, ratioSpread: [1, 1] }
}

function subjectFigures(pairs: readonly Pairs[], comparison: Comparison, dimension: Dimension): Figures {
  const pair = pairOf(pairs, comparison)
  const ratios = summarize(toRatios(pair, dimension))
  return { ...summarize(pair.samples.map((sample) => sample[dimension])), ratio: ratios.median, ratioSpread: ratios.spread }
}

/** Returns the goals, then the limits. */
export function toGoals(bench: Bench, measurement: Measurement): readonly GoalResult[] {
  const limits = bench.limits ?? []
  return [...bench.goals.map((goal) => toGoal(goal, measurement)), ...limits.map((limit) => toLimit(limit, bench, measurement))]
}

function toGoal({ name, limit: goal, cell, over, by = 'cpu' }: Goal, measurement: Measurement): GoalResult {
  const known = { name, goal, unit: 'ratio' }
  const error = whyNot(measurement, [cell, over])
  if (error !== undefined) return { ...known, ...UNMEASURED, error }
  const pair = pairOf(measurement.pairs, { cell, over })
  const { median: measured, spread } = summarize(toRatios(pair, by))
  const { median: measuredWall } = summarize(toRatios(pair, 'wall'))
  return { ...known, measured, met: measured <= goal, spread, measuredWall }
}

/** Checks a limit against the median of all samples of the cell. */
function toLimit({ name, most: goal, cell, by = 'wall' }: Limit, bench: Bench, measurement: Measurement): GoalResult {
  const known = { name, goal, unit: unitOf(bench) }
  const error = whyNot(measurement, [cell])
  if (error !== undefined) return { ...known, ...UNMEASURED, error }
  const samples = samplesOf(measurement.pairs, cell)
  const { median: measured, spread } = summarize(samples.map((sample) => sample[by]))
  const { median: measuredWall } = summarize(samples.map((sample) => sample.wall))
  return { ...known, measured, met: measured <= goal, spread, measuredWall }
}

const UNMEASURED = { measured: null, met: false, spread: null, measuredWall: null }

function unitOf({ per }: Bench): string {
  return `us/${per}`
}

/** Returns why there are no figures: a cell failed, or every cell to compare it with failed. */
function whyNot({ pairs, failures }: Measurement, cells: readonly Cell[]): string | undefined {
  const failed = cells.map((cell) => failures.get(cellKey(cell))).find((failure) => failure !== undefined)
  const isAlone = cells.some((cell) => samplesOf(pairs, cell).length === 0)
  return failed ?? (isAlone ? 'No measured cell was left to compare it with.' : undefined)
}

function samplesOf(pairs: readonly Pairs[], cell: Cell): readonly Sample[] {
  const key = cellKey(cell)
  return pairs.flatMap(({ cell: one, over, samples, overSamples }) => [
    ...(cellKey(one) === key ? samples : []),
    ...(cellKey(over) === key ? overSamples : []),
  ])
}

function pairOf(pairs: readonly Pairs[], comparison: Comparison): Pairs {
  const key = comparisonKey(comparison)
  const pair = pairs.find((candidate) => comparisonKey(candidate) === key)
  if (pair === undefined) throw new Error(`${key} was not measured.`)
  return pair
}

/** Computes each ratio within one round, because a change in the machine's speed then affects both figures. */
function toRatios({ samples, overSamples }: Pairs, dimension: Dimension): readonly number[] {
  return samples.map((sample, round) => sample[dimension] / (overSamples[round] as Sample)[dimension])
}
