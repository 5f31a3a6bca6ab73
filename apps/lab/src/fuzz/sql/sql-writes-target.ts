/** The `sql-writes` target: runs statements like those of a model that may write, one after another in the same database. */
import type { Random } from '../random.ts'
import type { Execution, Fault, FuzzTarget } from '../target.ts'
import { randomSql, type SqlNames } from './random-sql.ts'
import { randomWrite } from './random-sql-write.ts'
import { differenceOf, REFUSALS, type SqlAnswer } from './sql-database.ts'

/** A database, with the model's toolset and a superuser's connection. */
export interface WritesSubject {
  readonly name: string
  readonly names: SqlNames
  query(sql: string): Promise<SqlAnswer>
  execute(sql: string): Promise<SqlAnswer>
  watch(): Promise<Watched>
  /** Undoes what the model wrote. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Parts of the database, as text. If something is written to a part, its text changes. */
export interface Watched {
  /** Number of calls to functions that aren't on the list, including calls in failed statements. */
  readonly calls: string
  /** Everything that no statement may change: system tables, roles, files on the server, tables that aren't granted. */
  readonly kept: string
  /** What `execute` may change. */
  readonly granted: string
}

/** A marker in a file on the server, and in a table that the role must not read. */
export const SECRET = 'KEPT-FROM-THE-MODEL'

/** Maximum number of changes before a reset. Later statements may use what earlier ones created. */
const MAX_HISTORY = 30

export function defineSqlWritesTarget(sources: readonly (() => Promise<WritesSubject>)[]): FuzzTarget<Promise<Execution>> {
  return {
    name: 'sql-writes',
    start(publish = () => {}) {
      const seen = new Set<string>()
      let opened: Promise<Opened[]> | undefined
      return {
        async execute(random) {
          opened ??= Promise.all(sources.map(openSubject))
          const subjects = await opened
          const { names } = subjects[0] as Opened
          const tool = random.chance(0.15) ? 'query' : 'execute'
          const sql = tool === 'query' ? randomSql(names, random) : randomWrite(names, random)
          publish(sql)
          const readings: string[] = []
          let found: { fault: Fault; text: string } | undefined
          for (const [index, subject] of subjects.entries()) {
            const answer = await subject[tool](sql).catch((error): SqlAnswer => ({ reason: `threw ${error}` }))
            readings.push(`${subject.name} ${answer.rows === undefined ? answer.reason : 'ran'}`)
            const { history } = subject
            const fault = await faultOf(subject, { tool, sql, ...answer })
            if (fault !== undefined) {
              found ??= { fault, text: [sql, ...history.toReversed()].join(' -- after ') }
              // A reset might not undo what the statement did.
              await subject.close()
              subjects[index] = await openSubject(subject.source)
            } else if (history.length >= MAX_HISTORY || isSpent(answer, random)) {
              await subject.reset()
              subjects[index] = { ...subject, before: await subject.watch(), history: [] }
            }
          }
          const behaviour = `${tool}: ${readings.join(', ')}`
          seen.add(behaviour)
          const { fault, text = sql } = found ?? {}
          return { text, behaviour, ...(fault && { fault }), minimize: () => text }
        },
        get behaviours() {
          return seen.size
        },
        async end() {
          await Promise.all((await (opened?.catch(() => []) ?? [])).map((subject) => subject.close()))
        },
      }
    },
  }
}

interface Opened extends WritesSubject {
  readonly source: () => Promise<WritesSubject>
  before: Watched
  /** Statements that changed something since the last reset. */
  history: readonly string[]
}

async function openSubject(source: () => Promise<WritesSubject>): Promise<Opened> {
  const subject = await source()
  return { ...subject, source, before: await subject.watch(), history: [] }
}

/**
 * Returns true for about 2 % of the SQL errors. A table that most statements use may have been dropped, so that every later one fails.
 */
function isSpent({ reason }: SqlAnswer, random: Random): boolean {
  return reason === 'sql_error' && random.chance(0.02)
}

interface Ran extends SqlAnswer {
  readonly tool: 'query' | 'execute'
  readonly sql: string
}

async function faultOf(subject: Opened, { tool, sql, rows, reason }: Ran): Promise<Fault | undefined> {
  const { name, before } = subject
  if (reason?.startsWith('threw')) return { check: 'answers', why: `${name}: ${reason}` }
  if (rows?.includes(SECRET)) return { check: 'reads no protected file or table', why: `${name}: ${rows.slice(0, 200)}` }
  if (REFUSALS.has(reason)) return undefined
  const after = await subject.watch().catch(String)
  if (typeof after === 'string') return { check: 'writes only what is granted', why: `${name} can no longer be read: ${after}` }
  if (after.granted !== before.granted) subject.history = [...subject.history, sql]
  subject.before = after
  const changed = (part: keyof Watched) => `${name}: ${differenceOf(before[part], after[part])}`
  if (after.calls !== before.calls) return { check: 'calls only listed functions', why: changed('calls') }
  if (after.kept !== before.kept) return { check: 'writes only what is granted', why: changed('kept') }
  if (after.granted.includes(SECRET) && !before.granted.includes(SECRET))
    return { check: 'reads no protected file or table', why: changed('granted') }
  // A call that ran out of time during its commit may have written.
  const hasFailed = rows === undefined && reason !== 'outcome_unknown'
  if (after.granted !== before.granted && (tool === 'query' || hasFailed))
    return { check: tool === 'query' ? 'writes nothing in a query' : 'undoes what fails', why: changed('granted') }
  return undefined
}
