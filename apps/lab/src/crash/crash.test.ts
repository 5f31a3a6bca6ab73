/** Processes that are killed at 50 points of a run with tools that write, and resumed from the journal. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../fuzz/random.ts'
import { type CrashPlan, type CrashReport, crashRuns } from './crash-run.ts'
import { bundleProgram } from './start-process.ts'

const POINTS = 50
/** The others are at a time, and so within what has no mark. */
const AT_MARKS = 40
const AT_ONCE = 4
const SEED = 20_07

const folder = mkdtempSync(join(tmpdir(), 'crash-'))
let program: string
beforeAll(async () => {
  program = await bundleProgram(folder)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Different marks of the run, then times; every fifth run is killed again while it is resumed. */
function choosePlans(marks: number): readonly CrashPlan[] {
  const random = createRandom(SEED)
  const rest = Array.from({ length: marks }, (_, index) => index + 1)
  return Array.from({ length: POINTS }, (_, index) => {
    const first = index < AT_MARKS ? { mark: rest.splice(random.below(rest.length), 1)[0] as number } : { ms: random.below(120) }
    const points = index % 5 === 0 ? [first, { mark: 1 + random.below(marks) }] : [first]
    return { id: `run-${index}`, points }
  })
}

async function crashAll(plans: readonly CrashPlan[]): Promise<readonly CrashReport[]> {
  const parts = Array.from({ length: AT_ONCE }, (_, part) => plans.filter((_, index) => index % AT_ONCE === part))
  return (await Promise.all(parts.map((part, index) => crashRuns(program, join(folder, `shop-${index}`), part)))).flat()
}

describe('a run that is killed', () => {
  it(`LOOP-07: at ${POINTS} points repeats no finished step and no write, and reports every unknown one`, {
    timeout: 300_000,
  }, async () => {
    const [whole] = await crashRuns(program, join(folder, 'whole'), [{ id: 'run', points: [] }])
    expect(whole).toMatchObject({ problems: [], unknownWithRow: 0, unknownWithoutRow: 0, repeated: 0, kills: 0 })
    const reports = await crashAll(choosePlans((whole as CrashReport).marks))
    expect(reports.filter(({ problems }) => problems.length > 0)).toEqual([])
    // Every mark ended a process, and what this test is about has happened.
    expect(reports).toHaveLength(POINTS)
    expect(sum(reports, 'kills')).toBeGreaterThanOrEqual(AT_MARKS)
    for (const what of ['unknownWithRow', 'unknownWithoutRow', 'repeated', 'replayed'] as const) {
      expect({ what, isThere: sum(reports, what) > 0 }).toEqual({ what, isThere: true })
    }
  })
})

function sum(reports: readonly CrashReport[], what: Exclude<keyof CrashReport, 'plan' | 'problems'>): number {
  return reports.reduce((total, report) => total + report[what], 0)
}
