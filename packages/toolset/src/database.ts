/** An SQL database as a toolset. It lists tables, runs read-only queries, and writes only if the options allow it. */
import { DEFAULT_TIMEOUT_MS, ToolError } from '@x/tool-core'
import { noArgs, selectArgs, sqlArgs, tableArgs } from './database/args.ts'
import {
  describeTable,
  findTable,
  type KnownTable,
  listTables,
  type TableDescription,
  type TableEntry,
} from './database/catalogue.ts'
import { ClientHolder, type ClientSource, isClientSource } from './database/client-holder.ts'
import { type PlainRows, type PlainValue, toPlainRows } from './database/plain-value.ts'
import { toSelect } from './database/select-statement.ts'
import { assertFit, guardOf, type SqlAccess } from './database/sql-access.ts'
import type { SqlClient, SqlDialect, SqlStatement } from './database/sql-client.ts'
import { assertCount, assertTime } from './limits.ts'
import { assertOption, assertOptions } from './option.ts'
import { METHOD, method, type ToolMethod } from './toolset/method.ts'
import { Toolset } from './toolset/toolset.ts'

export type { ColumnEntry, TableDescription, TableEntry } from './database/catalogue.ts'
export type { DatabaseReason } from './database/database-error.ts'
export { databaseError } from './database/database-error.ts'
export type { PlainRows, PlainValue } from './database/plain-value.ts'
export type { SqlClient, SqlDialect, SqlGuard, SqlResult, SqlStatement, SqlValue } from './database/sql-client.ts'

/**
 * What the tools may do:
 * - `select`: read rows of one table, selected by names and values, without SQL.
 * - `query`: also run any SQL that reads. This is the default.
 * - `execute`: also run SQL that changes rows, tables, indexes and views.
 */
export type DatabaseAccess = 'select' | 'query' | 'execute'

const ACCESS: ReadonlySet<unknown> = new Set<DatabaseAccess>(['select', 'query', 'execute'])

export interface DatabaseOptions<Name extends string = string, Access extends DatabaseAccess = DatabaseAccess> {
  /**
   * A client that you open and close yourself, or a function that opens one. The toolset calls the function at first use, and closes the
   * client that it returns.
   */
  readonly client: ClientSource
  /** Prefix for the tool names. Default: `database`. */
  readonly name?: Name | undefined
  readonly access?: Access | undefined
  /**
   * Lets SQL use all rights of the database user. Set it only if you trust the author of the SQL, or if the data is expendable. Default:
   * false. The toolset then refuses a user with more rights than `access` needs, such as a superuser, when the database is opened. PGlite's
   * user is always a superuser.
   */
  readonly trusted?: boolean | undefined
  /**
   * Restricts `tables`, `describe` and `select` to these tables. Write names as `tables` lists them: `orders`, or `schema.orders` where
   * PostgreSQL needs the schema. Only for `access: 'select'`, because SQL can't be restricted to tables.
   */
  readonly tables?: readonly string[] | undefined
  /** Maximum number of rows in one output. Default: 100. */
  readonly maxRows?: number | undefined
  /** Approximate maximum size of one output, in bytes. Default: 100,000. */
  readonly maxBytes?: number | undefined
  /**
   * Timeout for one statement, in milliseconds. Default: 5,000. `describe` and `select` send up to four statements. The timeout applies to
   * each of them.
   */
  readonly timeoutMs?: number | undefined
}

/**
 * The result of a statement that may write. `changes` is null if the database doesn't report the number of changed rows, as PostgreSQL
 * doesn't for a `WITH` that writes.
 */
type Changed = PlainRows & { changes: number | null }
type SqlArgs = { sql: string; params?: PlainValue[] | null }
/** A method that takes SQL. Undefined if the access excludes it, both as a type and at run time. */
type QueryMethod<Access> = Access extends 'select' ? undefined : ToolMethod<SqlArgs, PlainRows, undefined>
type ExecuteMethod<Access> = Access extends 'execute' ? ToolMethod<SqlArgs, Changed, undefined> : undefined

/**
 * Database tools for an agent. A failed call throws a `ToolError` whose `reason` is a `DatabaseReason`. Each statement runs in its own
 * transaction, which is read-only for a query, and has limits on time, rows and bytes. SQL that a model wrote is checked before it runs.
 * PostgreSQL statements are checked with PostgreSQL's own grammar.
 */
export class DatabaseToolset<Name extends string = 'database', Access extends DatabaseAccess = 'query'> extends Toolset {
  readonly name: Name
  readonly #client: ClientHolder
  readonly #sql: SqlAccess
  readonly #tables: readonly string[] | undefined
  readonly #limits: Pick<SqlStatement, 'maxRows' | 'maxBytes' | 'timeoutMs'>

