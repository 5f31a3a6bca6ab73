/** An SQL database as a toolset. It lists tables, runs read-only queries, and writes only if the options allow it. */
import { ToolError } from '@x/tool-core'
import { ClientHolder, type ClientSource, isClientSource } from './database/client-holder.ts'
import { type DatabaseMethods, databaseMethods } from './database/methods.ts'
import { assertFit, guardOf, type SqlAccess } from './database/sql-access.ts'
import type { SqlStatement } from './database/sql-client.ts'
import { assertCount, assertNames, assertOption, assertOptions, assertTime } from './option.ts'
import { Toolset } from './toolset/toolset.ts'

export type { ColumnEntry, TableDescription, TableEntry } from './database/catalogue.ts'
export type { DatabaseReason } from './database/database-error.ts'
export { databaseError } from './database/database-error.ts'
export type { TableList } from './database/methods.ts'
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

/** A method that takes SQL. Undefined if the access excludes it, both as a type and at run time. */
type QueryMethod<Access> = Access extends 'select' ? undefined : DatabaseMethods['query']
type ExecuteMethod<Access> = Access extends 'execute' ? DatabaseMethods['execute'] : undefined

/**
 * Database tools for an agent. A failed call throws a `ToolError` whose `reason` is a `DatabaseReason`. Each statement runs in its own
 * transaction, which is read-only for a query, and has limits on time, rows and bytes. SQL that a model wrote is checked before it runs.
 * PostgreSQL statements are checked with PostgreSQL's own grammar.
 */
export class DatabaseToolset<Name extends string = 'database', Access extends DatabaseAccess = 'query'> extends Toolset {
  readonly name: Name
  readonly tables: DatabaseMethods['tables']
  readonly describe: DatabaseMethods['describe']
  readonly select: DatabaseMethods['select']
  readonly query: QueryMethod<Access>
  readonly execute: ExecuteMethod<Access>
  readonly #client: ClientHolder
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
    assertNames(tables, owner, 'tables')
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
    this.#client = new ClientHolder(client, (opened) => assertFit(opened, sql))
    this.#limits = { maxRows, maxBytes, timeoutMs }
    const methods = databaseMethods({ client: this.#client, sql, tables, limits: this.#limits })
    this.tables = methods.tables
    this.describe = methods.describe
    this.select = methods.select
    this.query = (access === 'select' ? undefined : methods.query) as QueryMethod<Access>
    this.execute = (access === 'execute' ? methods.execute : undefined) as ExecuteMethod<Access>
  }

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
}
