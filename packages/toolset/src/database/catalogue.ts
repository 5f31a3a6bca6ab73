/** Reads the database's own catalogue: tables and views, with their columns and keys. */
import { nearestNames } from '@x/tool-core'
import { databaseError } from './database-error.ts'
import type { SqlClient, SqlDialect, SqlStatement, SqlValue } from './sql-client.ts'

export interface TableEntry {
  /** The name to write in statements. Includes the schema only if it is needed. */
  readonly name: string
  readonly kind: 'table' | 'view'
}

export interface ColumnEntry {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

export interface TableDescription extends TableEntry {
  readonly columns: readonly ColumnEntry[]
  /** Names of the primary key's columns. Empty for a table without a primary key. */
  readonly primaryKey: readonly string[]
  /** Foreign keys as SQL: `FOREIGN KEY (user_id) REFERENCES users(id)`. */
  readonly foreignKeys: readonly string[]
}

/** A table and the parts of its name. These parts come from the database, never from a caller. */
export interface KnownTable extends TableEntry {
  readonly parts: readonly string[]
}

export type CatalogueLimits = Pick<SqlStatement, 'timeoutMs' | 'signal'>

const MOST = { maxRows: 10_000, maxBytes: 1_000_000 }

/**
 * Queries for all tables and views: schema if it is needed, name, kind, whether it's a partition, at any level, of a table that the client may
 * read, and schema.
 */
const TABLES: Readonly<Record<SqlDialect, string>> = {
  sqlite: `SELECT NULL AS place, name, type AS kind, 0 AS part, NULL AS space FROM pragma_table_list
    WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND type <> 'shadow'`,
  postgres: `SELECT CASE WHEN pg_table_is_visible(c.oid) THEN NULL ELSE nspname END AS place, relname AS name,
    CASE WHEN relkind IN ('v', 'm') THEN 'view' END AS kind,
    relispartition AND EXISTS (SELECT FROM pg_catalog.pg_partition_ancestors(c.oid) AS above(relid) JOIN pg_catalog.pg_class AS whole ON whole.oid = relid
      WHERE relid <> c.oid AND has_schema_privilege(whole.relnamespace, 'USAGE') AND has_any_column_privilege(relid, 'SELECT')) AS part, nspname AS space
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'p', 'f', 'v', 'm') AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')`,
}

/** The elements of a JSON array of names, which is the only parameter. */
const NAMES: Readonly<Record<SqlDialect, string>> = {
  sqlite: 'SELECT value FROM json_each($1)',
  postgres: 'SELECT jsonb_array_elements_text($1::jsonb)',
}

/**
 * Lists the tables and views that the client may read. With `allowed`, lists only the tables that it names. Otherwise leaves out partitions
 * of tables that the client may read. `truncated` is true if the database has too many to list.
 */
export async function listTables(
  client: SqlClient,
  allowed: readonly string[] | undefined,
  limits: CatalogueLimits,
): Promise<{ readonly tables: readonly KnownTable[]; readonly truncated: boolean }> {
  const { dialect } = client
  const which = allowed === undefined ? 'NOT part' : `coalesce(place || '.', '') || name IN (${NAMES[dialect]})`
  const sql = `SELECT place, name, kind FROM (${TABLES[dialect]}) AS known WHERE ${which} ORDER BY space, name`
  // PostgreSQL's JSON can't contain the names that are left out. No table has such a name.
  const params = allowed && [JSON.stringify(allowed.filter((name) => name.isWellFormed() && !name.includes('\0')))]
  const { rows, truncated } = await client.run({ sql, params, readOnly: true, ...MOST, ...limits })
  const tables = rows.map(([schema, name, kind]): KnownTable => {
    const parts = [schema, name].filter((part) => part !== null).map(String)
    return { name: parts.join('.'), kind: kind === 'view' ? 'view' : 'table', parts }
  })
  return { tables: tables.filter(({ name }) => allowed === undefined || allowed.includes(name)), truncated }
}

/**
 * Finds a table by its exact name among the tables that `listTables` returns, and among partitions. If no table matches, throws
 * `unknown_identifier` with the nearest names.
 */
export async function findTable(
  client: SqlClient,
  allowed: readonly string[] | undefined,
  name: string,
  limits: CatalogueLimits,
): Promise<KnownTable> {
  const isAllowed = allowed === undefined || allowed.includes(name)
  const [found] = isAllowed ? (await listTables(client, [name], limits)).tables : []
  if (found !== undefined) return found
  const { tables } = await listTables(client, allowed, limits)
  throw unknown(
    'table',
    name,
    tables.map((table) => table.name),
  )
}

export function findColumn({ name: table, columns }: TableDescription, name: string): string {
  const found = columns.find((column) => column.name === name)
  if (found !== undefined) return found.name
  throw unknown(
    `column of "${table}"`,
    name,
    columns.map((column) => column.name),
  )
}

export async function describeTable(client: SqlClient, table: KnownTable, limits: CatalogueLimits): Promise<TableDescription> {
  const { name, kind } = table
  const quoted = quoteName(table.parts)
  const ask = (sql: string) => readAll(client, sql, [client.dialect === 'sqlite' ? (table.parts.at(-1) ?? '') : quoted], limits)
  const { columns, keys } = QUERIES[client.dialect]
  const [columnRows, keyRows] = [await ask(columns), await ask(keys)]
  return {
    name,
    kind,
    columns: columnRows.map(([column, type, nullable]) => ({
      name: String(column),
      type: String(type),
      nullable: nullable === true || nullable === 1,
    })),
    primaryKey: columnRows
      .filter(([, , , position]) => Number(position) > 0)
      .sort(([, , , a], [, , , b]) => Number(a) - Number(b))
      .map(([column]) => String(column)),
    foreignKeys: keyRows.map(([words]) => String(words)),
  }
}

/**
 * Queries for a table's columns (name, type, nullable, position in the primary key) and for its foreign keys as SQL. The name of the table
 * is a parameter.
 */
const QUERIES: Readonly<Record<SqlDialect, { readonly columns: string; readonly keys: string }>> = {
  sqlite: {
    columns: 'SELECT name, type, "notnull" = 0 AND pk = 0, pk FROM pragma_table_xinfo($1) WHERE hidden <> 1 ORDER BY cid',
    keys: `SELECT 'FOREIGN KEY (' || group_concat("from", ', ') || ') REFERENCES ' || "table" ||
      coalesce('(' || group_concat("to", ', ') || ')', '') FROM pragma_foreign_key_list($1) GROUP BY id ORDER BY id`,
  },
  postgres: {
    columns: `SELECT attname, format_type(atttypid, atttypmod), NOT attnotnull, array_position(indkey::smallint[], attnum) + 1
      FROM pg_catalog.pg_attribute LEFT JOIN pg_catalog.pg_index ON indrelid = attrelid AND indisprimary
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND has_column_privilege(attrelid, attnum, 'SELECT') ORDER BY attnum`,
    keys: `SELECT pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE conrelid = $1::regclass AND contype = 'f' ORDER BY conname`,
  },
}

/** Quotes a name for both dialects. A quote within the name is doubled. */
export function quoteName(parts: readonly string[]): string {
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
}

async function readAll(client: SqlClient, sql: string, params: readonly SqlValue[], limits: CatalogueLimits) {
  const { rows, truncated } = await client.run({ sql, params, readOnly: true, ...MOST, ...limits })
  if (truncated) throw databaseError('too_large', `The table has more than ${rows.length} columns or keys to list.`)
  return rows
}

function unknown(what: string, name: string, names: readonly string[]): Error {
  const nearest = nearestNames(name, names)
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.map((each) => `"${each}"`).join(' or ')}?` : ''
  return databaseError('unknown_identifier', `There is no ${what} named ${JSON.stringify(shown)}.${hint}`)
}
