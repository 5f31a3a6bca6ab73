/** Kills runs once or several times, resumes them until they finish, and lists each run's problems. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Done, FILES, openShop, runOnce } from './run-once.ts'
import { type KillPoint, startAndKill } from './start-process.ts'
import { ANSWER, callsInDatabase, EFFECTS, type ScriptedCall, TURNS } from './world.ts'

/** The points at which the processes of one run are killed, in order. */
export interface CrashPlan {
  /** Name of the run. */
  readonly id: string
  readonly points: readonly KillPoint[]
}

export interface CrashReport {
  readonly plan: CrashPlan
  /** Empty if all guarantees hold. */
  readonly problems: readonly string[]
  /**
   * Number of unknown calls with a row in the database. An unknown call was started but has no recorded result, so it must not be repeated.
   */
  readonly unknownWithRow: number
  /** Number of unknown calls without a row in the database. */
  readonly unknownWithoutRow: number
  /** Calls to the idempotent tool that were executed more than once. */
  readonly repeated: number
  /** Number of steps that the last process found in the journal. */
  readonly replayed: number
  /** Number of times the run was killed before it finished. */
  readonly kills: number
  /** Marks that the last process reached, in order. */
  readonly marks: readonly string[]
}

/** What a killed process left behind. */
interface Remains {
  /** Keys of the steps in the journal. */
  readonly recorded: ReadonlySet<string>
  readonly asked: Counts
  readonly executed: Counts
}

type Counts = ReadonlyMap<string, number>

const CALLS = TURNS.flat()

/**
 * Kills and resumes the runs, which share a database in `folder`. The directory must not exist yet. First, every run is killed in processes
 * of its own. Then this process resumes all of them, so that the database, which is slow to start, is opened only once more.
 */
export async function crashRuns(program: string, folder: string, plans: readonly CrashPlan[]): Promise<readonly CrashReport[]> {
  mkdirSync(folder)
  const killed: { readonly plan: CrashPlan; readonly remains: readonly Remains[] }[] = []
  for (const plan of plans) killed.push({ plan, remains: await killRun(program, join(folder, plan.id), plan) })
  const database = await openShop(join(folder, 'any'))
  try {
    const resumed: (Resumed & { readonly done: Done; readonly marks: readonly string[] })[] = []
    for (const { plan, remains } of killed) {
      const marks: string[] = []
      const done = await runOnce(database, plan.id, join(folder, plan.id), (words) => marks.push(words))
      resumed.push({ plan, remains, end: remainsIn(join(folder, plan.id)), done, marks })
    }
    const rows = counted(await callsInDatabase(database))
    return resumed.map(({ done, marks, ...run }) => ({ ...toReport(run, done, rows), marks }))
  } finally {
    await database.close()
  }
}

async function killRun(program: string, folder: string, { id, points }: CrashPlan): Promise<readonly Remains[]> {
  mkdirSync(folder)
  const remains: Remains[] = []
  for (const point of points) {
    if (await startAndKill(program, id, folder, point)) remains.push(remainsIn(folder))
  }
  return remains
}

/** A finished run. */
interface Resumed {
  readonly plan: CrashPlan
  /** What each killed process left behind, in order. */
  readonly remains: readonly Remains[]
  readonly end: Remains
}

function toReport({ plan, remains, end }: Resumed, done: Done, rows: Counts): Omit<CrashReport, 'marks'> {
  const unknown = CALLS.filter((call) => isWrite(call) && remains.some((left) => isUnknown(call, left)))
  const rowsOf = ({ id }: ScriptedCall) => countOf(rows, `${plan.id}/${id}`)
  return {
    plan,
    problems: [...repeatedSteps(remains, end), ...wrongReport(done, unknown), ...wrongRows(rowsOf, unknown)],
    unknownWithRow: unknown.filter((call) => rowsOf(call) > 0).length,
    unknownWithoutRow: unknown.filter((call) => rowsOf(call) === 0).length,
    repeated: CALLS.filter((call) => EFFECTS[call.tool] === 'idempotent' && countOf(end.executed, call.id) > 1).length,
    replayed: remains.at(-1)?.recorded.size ?? 0,
    kills: remains.length,
  }
}

function isWrite({ tool }: ScriptedCall): boolean {
  const effect = EFFECTS[tool]
  return effect !== 'read' && effect !== 'idempotent'
}

function isUnknown({ id }: ScriptedCall, { recorded }: Remains): boolean {
  return recorded.has(`intent-${id}`) && !recorded.has(`call-${id}`)
}

function repeatedSteps(remains: readonly Remains[], end: Remains): readonly string[] {
  return remains.flatMap((left, crash) => {
    const models = TURNS.map((_, index) => `model-${index + 1}`).filter((key) => left.recorded.has(key))
    const calls = CALLS.filter((call) => left.recorded.has(`call-${call.id}`) || (isWrite(call) && isUnknown(call, left)))
    return [
      ...models.filter((key) => countOf(end.asked, key) !== countOf(left.asked, key)),
      ...calls.map(({ id }) => id).filter((id) => countOf(end.executed, id) !== countOf(left.executed, id)),
    ].map((name) => `${name} was executed again after crash ${crash + 1}`)
  })
}

function wrongReport({ answer, unknown: reported }: Done, unknown: readonly ScriptedCall[]): readonly string[] {
  const expected = unknown.map(({ id }) => id).join()
  return [
    ...(answer === ANSWER ? [] : [`the answer was ${answer}`]),
    ...(reported.join() === expected ? [] : [`the unknown calls are [${expected}], but [${reported.join()}] were reported`]),
  ]
}

/** Checks that every effect has exactly one row. Only a call that was reported as unknown may have no row. */
function wrongRows(rowsOf: (call: ScriptedCall) => number, unknown: readonly ScriptedCall[]): readonly string[] {
  return CALLS.filter(({ tool }) => EFFECTS[tool] !== 'read').flatMap((call) => {
    const rows = rowsOf(call)
    const isRight = rows === 1 || (rows === 0 && unknown.includes(call))
    return isRight ? [] : [`${call.id} has ${rows} rows`]
  })
}

function remainsIn(folder: string): Remains {
  const records = linesOf(join(folder, FILES.journal)).slice(1)
  return {
    recorded: new Set(records.map((line) => JSON.parse(line).step as string)),
    asked: counted(linesOf(join(folder, FILES.asked))),
    executed: counted(linesOf(join(folder, FILES.executed))),
  }
}

/** Returns the complete lines. Any text after the last line feed is an incomplete write. */
function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}

function counted(names: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, countOf(counts, name) + 1)
  return counts
}

function countOf(counts: Counts, name: string): number {
  return counts.get(name) ?? 0
}
