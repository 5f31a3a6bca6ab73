/** The databases of the `sql-writes` target: PostgreSQL with a role that owns its tables, and PGlite as a superuser. */
import { DatabaseToolset, type SqlClient } from '@x/toolset/database'
import { openPostgres } from '@x/toolset/postgres'
import { LIMITS, openNewPglite, readAll, readFunctions, toCaller } from './sql-database.ts'
import { defineSqlWritesTarget, SECRET, type WritesSubject } from './sql-writes-target.ts'

const FILE = 'kept.txt'

/** The body of functions that must not run. They count their calls in a sequence, which a rollback doesn't undo. */
const COUNTED = "LANGUAGE sql SECURITY DEFINER AS 'SELECT nextval(''kept.calls'')::text'"

/** Creates objects that a reset doesn't replace. */
const SETUP = [
  'CREATE SCHEMA kept',
  'CREATE SEQUENCE kept.calls',
  'CREATE TABLE kept.shown (id INTEGER PRIMARY KEY, label TEXT)',
  "INSERT INTO kept.shown VALUES (1, 'one')",
  'CREATE COLLATION kept.odd FROM "C"',
  `CREATE FUNCTION pg_catalog.marked(TEXT) RETURNS TEXT IMMUTABLE ${COUNTED}`,
  `CREATE FUNCTION kept.compare(TEXT, TEXT) RETURNS BOOLEAN IMMUTABLE LANGUAGE sql SECURITY DEFINER AS 'SELECT nextval(''kept.calls'') > 0'`,
]

const GRANTED = [
  'CREATE TABLE t (id INTEGER PRIMARY KEY, label TEXT)',
  "INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three')",
  'CREATE VIEW labels AS SELECT label FROM t',
  'CREATE TABLE made (id INTEGER, label TEXT)',
  `CREATE FUNCTION shout(TEXT) RETURNS TEXT ${COUNTED}`,
  `CREATE FUNCTION size_of(t) RETURNS TEXT ${COUNTED}`,
  'CREATE DOMAIN loud AS TEXT CHECK (public.shout(VALUE) IS NOT NULL)',
  'CREATE OPERATOR === (leftarg = TEXT, rightarg = TEXT, function = kept.compare)',
]
const OWNED = [
  'GRANT ALL ON SCHEMA public TO writer',
  ...['TABLE t', 'VIEW labels', 'TABLE made'].map((what) => `ALTER ${what} OWNER TO writer`),
]
const RESET = ['DROP SCHEMA public CASCADE', 'CREATE SCHEMA public', 'GRANT USAGE ON SCHEMA public TO PUBLIC']

/**
 * Catalogs to which allowed statements add rows, and the column with the object's `oid`. PostgreSQL's own objects have an `oid` below
 * 16384.
 */
const GROWING: Readonly<Record<string, string>> = {
  pg_class: 'oid',
  pg_attribute: 'attrelid',
  pg_attrdef: 'adrelid',
  pg_type: 'oid',
  pg_index: 'indexrelid',
  pg_constraint: 'oid',
  pg_trigger: 'tgrelid',
  pg_rewrite: 'ev_class',
  pg_sequence: 'seqrelid',
  pg_inherits: 'inhrelid',
  pg_partitioned_table: 'partrelid',
  pg_depend: 'objid',
  pg_shdepend: 'objid',
}

/** Catalogs to compare by `xmin`, which differs in a changed row. Statistics are left out, because PostgreSQL itself collects them. */
const CATALOGS = `
SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relname NOT IN ('pg_statistic', 'pg_statistic_ext_data')
  AND relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) ORDER BY 1`

async function toKeptQuery(superuser: SqlClient, mayWriteAll: boolean): Promise<string> {
  const catalogs = (await readAll(superuser, CATALOGS)).map((catalog) => {
    const column = GROWING[catalog]
    const where = column === undefined ? '' : ` WHERE ${column} < 16384`
    return `SELECT '${catalog} ' || count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) FROM ${catalog}${where}`
  })
  return `${[...catalogs, ODD_OBJECTS, SERVER, ...(mayWriteAll ? [] : [OTHER_SCHEMA])].join('\nUNION ALL ')}\nORDER BY 1`
}

/** Selects objects that no statement may create, alter or move. */
const ODD_OBJECTS = `
SELECT 'relation ' || oid::regclass || relkind::text || coalesce(relacl::text, '') FROM pg_class
  WHERE oid >= 16384 AND relnamespace::regnamespace::text !~ '^pg_toast|^kept'
  AND (relnamespace <> 'public'::regnamespace OR relkind NOT IN ('r', 'p', 'v', 'i', 'I', 'S') OR relacl IS NOT NULL
    OR relrowsecurity OR reltablespace <> 0 OR relowner::regrole::text NOT IN (SELECT rolname FROM pg_roles WHERE rolname = 'writer'
      UNION ALL SELECT current_user WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'writer')))
UNION ALL SELECT 'column ' || attrelid::regclass || attname || attacl::text FROM pg_attribute WHERE attrelid >= 16384 AND attacl IS NOT NULL
UNION ALL SELECT 'trigger ' || tgname || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal OR tgenabled <> 'O'
UNION ALL SELECT 'rule ' || rulename || ' ' || ev_class FROM pg_rewrite WHERE ev_class >= 16384 AND rulename <> '_RETURN'
UNION ALL SELECT 'type ' || typname || typtype::text FROM pg_type WHERE oid >= 16384 AND typrelid = 0 AND typelem = 0`

