/** PostgreSQL as a `SqlClient`: all tables are in one schema, and transactions are as strict as those of SQLite. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cannotConnect } from './cannot-connect.ts'
import { assertStorable, type SqlClient, SqlError, type SqlExecutor, type SqlValue } from './sql-client.ts'
import { TABLE_SETS } from './table-sets.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** Name of the schema, in lower-case letters, digits and `_`. The schema is created if it is missing. */
  readonly schema: string
  /** Drops the schema with all its contents on `close`. */
  readonly isTemporary: boolean
}

/** Connects and creates the schema. Rejects with `SqlError` if the server can't be reached or refuses the connection. */
export async function openPostgres({ url, schema, isTemporary }: PostgresOptions): Promise<SqlClient> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new TypeError(`The schema "${schema}" must be a lower-case identifier.`)
  const pool = new pg.Pool({
    connectionString: withSearchPath(url, schema),
    application_name: 'demo',
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    max: MAX_CONNECTIONS,
    types: { getTypeParser },
  })
  // If a connection breaks, its statement rejects. The next statement opens a new connection, or reports why it can't.
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  const client = new PostgresClient(pool, isTemporary ? `DROP SCHEMA IF EXISTS ${schema} CASCADE` : undefined)
  try {
    await client.transaction(async (executor) => {
      await executor.query(`SELECT pg_advisory_xact_lock(hashtext('${schema}'))`)
      await executor.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
      await executor.query(TABLE_SETS)
    })
  } catch (error) {
    await pool.end()
    throw cannotConnect(url, error instanceof SqlError ? error.cause : error)
  }
  return client
}

/** Timeout for connecting and for a statement, in milliseconds. Both take longer on a busy machine. */
const TIMEOUT_MS = 60_000
const MAX_CONNECTIONS = 4
const MAX_ATTEMPTS = 8

/** Adds the schema to the URL, because parameters of the URL override those of the config. */
function withSearchPath(url: string, schema: string): string {
  const address = new URL(url)
  const own = address.searchParams.get('options')
  address.searchParams.set('options', `${own === null ? '' : `${own} `}-c search_path=${schema}`)
  return address.href
}

class PostgresClient implements SqlClient {
  readonly #pool: pg.Pool
  readonly #atEnd: string | undefined
  readonly #inTransaction = new Set<pg.PoolClient>()
  #closing: Promise<void> | undefined

  constructor(pool: pg.Pool, atEnd: string | undefined) {
    this.#pool = pool
    this.#atEnd = atEnd
  }

  async query<Row extends object>(sql: string, params: readonly SqlValue[] = []): Promise<readonly Row[]> {
    this.#assertOpen()
    return runStatement(this.#pool, sql, params)
  }

  /** Runs a serializable transaction. After a serialization failure, runs it again. */
  async transaction<Result>(work: (executor: SqlExecutor) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      this.#assertOpen()
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !RETRYABLE.has(stateOf(error))) throw error
        await sleep(Math.random() * 10 * 2 ** attempt)
      }
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #attempt<Result>(work: (executor: SqlExecutor) => Promise<Result>): Promise<Result> {
    const connection = await this.#pool.connect().catch((cause: unknown) => {
      throw toSqlError(cause)
    })
    const query: SqlExecutor['query'] = (sql, params) => {
      this.#assertOpen()
      return runStatement(connection, sql, params)
    }
    this.#inTransaction.add(connection)
    let isBroken = false
    try {
      await query('BEGIN ISOLATION LEVEL SERIALIZABLE')
      const result = await work({ query })
      await query('COMMIT')
      return result
    } catch (error) {
      await connection.query('ROLLBACK').catch(() => {
        isBroken = true
      })
      this.#assertOpen()
      throw error
    } finally {
      // `close` has already released the client.
      if (this.#inTransaction.delete(connection)) connection.release(isBroken)
    }
  }

  /** Aborts running statements. Nothing is committed afterwards. Rejects when the temporary schema can't be dropped. */
  async #close(): Promise<void> {
    for (const connection of this.#inTransaction) connection.release(true)
    this.#inTransaction.clear()
    try {
      if (this.#atEnd !== undefined) await runStatement(this.#pool, this.#atEnd)
    } finally {
      await this.#pool.end()
    }
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new SqlError('closed', 'The database is closed.')
  }
}

/** PostgreSQL's error codes for transactions that may be retried: serialization failure and deadlock. */
const RETRYABLE: ReadonlySet<unknown> = new Set(['40001', '40P01'])

async function runStatement<Row extends object>(
  connection: pg.Pool | pg.PoolClient,
  sql: string,
  params: readonly SqlValue[] = [],
): Promise<readonly Row[]> {
  assertStorable(params)
  const { rows } = await connection.query<Row>(sql, [...params]).catch((cause: unknown) => {
    throw toSqlError(cause)
  })
  return rows
}

function toSqlError(cause: unknown): SqlError {
  return new SqlError('statement_failed', cause instanceof Error ? cause.message : String(cause), cause)
}

function stateOf(error: unknown): unknown {
  const cause = error instanceof SqlError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? cause.code : undefined
}

/** Parses integers and decimals of any width as numbers, as SQLite returns them. The driver would return text. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  if (type === pg.types.builtins.INT8 || type === pg.types.builtins.NUMERIC) return Number
  return pg.types.getTypeParser(type, format as 'text')
}
