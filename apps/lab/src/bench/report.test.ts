/** Tests measuring and reporting, with processes that return known figures. */
import { expect, it } from 'vitest'
import type { Bench, Cell, Goal, Limit, Sample } from './bench.ts'
import { type CellProcess, comparisonKey, comparisonsOf, measure } from './measure/measure.ts'
import { toGoals, toRows } from './report.ts'
import { toText } from './table.ts'

const own = { subject: 'own', case: 'small' }
const ownLarge = { subject: 'own', case: 'large' }
const peer = { subject: 'peer', case: 'small' }

function benchOf(goals: readonly Goal[]): Bench {
  const subjects = ['base', 'own', 'peer'].map((name) => ({ name, packages: [], load: async () => undefined }))
  const open = () => Promise.reject(new Error('Nothing is opened here.'))
  return { name: 'known', per: 'step', base: 'base', cases: ['small', 'large'], subjects, goals, open }
}

/** Starts a process that computes the figure of each batch with `figure`. The n-th request is round n of some comparison. */
function startBy(figure: (cell: Cell, batch: number) => number, asked: string[] = []): (cell: Cell) => CellProcess {
  return (cell) => {
    let batch = 0
    return {
      async ask(question): Promise<Sample> {
        if (question.type === 'open') return { cpu: 0, wall: 0 }
        asked.push(cell.subject)
        const cpu = figure(cell, batch++)
        return { cpu, wall: cpu * 2 }
      },
      close() {},
    }
  }
}

const options = { rounds: 3, batchMs: 1, warmUpMs: 1, log: () => {} }

it('compares every subject with the baseline and every goal with its own pair, each pair once', () => {
  const bench = benchOf([
    { name: 'beside the base', limit: 6, cell: own, over: { subject: 'base', case: 'small' } },
    { name: 'beside a peer', limit: 1, cell: own, over: peer },
    { name: 'growth', limit: 1.2, cell: ownLarge, over: own },
  ])
  expect(comparisonsOf(bench).map(comparisonKey)).toEqual([
    'own at small over base at small',
    'peer at small over base at small',
    'own at large over base at large',
    'peer at large over base at large',
    'own at small over peer at small',
    'own at large over own at small',
  ])
})

it('alternates which side of a pair comes first', async () => {
  const asked: string[] = []
  const bench = { ...benchOf([]), cases: ['small'], subjects: benchOf([]).subjects.slice(0, 2) }
  await measure(bench, { ...options, start: startBy(() => 1, asked) })
  expect(asked).toEqual(['base', 'own', 'own', 'base', 'base', 'own'])
})

it('computes ratios round by round, so that a slower machine changes none', async () => {
  const speed = (batch: number) => 10 ** batch
  const bench = { ...benchOf([]), cases: ['small'], subjects: benchOf([]).subjects.slice(0, 2) }
  const start = startBy(({ subject }, batch) => (subject === 'own' ? 3 : 1) * speed(batch))
  const rows = toRows(bench, await measure(bench, { ...options, start }))
  const base = { median: 10, spread: [5.5, 55], ratio: 1, ratioSpread: [1, 1] }
  const trebled = { median: 30, spread: [16.5, 165], ratio: 3, ratioSpread: [3, 3] }
  expect(rows).toEqual([
    { subject: 'base', case: 'small', unit: 'us/step', ...base, wall: { ...base, median: 20, spread: [11, 110] } },
    { subject: 'own', case: 'small', unit: 'us/step', ...trebled, wall: { ...trebled, median: 60, spread: [33, 330] } },
  ])
})

it('meets a goal when the median of its ratios is at most the limit', async () => {
  const bench = benchOf([
    { name: 'just met', limit: 0.5, cell: own, over: peer },
    { name: 'not met', limit: 0.49, cell: own, over: peer },
  ])
  const figures: Record<string, number> = { base: 1, own: 2, peer: 4 }
  const measurement = await measure(bench, { ...options, start: startBy(({ subject }) => figures[subject] as number) })
  expect(toGoals(bench, measurement)).toEqual([
    { name: 'just met', goal: 0.5, unit: 'ratio', measured: 0.5, met: true, spread: [0.5, 0.5], measuredWall: 0.5 },
    { name: 'not met', goal: 0.49, unit: 'ratio', measured: 0.5, met: false, spread: [0.5, 0.5], measuredWall: 0.5 },
  ])
})

