/** The tools of `DatabaseToolset`. */
import { DEFAULT_TIMEOUT_MS } from '@x/tool-core'
import { method } from '../toolset/method.ts'
import { noArgs, selectArgs, sqlArgs, tableArgs } from './args.ts'
import { describeTable, findTable, listTables, type TableDescription, type TableEntry } from './catalogue.ts'
import type { ClientHolder } from './client-holder.ts'
import { type PlainRows, toPlainRows } from './plain-value.ts'
import { toSelect } from './select-statement.ts'
import { guardOf, type SqlAccess } from './sql-access.ts'
import type { SqlDialect, SqlStatement } from './sql-client.ts'

export interface DatabaseSettings {
  readonly client: ClientHolder
  readonly sql: SqlAccess
  /** The only tables to show. Undefined for all tables. */
  readonly tables: readonly string[] | undefined
  readonly limits: Pick<SqlStatement, 'maxRows' | 'maxBytes' | 'timeoutMs'>
}

/**
 * The result of a statement that may write. `changes` is null if the database doesn't report the number of changed rows, as PostgreSQL
 * doesn't for a `WITH` that writes.
 */
type Changed = PlainRows & { changes: number | null }

export interface TableList {
  dialect: SqlDialect
  tables: readonly TableEntry[]
  /** True if there are more tables than these. */
  truncated: boolean
}

export type DatabaseMethods = ReturnType<typeof databaseMethods>

export function databaseMethods({ client: holder, sql, tables: shown, limits }: DatabaseSettings) {
  const { timeoutMs } = limits
  // A call sends up to four statements, each of which may wait for a connection first. Their own timeouts apply before that of the tool.
  const toolMs = Math.max(DEFAULT_TIMEOUT_MS, 10 * timeoutMs)
  const run = async (statement: Pick<SqlStatement, 'sql' | 'params' | 'readOnly' | 'signal'>) => {
    const client = await holder.get()
    const limited = { ...statement, ...limits }
    await guardOf(client, sql).check(limited)
    return client.run(limited)
  }
  return {
    tables: method({
      description: 'List the tables and views, and return the SQL dialect of the database. truncated: true when there are more.',
      effect: 'read',
      timeoutMs: toolMs,
      args: noArgs,
      execute: async (_args, { signal }): Promise<TableList> => {
        const client = await holder.get()
        const { tables, truncated } = await listTables(client, shown, { timeoutMs, signal })
        const listed = entriesWithin(limits.maxBytes, tables)
        return { dialect: client.dialect, tables: listed, truncated: truncated || listed.length < tables.length }
      },
    }),
    describe: method({
      description: 'Describe a table or view: its columns with their types, its primary key and its foreign keys.',
      effect: 'read',
      timeoutMs: toolMs,
      args: tableArgs,
      execute: async ({ table }, { signal }): Promise<TableDescription> => {
        const client = await holder.get()
        return describeTable(client, await findTable(client, shown, table, { timeoutMs, signal }), { timeoutMs, signal })
      },
    }),
    select: method({
      description: 'Read rows of one table or view. Rows must match all conditions.',
      effect: 'read',
      timeoutMs: toolMs,
      args: selectArgs,
      execute: async ({ table: name, order_by: orderBy, limit, ...selection }, { signal }): Promise<PlainRows> => {
        const client = await holder.get()
        const table = await findTable(client, shown, name, { timeoutMs, signal })
        const description = await describeTable(client, table, { timeoutMs, signal })
        // Requests one row more than the limit, to find out whether there are more.
        const wanted = Math.min(limit ?? Number.POSITIVE_INFINITY, limits.maxRows + 1)
        const source = { dialect: client.dialect, table, description }
        const statement = toSelect(source, { ...selection, orderBy, limit: wanted })
        return toPlainRows(await client.run({ ...statement, readOnly: true, ...limits, signal }))
      },
    }),
    query: method({
      description: 'Run one SQL statement that only reads, and return its rows.',
      effect: 'read',
      timeoutMs: toolMs,
      args: sqlArgs,
      execute: async ({ sql, params }, { signal }): Promise<PlainRows> =>
        toPlainRows(await run({ sql, params: params ?? [], readOnly: true, signal })),
    }),
    execute: method({
      description: 'Run one SQL statement that changes rows, tables, indexes or views. It runs in its own transaction.',
      effect: 'destructive',
      timeoutMs: toolMs,
      args: sqlArgs,
      execute: async ({ sql, params }, { signal }): Promise<Changed> => {
        const result = await run({ sql, params: params ?? [], readOnly: false, signal })
        return { ...toPlainRows(result), changes: result.changes ?? null }
      },
    }),
  }
}

function entriesWithin(maxBytes: number, tables: readonly TableEntry[]): readonly TableEntry[] {
  const entries: TableEntry[] = []
  let bytes = 0
  for (const { name, kind } of tables) {
    bytes += JSON.stringify({ name, kind }).length
    if (bytes > maxBytes) break
    entries.push({ name, kind })
  }
  return entries
}
