/** Adds a guard to a PostgreSQL client. It refuses harmful SQL that a model wrote. */
import { quoteName } from '../catalogue.ts'
import { databaseError } from '../database-error.ts'
import type { SqlClient, SqlGuard, SqlStatement } from '../sql-client.ts'
import { createPostgresParser } from './postgres-parser.ts'
import { findRisks } from './postgres-role.ts'
import { notCallable, type OpenNames, onlyRead, readStatement } from './postgres-statement.ts'

export interface GuardSettings {
  /** Names of functions and types to allow in addition to PostgreSQL's own. */
  readonly functions?: readonly string[] | undefined
  /** Known risks of the database user. If set, the database isn't queried for them. */
  readonly risks?: readonly string[] | undefined
  /** The script of the worker thread that runs the parser. */
  readonly script: URL
}

/**
 * Adds a guard to a client. If `libpg-query` isn't installed, returns the client unchanged, and a toolset then refuses to run SQL on it.
 */
export function guarded(client: SqlClient, { functions = [], risks, script }: GuardSettings): SqlClient {
  const parser = createPostgresParser(script)
  if (parser === undefined) return client
  const allowed = new Set(functions)
  const guard: SqlGuard = {
    open: () => parser.open(),
    check: async (statement) => {
      const json = await parser.parse(statement)
      const open = readStatement(json, { readOnly: statement.readOnly, functions: allowed })
      await assertHarmless(client, open, statement)
    },
    findRisks: async (access) => risks ?? (await findRisks(client, access)),
  }
  const close = async () => {
    await Promise.all([client.close(), parser.close()])
  }
  return { dialect: client.dialect, run: (statement) => client.run(statement), close, guard }
}

/**
 * Finds harmful names among those of a statement. A name after a dot may call a function with one argument, or cast to a type that isn't
 * composite. Functions with an argument of type `internal` are harmless, because SQL can't pass one. A cast to a user-defined type runs the
 * functions of that type, unless the type is an enum. PostgreSQL's own relations have an `oid` below 16384. A view reaches the relations
 * that its rule names, because a simple view can be written.
 */
const HARMFUL = `
WITH RECURSIVE reached (oid) AS (
  SELECT to_regclass(name)::oid FROM jsonb_array_elements_text($3::jsonb) AS names (name)
  UNION SELECT (regexp_matches(ev_action::text, ':relid (\\d+)', 'g'))[1]::oid
  FROM pg_catalog.pg_rewrite JOIN reached ON ev_class = reached.oid
)
SELECT 'function', proname::text FROM pg_catalog.pg_proc
  WHERE proname IN (SELECT jsonb_array_elements_text($1::jsonb)) AND pronargs >= 1 AND pronargs - pronargdefaults <= 1
  AND NOT 'internal'::regtype = ANY (proargtypes)
UNION ALL SELECT 'type', typname::text FROM pg_catalog.pg_type
  WHERE typname IN (SELECT jsonb_array_elements_text($1::jsonb)) AND typtype NOT IN ('c', 'e')
  AND typnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')
UNION ALL SELECT 'type', typname::text FROM pg_catalog.pg_type
  WHERE typname IN (SELECT jsonb_array_elements_text($2::jsonb)) AND typtype <> 'e'
UNION ALL SELECT 'relation', relname::text FROM pg_catalog.pg_class
  WHERE oid IN (SELECT oid FROM reached)
  AND (oid < 16384 OR relnamespace::regnamespace::text IN ('pg_catalog', 'information_schema'))
LIMIT 1`

async function assertHarmless(
  client: SqlClient,
  { attributes, types, relations }: OpenNames,
  statement: SqlStatement,
): Promise<void> {
  if (attributes.size + types.size + relations.length === 0) return
  const params = [attributes, types, relations.map(quoteName)].map((names) => JSON.stringify([...names]))
  const { timeoutMs, signal } = statement
  const { rows } = await client.run({ sql: HARMFUL, params, readOnly: true, maxRows: 1, maxBytes: 1000, timeoutMs, signal })
  const [kind, name] = rows[0] ?? []
  if (kind === 'function') throw notCallable(String(name))
  if (kind === 'relation') throw onlyRead(String(name))
  if (kind === 'type') throw databaseError('statement_not_allowed', `Casts to the type ${name} are not allowed.`)
}