it('reports a failing subject in its row, and its goals as not met', async () => {
  const bench = benchOf([{ name: 'beside a peer', limit: 1, cell: own, over: peer }])
  const start = startBy(({ subject }) => {
    if (subject === 'peer') throw new Error('It broke.')
    return 1
  })
  const measurement = await measure(bench, { ...options, start })
  const rows = toRows(bench, measurement)
  const failed = { median: null, spread: null, ratio: null, ratioSpread: null, wall: null, error: 'It broke.' }
  expect(rows.filter(({ subject }) => subject === 'peer')).toEqual([
    { ...peer, unit: 'us/step', ...failed },
    { ...peer, case: 'large', unit: 'us/step', ...failed },
  ])
  expect(rows.filter(({ subject, error }) => subject !== 'peer' && error !== undefined)).toEqual([])
  const goals = toGoals(bench, measurement)
  expect(goals).toMatchObject([{ name: 'beside a peer', goal: 1, measured: null, met: false, error: 'It broke.' }])
  const text = toText({ bench: 'known', base: 'base', machine: { cores: 2 }, versions: { own: '1.0.0' }, rows, goals })
  expect(text).toContain('✗ beside a peer: It broke.')
  expect(text).toContain('0 met, 1 not met')
})

it('computes ratios of wall time for goals that require it', async () => {
  const bench = benchOf([{ name: 'wall time', limit: 1, cell: own, over: peer, by: 'wall' }])
  const start = (cell: Cell): CellProcess => ({
    ask: async () => (cell.subject === 'own' ? { cpu: 9, wall: 2 } : { cpu: 1, wall: 4 }),
    close() {},
  })
  const goals = toGoals(bench, await measure(bench, { ...options, start }))
  expect(goals).toMatchObject([{ measured: 0.5, spread: [0.5, 0.5], measuredWall: 0.5, met: true }])
})

it('meets a limit in wall time', async () => {
  const limits: readonly Limit[] = [
    { name: 'just met', most: 20, cell: own },
    { name: 'not met', most: 19, cell: own },
  ]
  const bench = { ...benchOf([{ name: 'a goal', limit: 1, cell: own, over: peer }]), limits }
  const measurement = await measure(bench, { ...options, start: startBy(() => 10) })
  const measured = { unit: 'us/step', measured: 20, spread: [20, 20], measuredWall: 20 }
  const goals = toGoals(bench, measurement)
  expect(goals.slice(1)).toEqual([
    { name: 'just met', goal: 20, met: true, ...measured },
    { name: 'not met', goal: 19, met: false, ...measured },
  ])
  const text = toText({ bench: 'known', base: 'base', machine: {}, versions: {}, rows: [], goals })
  expect(text).toContain('✓ a goal (1): 1 [1 – 1], wall time 1')
  expect(text).toContain('✗ not met (19 us/step): 20 [20 – 20]')
})

it('skips cases that a subject does not support', async () => {
  const all = benchOf([])
  const subjects = all.subjects.map((subject) => (subject.name === 'peer' ? { ...subject, cases: ['large'] } : subject))
  const bench = { ...all, subjects }
  expect(comparisonsOf(bench).map(comparisonKey)).toEqual([
    'own at small over base at small',
    'own at large over base at large',
    'peer at large over base at large',
  ])
  const rows = toRows(bench, await measure(bench, { ...options, start: startBy(() => 1) }))
  expect(rows.map((row) => `${row.subject} at ${row.case}`)).toEqual([
    'base at small',
    'own at small',
    'base at large',
    'own at large',
    'peer at large',
  ])
})

it('reports a baseline and a limit without anything left to compare with', async () => {
  const limits = [{ name: 'a limit', most: 1, cell: { subject: 'base', case: 'small' } }]
  const bench = { ...benchOf([]), limits }
  const start = startBy(({ subject }) => {
    if (subject !== 'base') throw new Error('It broke.')
    return 1
  })
  const measurement = await measure(bench, { ...options, start })
  const error = 'No measured cell was left to compare it with.'
  expect(toRows(bench, measurement)[0]).toMatchObject({ subject: 'base', case: 'small', median: null, error })
  expect(toGoals(bench, measurement)).toMatchObject([{ name: 'a limit', measured: null, met: false, error }])
})

it('shows a table of other figures after the goals', () => {
  const table = { title: 'Tasks', head: ['task', 'calls', 'ms'], rows: [['one', 12_345, 1.2345]] }
  const text = toText({ bench: 'known', base: 'base', machine: {}, versions: {}, rows: [], goals: [], table })
  expect(text.split('\n').slice(-3)).toEqual(['Tasks', '  task   calls    ms', '  one   12,345  1.23'])
})
