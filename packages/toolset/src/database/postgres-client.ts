/** PostgreSQL behind the `SqlClient` contract: each statement in a transaction of its own, on a connection that is clean. */
import { onAbort } from '@x/tool-core'
import type { Pool, PoolClient } from 'pg'
import { databaseError, timedOut, wasAborted } from './database-error.ts'
import { PortalQuery, type PortalResult } from './portal-query.ts'
import { cannotConnect, type PostgresFailure, statementFailed } from './postgres-failure.ts'
import { beginTransaction, CLEAN_SESSION, endTransaction } from './postgres-transaction.ts'
import { toPostgresText, toSqlValue } from './postgres-value.ts'
import type { SqlClient, SqlResult, SqlStatement } from './sql-client.ts'
import { scanOne } from './statement-guard.ts'

/** How much later than the server we stop a statement ourselves. */
const GRACE_MS = 100

export function createPostgresClient(pool: Pool): SqlClient {
  const running = new Set<Turn>()
  let closing: Promise<void> | undefined
  const close = async () => {
    for (const turn of running) turn.breakOff(closed())
    await pool.end()
  }
  return {
    dialect: 'postgres',
    run: async (statement) => {
      scanOne(statement.sql, 'postgres')
      if (statement.signal?.aborted) throw wasAborted(statement.signal)
      const values = (statement.params ?? []).map(toPostgresText)
      if (closing !== undefined) throw closed()
      const connection = await pool.connect().catch((failure: PostgresFailure) => {
        throw closing === undefined ? cannotConnect(failure) : closed()
      })
      const turn = new Turn(connection)
      running.add(turn)
      if (statement.signal?.aborted) turn.breakOff(wasAborted(statement.signal))
      try {
        return await turn.run(statement, values)
      } finally {
        running.delete(turn)
      }
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

function closed(): Error {
  return databaseError('closed', 'The database is closed.')
}

/** One statement on one connection. */
class Turn {
  readonly #connection: PoolClient
  #isReleased = false
  /** Why the connection was cut, when it was. */
  #cut: Error | undefined

  constructor(connection: PoolClient) {
    this.#connection = connection
  }

  async run(statement: SqlStatement, values: readonly (string | null)[]): Promise<SqlResult> {
    const { timeoutMs, signal } = statement
    const timer = setTimeout(() => this.breakOff(timedOut(timeoutMs)), timeoutMs + GRACE_MS)
    const stopListening = signal && onAbort(signal, () => this.breakOff(wasAborted(signal)))
    try {
      if (this.#cut !== undefined) throw this.#cut
      const result = await this.#inTransaction(statement, values)
      await this.#connection.query(CLEAN_SESSION)
      this.#release(false)
      return result
    } catch (failure) {
      await this.#recover()
      throw this.#cut ?? statementFailed(failure as PostgresFailure, timeoutMs)
    } finally {
      clearTimeout(timer)
      stopListening?.()
    }
  }

  /** Cuts the connection: the server rolls back what is not committed. */
  breakOff(error: Error): void {
    this.#cut ??= error
    this.#release(true)
  }

  async #inTransaction(statement: SqlStatement, values: readonly (string | null)[]): Promise<SqlResult> {
    const { sql, readOnly, maxRows, maxBytes } = statement
    await this.#connection.query(beginTransaction(statement))
    const portal = new PortalQuery({ text: sql, values, maxRows, maxBytes })
    // The driver's types know neither the methods of a query that is not its own, nor those of its connection.
    this.#connection.query(portal as never)
    const rows = await portal.result
    if (rows.status !== 'T') {
      throw databaseError('statement_not_allowed', 'Statements that steer transactions are not allowed.')
    }
    await this.#connection.query(endTransaction(statement))
    return { ...toResult(rows), ...(!readOnly && { changes: changesOf(rows.command) }) }
  }

  /** A connection that cannot be made clean again is given up. */
  async #recover(): Promise<void> {
    if (this.#isReleased) return
    try {
      await this.#connection.query('ROLLBACK')
      await this.#connection.query(CLEAN_SESSION)
      this.#release(false)
    } catch {
      this.#release(true)
    }
  }

  #release(isBroken: boolean): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#connection.release(isBroken)
  }
}

function toResult({ fields, rows, truncated }: PortalResult): SqlResult {
  return {
    columns: fields.map(({ name }) => name),
    rows: rows.map((row) => row.map((text, index) => toSqlValue(text, fields[index]?.dataTypeID ?? 0))),
    truncated,
  }
}

/** The last word of `INSERT 0 3`; 0 for a statement that counts nothing. */
export function changesOf(command: string): number {
  const count = Number(command.slice(command.lastIndexOf(' ') + 1))
  return Number.isInteger(count) && !command.startsWith('SELECT') ? count : 0
}
