/** The `shaping` suite: schemas from recorded requests, accepted tools and BFCL, shaped for each target. */
import { join } from 'node:path'
import { noCase, type Suite, type SuiteResult } from '../suite.ts'
import { countAll, failuresOf, mapGroups } from '../verdict.ts'
import { readShapingCases, type ShapingCase } from './shaping-case.ts'
import { checkShaping, type ShapingVerdict } from './shaping-check.ts'
import type { ShapingTarget } from './shaping-targets.ts'

const INSTANCES = 50

export function defineShapingSuite(targets: ReadonlyMap<string, ShapingTarget>): Suite {
  return {
    name: 'shaping',
    folder: 'wire',
    async run(corpus) {
      const cases = readShapingCases(corpus)
      if (cases.length === 0) throw noCase('shaping', join(corpus, 'requests.json'))
      return summarize(cases.flatMap((one) => checkCase(one, targets)))
    },
  }
}

/** Checks one case against the target for its dialect, or against every target if it has no dialect. */
export function checkCase(one: ShapingCase, targets: ReadonlyMap<string, ShapingTarget>): readonly ShapingVerdict[] {
  const { dialect } = one
  if (dialect === undefined) return [...targets].map(([name, target]) => check(one, name, target))
  const target = targets.get(dialect)
  return [target === undefined ? skipped(one, dialect) : check(one, dialect, target)]
}

function check(one: ShapingCase, group: string, target: ShapingTarget): ShapingVerdict {
  try {
    return checkShaping(one, group, target, INSTANCES)
  } catch (error) {
    return { ...skipped(one, group), outcome: 'failed', faults: [`threw ${error}`] }
  }
}

function skipped({ id }: ShapingCase, group: string): ShapingVerdict {
  return {
    id,
    group,
    outcome: 'skipped',
    faults: [],
    losses: [],
    strict: false,
    restores: false,
    isSame: false,
    judgement: undefined,
  }
}

function summarize(verdicts: readonly ShapingVerdict[]): SuiteResult {
  const wires = mapGroups(verdicts, (of) => {
    const actions = of.flatMap(({ losses }) => losses.map(({ action }) => action))
    const countOf = (action: string) => actions.filter((one) => one === action).length
    const sum = (field: 'judged' | 'reported' | 'unfit') =>
      of.reduce((total, { judgement }) => total + (judgement?.[field] ?? 0), 0)
    return {
      ...countAll(of),
      unchanged: of.filter(({ isSame }) => isSame).length,
      strict: of.filter(({ strict }) => strict).length,
      restores: of.filter(({ restores }) => restores).length,
      losses: {
        kept: countOf('kept'),
        moved_to_description: countOf('moved_to_description'),
        widened: countOf('widened'),
        dropped: countOf('dropped'),
      },
      refusals: countOf('refused'),
      instances: { judged: sum('judged'), as_reported: sum('reported'), unfit: sum('unfit') },
    }
  })
  const rows = Object.entries(wires).map(([wire, { losses, instances, ...counts }]) => ({
    wire,
    ...counts,
    moved: losses.moved_to_description,
    widened: losses.widened,
    dropped: losses.dropped,
    instances: instances.judged,
    'as reported': instances.as_reported,
  }))
  return { ...countAll(verdicts), metrics: { wires }, failures: failuresOf(verdicts), rows }
}
