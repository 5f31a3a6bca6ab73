/** Implements `SqlClient` for PostgreSQL. A statement has a connection to itself while it runs. */
import type { Pool, PoolClient } from 'pg'
import { databaseError, wasAborted } from '../database-error.ts'
import type { SqlClient, SqlStatement } from '../sql-client.ts'
import { assertText } from '../statement-text.ts'
import { waitFor } from '../wait-for.ts'
import { cannotConnect, type PostgresFailure } from './postgres-failure.ts'
import { PostgresTurn } from './postgres-turn.ts'
import { toPostgresText } from './postgres-value.ts'

export function createPostgresClient(pool: Pool): SqlClient {
  const running = new Set<PostgresTurn>()
  const waiting = new Set<() => void>()
  let connections = 0
  let closing: Promise<void> | undefined
  const close = async () => {
    for (const leave of waiting) leave()
    const ended = pool.end()
    await Promise.all([...running].map((turn) => turn.breakOff(closed())))
    // The pool's `end` also waits for servers that don't respond. Such connections end by themselves and are never used.
    if (connections === 0) await ended
  }

  /** Waits for a connection for at most the statement's own timeout. A connection that arrives later goes back to the pool. */
  const connect = async (statement: SqlStatement): Promise<PoolClient> => {
    const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max
    connections++
    // The driver may throw at once, for example if it cannot read a certificate.
    const connecting = (async () => pool.connect())().finally(() => connections--)
    let leave = () => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(closed())
    })
    waiting.add(leave)
    try {
      return await waitFor(Promise.race([connecting, left]), statement, () =>
        isFull ? busy() : cannotConnect({ code: 'ETIMEDOUT' }),
      )
    } catch (failure) {
      connecting.then(
        (late) => late.release(),
        () => {},
      )
      if (closing !== undefined) throw closed()
      throw isFull && (failure as PostgresFailure).code === undefined ? busy(failure) : cannotConnect(failure as PostgresFailure)
    } finally {
      waiting.delete(leave)
    }
  }

  return {
    dialect: 'postgres',
    run: async (statement) => {
      assertText(statement.sql)
      if (statement.signal?.aborted) throw wasAborted(statement.signal)
      const values = (statement.params ?? []).map(toPostgresText)
      if (closing !== undefined) throw closed()
      const turn = new PostgresTurn(await connect(statement))
      running.add(turn)
      if (closing !== undefined) void turn.breakOff(closed())
      else if (statement.signal?.aborted) void turn.breakOff(wasAborted(statement.signal))
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

function busy(cause?: unknown): Error {
  return databaseError('busy', 'All database connections are in use by other statements. Try again later.', cause)
}
