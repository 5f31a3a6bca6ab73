/** Runs one statement on one connection. Handles its transaction, its timeout, and the cleanup of the connection. */
import { onAbort } from '@x/tool-core'
import type { PoolClient } from 'pg'
import { timerMs } from '../../option.ts'
import { databaseError, outcomeUnknown, timedOut, wasAborted } from '../database-error.ts'
import type { SqlResult, SqlStatement } from '../sql-client.ts'
import { requestCancel } from './cancel-request.ts'
import { PortalQuery, type PortalResult } from './portal-query.ts'
import { isUndone, type PostgresFailure, statementFailed } from './postgres-failure.ts'
import { beginTransaction, CLEAN_SESSION, endTransaction } from './postgres-transaction.ts'
import { changesOf, toSqlValue } from './postgres-value.ts'

/** Time after the server's own timeout, in milliseconds, before the client closes the connection. */
const GRACE_MS = 100

export class PostgresTurn {
  readonly #connection: PoolClient
  #isReleased = false
  #cancelling: Promise<void> = Promise.resolve()
  /** Why the connection was closed. Undefined while it's open. */
  #cut: Error | undefined
  /**
   * Why the server ended the session between two statements. Without it, the next statement would fail with an error that doesn't state the
   * cause.
   */
  #lost: PostgresFailure | undefined

  constructor(connection: PoolClient) {
    this.#connection = connection
  }

  async run(statement: SqlStatement, values: readonly (string | null)[]): Promise<SqlResult> {
    const { timeoutMs, signal } = statement
    const started = performance.now()
    const timer = setTimeout(() => void this.breakOff(timedOut(timeoutMs)), timerMs(timeoutMs + GRACE_MS))
    const onLost = (error: PostgresFailure) => {
      this.#lost ??= error
    }
    this.#connection.on('error', onLost)
    const stopListening = signal && onAbort(signal, () => void this.breakOff(wasAborted(signal)))
    try {
      const rows = await this.#execute(statement, values).catch(async (failure: PostgresFailure) => {
        // After `timeoutMs`, the server may have ended the session. If writing fails first, the server's reason is never read.
        const isLate = performance.now() - started >= timeoutMs
        await this.#clean('ROLLBACK')
        throw this.#cut ?? statementFailed((failure.code === undefined && this.#lost) || failure, timeoutMs, isLate)
      })
      await this.#end(statement)
      return { ...toResult(rows), ...(!statement.readOnly && { changes: changesOf(rows.command, rows.returned) }) }
    } finally {
      clearTimeout(timer)
      stopListening?.()
      this.#connection.off('error', onLost)
    }
  }

  /** Closes the connection, so that the server rolls back uncommitted work. Settles after the server has been asked to cancel. */
  breakOff(error: Error): Promise<void> {
    this.#cut ??= error
    this.#release(true)
    return this.#cancelling
  }

  async #execute(statement: SqlStatement, values: readonly (string | null)[]): Promise<PortalResult> {
    const { sql, readOnly, maxRows, maxBytes } = statement
    if (this.#cut !== undefined) throw this.#cut
    await this.#connection.query(beginTransaction(statement, { hasClient: true }))
    const portal = new PortalQuery({ text: sql, values, maxRows, maxBytes, toEnd: !readOnly })
    // The driver's types don't declare the methods of a custom query or of the query's connection.
    this.#connection.query(portal as never)
    const rows = await portal.result
    if (rows.isCut) this.#release(true)
    else if (rows.status !== 'T') {
      throw databaseError('statement_not_allowed', 'Statements that control transactions are not allowed.')
    }
    return rows
  }

  /** Ends the transaction. Rows that were read and changes that were committed are kept, even if the connection fails afterwards. */
  async #end(statement: SqlStatement): Promise<void> {
    if (statement.readOnly) return this.#clean(endTransaction(statement))
    if (this.#cut !== undefined) throw this.#cut
    // Nothing was committed, because the server rolls back when a session ends.
    if (this.#lost !== undefined) throw statementFailed(this.#lost, statement.timeoutMs)
    try {
      await this.#connection.query(endTransaction(statement))
    } catch (error) {
      const failure = error as PostgresFailure
      await this.#clean('ROLLBACK')
      throw isUndone(failure) ? (this.#cut ?? statementFailed(failure, statement.timeoutMs)) : outcomeUnknown(failure)
    }
    await this.#clean()
  }

  /** Resets the connection for the next statement. Drops the connection if it can't be reset. */
  async #clean(first?: string): Promise<void> {
    if (this.#isReleased) return
    try {
      if (first !== undefined) await this.#connection.query(first)
      await this.#connection.query(CLEAN_SESSION)
      this.#release(false)
    } catch {
      this.#release(true)
    }
  }

  #release(isBroken: boolean): void {
    if (this.#isReleased) return
    this.#isReleased = true
    if (isBroken) this.#cancelling = requestCancel(this.#connection)
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