const SERVER = `
SELECT 'role ' || current_setting('is_superuser') || session_user || current_user
UNION ALL SELECT 'lock ' || objid FROM pg_locks WHERE locktype = 'advisory'
UNION ALL SELECT 'prepared ' || gid FROM pg_prepared_xacts
UNION ALL SELECT 'slot ' || slot_name FROM pg_replication_slots
UNION ALL SELECT 'statement ' || name FROM pg_prepared_statements WHERE name <> ''
UNION ALL SELECT 'cursor ' || name FROM pg_cursors WHERE is_holdable
UNION ALL SELECT 'file ' || name FROM pg_ls_dir('.') AS name
UNION ALL SELECT 'file ' || size FROM pg_stat_file('/tmp/made-by-fuzz', true) WHERE size IS NOT NULL
UNION ALL SELECT 'settings ' || coalesce(pg_read_file('postgresql.auto.conf', 0, 10000, true), '')`

/** A schema in which the role may read one table and write nothing. */
const OTHER_SCHEMA = `
SELECT 'shown ' || shown::text FROM kept.shown
UNION ALL SELECT 'words ' || words::text FROM kept.words
UNION ALL SELECT 'kept ' || c.oid::regclass || c.xmin::text || c.relowner::regrole || coalesce(c.relacl::text, '') || (SELECT count(*) FROM pg_constraint
    WHERE conrelid = c.oid OR confrelid = c.oid) || (SELECT count(*) FROM pg_trigger WHERE tgrelid = c.oid)
  FROM pg_class AS c WHERE relnamespace = 'kept'::regnamespace AND relkind <> 'S'`

const RELATIONS = `
SELECT oid::regclass FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY oid`
const DEFINITIONS = `
SELECT 'class ' || oid || relname || relkind::text || coalesce(reloptions::text, '') FROM pg_class WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT 'column ' || attrelid || ' ' || attnum || attname || atttypid || attnotnull FROM pg_attribute
  WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
UNION ALL SELECT 'default ' || adrelid || pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid >= 16384
UNION ALL SELECT 'constraint ' || oid || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'view ' || ev_class || pg_get_viewdef(ev_class) FROM pg_rewrite WHERE ev_class >= 16384 ORDER BY 1`

interface Database {
  readonly name: string
  /** The model's connection. */
  readonly client: SqlClient
  readonly superuser: SqlClient
  readonly trusted: boolean
  /** Statements that create the granted objects again after a reset. */
  readonly granted: readonly string[]
  close(): Promise<void>
}

async function toSubject({ name, client, superuser, trusted, granted, close }: Database): Promise<WritesSubject> {
  const toolset = new DatabaseToolset({ client, access: 'execute', trusted, ...LIMITS })
  const kept = await toKeptQuery(superuser, trusted)
  const change = async (statements: readonly string[]) => {
    for (const sql of statements) await readAll(superuser, sql, false)
  }
  return {
    name,
    names: { functions: await readFunctions(superuser), secret: 'kept.words', file: FILE },
    query: toCaller(toolset.tools(), 'query'),
    execute: toCaller(toolset.tools(), 'execute'),
    async watch() {
      const rows: string[] = []
      for (const relation of await readAll(superuser, RELATIONS))
        rows.push(
          ...(await readAll(
            superuser,
            `SELECT '${relation.replaceAll("'", "''")} ' || r::text FROM ONLY ${relation} AS r ORDER BY 1 LIMIT 200`,
          )),
        )
      return {
        calls: (await readAll(superuser, "SELECT 'calls ' || last_value || is_called FROM kept.calls")).join(),
        kept: (await readAll(superuser, kept)).join('\n'),
        granted: [...(await readAll(superuser, DEFINITIONS)), ...rows].join('\n'),
      }
    },
    reset: () => change([...RESET, ...granted]),
    close,
  }
}

export async function onPostgres(): Promise<WritesSubject> {
  const { startPostgres } = await import('@x/test-postgres')
  const server = await startPostgres()
  const superuser = await openPostgres({ url: server.url, connectMs: 600_000 })
  const [folder = ''] = await readAll(superuser, "SELECT current_setting('data_directory')")
  const setup = [
    ...SETUP,
    'CREATE TABLE kept.words (word TEXT)',
    `INSERT INTO kept.words VALUES ('${SECRET}')`,
    'CREATE ROLE writer LOGIN',
    'GRANT USAGE ON SCHEMA kept TO writer',
    'GRANT SELECT ON kept.shown TO writer',
    `COPY (SELECT '${SECRET}') TO '${folder}/${FILE}'`,
  ]
  const granted = [...GRANTED, ...OWNED]
  for (const sql of [...setup, ...granted]) await readAll(superuser, sql, false)
  const client = await openPostgres({ url: server.url.replace('tester@', 'writer@') })
  const close = async () => {
    await Promise.all([client.close(), superuser.close()])
    await server[Symbol.asyncDispose]()
  }
  return toSubject({ name: 'postgres', client, superuser, trusted: false, granted, close })
}

/** Opens PGlite. Tests plant a fault by changing the model's client with `weaken`. */
export async function onPglite(weaken: (client: SqlClient) => SqlClient = (client) => client): Promise<WritesSubject> {
  const superuser = await openNewPglite()
  for (const sql of [...SETUP, ...GRANTED]) await readAll(superuser, sql, false)
  await readAll(superuser, `COPY (SELECT '${SECRET}') TO '/pglite/data/${FILE}'`, false)
  const close = () => superuser.close()
  return toSubject({ name: 'pglite', client: weaken(superuser), superuser, trusted: true, granted: GRANTED, close })
}

export const sqlWritesTarget = defineSqlWritesTarget([onPostgres, () => onPglite()])