  constructor(options: DatabaseOptions<Name, Access>) {
    assertOptions(options, 'DatabaseToolset', '{ client: () => openSqlite({ file }) }')
    super()
    const {
      client,
      name = 'database' as Name,
      access = 'query',
      trusted = false,
      tables,
      maxRows = 100,
      maxBytes = 100_000,
      timeoutMs = 5000,
    } = options
    const owner = `Toolset "${name}"`
    assertOption(isClientSource(client), owner, 'client', 'a client, or a function that opens one', client)
    assertOption(ACCESS.has(access), owner, 'access', '"select", "query" or "execute"', access)
    if (tables !== undefined && access !== 'select') {
      throw new ToolError(
        'invalid_definition',
        `${owner}: the option tables requires access: 'select', because SQL cannot be restricted to certain tables. Set access: 'select', or remove tables.`,
      )
    }
    assertOption(typeof trusted === 'boolean', owner, 'trusted', 'true or false', trusted)
    assertCount(owner, 'maxRows', maxRows)
    assertCount(owner, 'maxBytes', maxBytes)
    assertTime(owner, 'timeoutMs', timeoutMs)
    this.name = name
    const sql: SqlAccess = { owner, access: access as DatabaseAccess, trusted }
    if (access !== 'select' && typeof client !== 'function') guardOf(client, sql)
    this.#sql = sql
    this.#client = new ClientHolder(client, (opened) => assertFit(opened, sql))
    this.#tables = tables
    this.#limits = { maxRows, maxBytes, timeoutMs }
    this.query = (access === 'select' ? undefined : this.#queryMethod()) as QueryMethod<Access>
    this.execute = (access === 'execute' ? this.#executeMethod() : undefined) as ExecuteMethod<Access>
    // A call sends up to four statements, each of which may wait for a connection first. Their own timeouts apply before that of the tool.
    const toolMs = Math.max(DEFAULT_TIMEOUT_MS, 10 * timeoutMs)
    for (const tool of [this.tables, this.describe, this.select, this.query, this.execute])
      if (tool !== undefined) Object.assign((tool as object as ToolMethod)[METHOD], { timeoutMs: toolMs })
  }

  readonly tables = method({
    description: 'List the tables and views, and return the SQL dialect of the database.',
    effect: 'read',
    args: noArgs,
    execute: async (_args, { signal }): Promise<{ dialect: SqlDialect; tables: readonly TableEntry[] }> => {
      const client = await this.#client.get()
      const known = await this.#listTables(client, signal)
      return { dialect: client.dialect, tables: known.map(({ name, kind }) => ({ name, kind })) }
    },
  })

  readonly describe = method({
    description: 'Describe a table or view: its columns with their types, its primary key and its foreign keys.',
    effect: 'read',
    args: tableArgs,
    execute: async ({ table }, { signal }): Promise<TableDescription> => {
      const client = await this.#client.get()
      return this.#describe(client, await this.#findTable(client, table, signal), signal)
    },
  })

  readonly select = method({
    description: 'Read rows of one table or view. Rows must match all conditions.',
    effect: 'read',
    args: selectArgs,
    execute: async ({ table: name, order_by: orderBy, limit, ...selection }, { signal }): Promise<PlainRows> => {
      const client = await this.#client.get()
      const table = await this.#findTable(client, name, signal)
      const description = await this.#describe(client, table, signal)
      // Requests one row more than the limit, to find out whether there are more.
      const wanted = Math.min(limit ?? Number.POSITIVE_INFINITY, this.#limits.maxRows + 1)
      const statement = toSelect({ dialect: client.dialect, table, description }, { ...selection, orderBy, limit: wanted })
      return toPlainRows(await client.run({ ...statement, readOnly: true, ...this.#limits, signal }))
    },
  })

  readonly query: QueryMethod<Access>
  readonly execute: ExecuteMethod<Access>

  /** Connects now instead of at the first call. An agent calls this method when it starts. Also reopens a closed toolset. */
  async open(): Promise<void> {
    const client = await this.#client.open()
    // A PostgreSQL client connects only at its first statement.
    if (client.dialect === 'postgres') await client.run({ sql: 'SELECT 1', readOnly: true, ...this.#limits })
  }

  /**
   * Closes the client if the toolset opened it. Later calls then fail with `closed` until the toolset is opened again. A client that you
   * opened stays open.
   */
  close(): Promise<void> {
    return this.#client.close()
  }

  #queryMethod(): ToolMethod<SqlArgs, PlainRows, undefined> {
    return method({
      description: 'Run one SQL statement that only reads, and return its rows.',
      effect: 'read',
      args: sqlArgs,
      execute: async ({ sql, params }, { signal }) =>
        toPlainRows(await this.#run({ sql, params: params ?? [], readOnly: true, signal })),
    })
  }

  #executeMethod(): ToolMethod<SqlArgs, Changed, undefined> {
    return method({
      description: 'Run one SQL statement that changes rows, tables, indexes or views. It runs in its own transaction.',
      effect: 'destructive',
      args: sqlArgs,
      execute: async ({ sql, params }, { signal }) => {
        const result = await this.#run({ sql, params: params ?? [], readOnly: false, signal })
        return { ...toPlainRows(result), changes: result.changes ?? null }
      },
    })
  }

  async #run(statement: Pick<SqlStatement, 'sql' | 'params' | 'readOnly' | 'signal'>) {
    const client = await this.#client.get()
    const limited = { ...statement, ...this.#limits }
    await guardOf(client, this.#sql).check(limited)
    return client.run(limited)
  }

  #listTables(client: SqlClient, signal: AbortSignal): Promise<readonly KnownTable[]> {
    return listTables(client, this.#tables, { timeoutMs: this.#limits.timeoutMs, signal })
  }

  #findTable(client: SqlClient, name: string, signal: AbortSignal): Promise<KnownTable> {
    return findTable(client, this.#tables, name, { timeoutMs: this.#limits.timeoutMs, signal })
  }

  #describe(client: SqlClient, table: KnownTable, signal: AbortSignal): Promise<TableDescription> {
    return describeTable(client, table, { timeoutMs: this.#limits.timeoutMs, signal })
  }
}
