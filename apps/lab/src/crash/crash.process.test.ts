/** Kills processes at many points of a run whose tools write, and resumes the run from the journal. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../fuzz/random.ts'
import { type CrashPlan, type CrashReport, crashRuns } from './crash-run.ts'
import { bundleProgram } from './start-process.ts'

const POINTS = process.env.X_FULL ? 50 : 11
/** Number of runs that are killed at a mark. The others are killed at a time, and so between marks. */
const AT_MARKS = process.env.X_FULL ? 40 : 9
/** Marks that are always included, because the tested case happens there. */
const FIRST_MARKS = ['after the effect of n1', 'before the effect of v2', 'after the effect of t1']
const AT_ONCE = process.env.X_FULL ? 4 : 2
const SEED = 20_07

const folder = mkdtempSync(join(tmpdir(), 'crash-'))
let program: string
beforeAll(async () => {
  program = await bundleProgram(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Chooses different marks of the run, then times. Every fifth run is killed again while it is resumed. */
function choosePlans(marks: readonly string[]): readonly CrashPlan[] {
  const random = createRandom(SEED)
  const rest = marks.filter((mark) => !FIRST_MARKS.includes(mark)).sort()
  const chosen = [...FIRST_MARKS]
  while (chosen.length < AT_MARKS) chosen.push(...rest.splice(random.below(rest.length), 1))
  return Array.from({ length: POINTS }, (_, index) => {
    const mark = chosen[index]
    const first = mark === undefined ? { ms: random.below(120) } : { mark }
    const points = index % 5 === 0 ? [first, { nth: 1 + random.below(marks.length) }] : [first]
    return { id: `run-${index}`, points }
  })
}

async function crashAll(plans: readonly CrashPlan[]): Promise<readonly CrashReport[]> {
  const parts = Array.from({ length: AT_ONCE }, (_, part) => plans.filter((_, index) => index % AT_ONCE === part))
  return (await Promise.all(parts.map((part, index) => crashRuns(program, join(folder, `shop-${index}`), part)))).flat()
}

describe('a run that is killed', () => {
  it(`at ${POINTS} points repeats no finished step and no write, and reports every unknown one`, {
    // All 50 points keep two processors busy for most of a minute.
    timeout: 600_000,
  }, async () => {
    const [whole] = await crashRuns(program, join(folder, 'whole'), [{ id: 'run', points: [] }])
    expect(whole).toMatchObject({ problems: [], unknownWithRow: 0, unknownWithoutRow: 0, repeated: 0, kills: 0 })
    const { marks } = whole as CrashReport
    expect(new Set(marks).size).toBe(marks.length)
    const reports = await crashAll(choosePlans(marks))
    expect(reports.filter(({ problems }) => problems.length > 0)).toEqual([])
    // A process was killed at every mark, and the tested case has happened.
    expect(reports).toHaveLength(POINTS)
    expect(sum(reports, 'kills')).toBeGreaterThanOrEqual(AT_MARKS)
    for (const what of ['unknownWithRow', 'unknownWithoutRow', 'repeated', 'replayed'] as const) {
      expect({ what, isThere: sum(reports, what) > 0 }).toEqual({ what, isThere: true })
    }
  })
})

type Counted = Exclude<keyof CrashReport, 'plan' | 'problems' | 'marks'>

function sum(reports: readonly CrashReport[], what: Counted): number {
  return reports.reduce((total, report) => total + report[what], 0)
}
