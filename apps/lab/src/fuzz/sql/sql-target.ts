/**
 * The `sql` target: runs statements like those that a model writes, on a real PostgreSQL with a read-only role, and on PGlite as a
 * superuser.
 */

import type { TestPostgres } from '@x/test-postgres'
import { DatabaseToolset, type SqlClient } from '@x/toolset/database'
import { openPostgres } from '@x/toolset/postgres'
import type { Execution, Fault, FuzzTarget } from '../target.ts'
import { randomSql, type SqlNames } from './random-sql.ts'
import {
  differenceOf,
  LIMITS,
  openNewPglite,
  REFUSALS,
  readAll,
  readFunctions,
  type SqlAnswer,
  toCaller,
} from './sql-database.ts'

/** A database, with the model's toolset and a superuser's connection. */
export interface SqlSubject {
  readonly name: string
  readonly names: SqlNames
  query(sql: string): Promise<SqlAnswer>
  /** Returns everything that a statement could change, as text. If something is written, the text changes. */
  state(): Promise<string>
  close(): Promise<void>
}

/** A marker in the table and the file that the model must not read. */
export const SECRET = 'KEPT-FROM-THE-MODEL'

export function defineSqlTarget(open: () => Promise<readonly SqlSubject[]>): FuzzTarget<Promise<Execution>> {
  return {
    name: 'sql',
    start(publish = () => {}) {
      const seen = new Set<string>()
      let opened: Promise<readonly (SqlSubject & { before: string })[]> | undefined
      const openAll = async () => {
        const subjects = await open()
        return await Promise.all(subjects.map(async (subject) => Object.assign(subject, { before: await subject.state() })))
      }
      return {
        async execute(random) {
          opened ??= openAll()
          const subjects = await opened
          const sql = randomSql((subjects[0] as SqlSubject).names, random)
          publish(sql)
          const behaviours: string[] = []
          let fault: Fault | undefined
          for (const subject of subjects) {
            const { rows, reason } = await subject.query(sql).catch((error) => ({ rows: undefined, reason: `threw ${error}` }))
            behaviours.push(`${subject.name} ${rows === undefined ? reason : 'read'}`)
            fault ??= await faultOf(subject, sql, rows, reason)
          }
          const behaviour = behaviours.join(', ')
          seen.add(behaviour)
          return { text: sql, behaviour, ...(fault && { fault }), minimize: () => sql }
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

async function faultOf(
  subject: SqlSubject & { before: string },
  sql: string,
  rows: string | undefined,
  reason: string | undefined,
): Promise<Fault | undefined> {
  const { name, before } = subject
  if (reason?.startsWith('threw')) return { check: 'answers', why: `${name}: ${reason}` }
  if (rows?.includes(SECRET)) return { check: 'reads no protected file or table', why: `${name}: ${rows.slice(0, 200)}` }
  if (REFUSALS.has(reason)) return undefined
  const after = await subject.state()
  if (after === before) return undefined
  subject.before = after
  return { check: 'writes nothing', why: `${name}: ${sql.length} characters changed ${differenceOf(before, after)}` }
}

const FILE = 'kept.txt'
const KEPT = 'kept_table'

const SETUP = [
  'CREATE TABLE t (id INTEGER PRIMARY KEY, label TEXT)',
  "INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three')",
  'CREATE VIEW labels AS SELECT label FROM t',
  'CREATE SEQUENCE s',
  "CREATE TYPE status AS ENUM ('new', 'paid')",
  'CREATE DOMAIN loud AS TEXT CHECK (length(VALUE) > 0)',
  "CREATE FUNCTION shout(TEXT) RETURNS TEXT LANGUAGE sql AS 'SELECT upper($1)'",
  "CREATE FUNCTION size_of(t) RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'",
]
/** The role on PostgreSQL must not read this table. On PGlite, the superuser could, so the table isn't created there. */
const KEPT_SETUP = [`CREATE TABLE ${KEPT} (word TEXT)`, `INSERT INTO ${KEPT} VALUES ('${SECRET}')`]
const ROLE_SETUP = ['CREATE ROLE reader LOGIN', 'GRANT SELECT ON t, labels TO reader']

/** Selects rows, the catalog, settings, sequences, large objects, and locks that outlive a statement. */
const STATE = `
SELECT 't ' || t::text FROM t UNION ALL SELECT 'class ' || oid || relname || relkind::text || coalesce(relacl::text, '') || coalesce(reloptions::text, '')
  FROM pg_class WHERE relnamespace::regnamespace::text NOT LIKE 'pg_toast%'
UNION ALL SELECT 'function ' || oid || proname FROM pg_proc WHERE oid > 16000
UNION ALL SELECT 'type ' || oid || typname FROM pg_type WHERE oid > 16000
UNION ALL SELECT 'extension ' || extname FROM pg_extension
UNION ALL SELECT 'role ' || rolname || rolsuper FROM pg_authid
UNION ALL SELECT 'setting ' || coalesce(setconfig::text, '') FROM pg_db_role_setting
UNION ALL SELECT 'large object ' || oid FROM pg_largeobject_metadata
UNION ALL SELECT 'sequence ' || last_value || is_called FROM s
UNION ALL SELECT 'lock ' || objid FROM pg_locks WHERE locktype = 'advisory'
UNION ALL SELECT 'prepared ' || gid FROM pg_prepared_xacts
UNION ALL SELECT 'slot ' || slot_name FROM pg_replication_slots
UNION ALL SELECT 'statement ' || name FROM pg_prepared_statements WHERE name <> ''
UNION ALL SELECT 'cursor ' || name FROM pg_cursors WHERE is_holdable
UNION ALL SELECT 'comment ' || objoid FROM pg_description WHERE objoid > 16000
ORDER BY 1`

interface Opened {
  readonly name: string
  readonly client: SqlClient
  readonly superuser: SqlClient
  readonly isTrusted: boolean
  close(): Promise<void>
}

async function toSubject({ name, client, superuser, isTrusted, close }: Opened): Promise<SqlSubject> {
  const toolset = new DatabaseToolset({ client, trusted: isTrusted, ...LIMITS })
  return {
    name,
    names: { functions: await readFunctions(superuser), secret: KEPT, file: FILE },
    query: toCaller(toolset.tools(), 'query'),
    state: async () => (await readAll(superuser, STATE)).join('\n'),
    close,
  }
}

async function onPostgres(): Promise<SqlSubject> {
  const { startPostgres } = await import('@x/test-postgres')
  const server: TestPostgres = await startPostgres()
  const superuser = await openPostgres({ url: server.url, connectMs: 600_000 })
  const client = await openPostgres({ url: server.url.replace('tester@', 'reader@') })
  for (const sql of [...SETUP, ...KEPT_SETUP, ...ROLE_SETUP]) await readAll(superuser, sql, false)
  const [folder = ''] = await readAll(superuser, "SELECT current_setting('data_directory')")
  await readAll(superuser, `COPY (SELECT '${SECRET}') TO '${folder}/${FILE}'`, false)
  const close = async () => {
    await Promise.all([client.close(), superuser.close()])
    await server[Symbol.asyncDispose]()
  }
  return toSubject({ name: 'postgres', client, superuser, isTrusted: false, close })
}

async function onPglite(): Promise<SqlSubject> {
  const client = await openNewPglite()
  for (const sql of SETUP) await readAll(client, sql, false)
  await readAll(client, `COPY (SELECT '${SECRET}') TO '/pglite/data/${FILE}'`, false)
  return toSubject({ name: 'pglite', client, superuser: client, isTrusted: true, close: () => client.close() })
}

export const sqlTarget = defineSqlTarget(async () => [await onPostgres(), await onPglite()])
