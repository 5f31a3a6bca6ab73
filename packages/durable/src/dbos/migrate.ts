/** Creates or updates DBOS's tables. Only one process does this at a time, because DBOS doesn't prevent concurrent migrations. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type Pg from 'pg'
import { DurableError } from '../errors.ts'
import { lockKey } from './owner-lock.ts'

const LOOK_MS = 100
/** Default of `patienceMs`. Another process may need this long to migrate many rows. */
const PATIENCE_MS = 60_000
/** Maximum number of attempts if this process is suspended again and again. */
const ATTEMPTS = 3

export interface MigrateOptions {
  /** Time after which a silent process loses the lock, in milliseconds. A suspended process is silent, for example. */
  readonly leaseMs: number
  /**
   * How long to wait for another process that is migrating, in milliseconds. Default: 60,000, or twice `leaseMs` if that is
   * longer.
   */
  readonly patienceMs?: number
}

/**
 * Calls `work` while no other process migrates. May call it more than once, so it must be safe to repeat. Rejects with
 * `engine_failed` if another process doesn't finish in time.
 */
export async function migrate(pool: Pg.Pool, work: () => Promise<void>, options: MigrateOptions): Promise<void> {
  const { leaseMs, patienceMs = Math.max(PATIENCE_MS, 2 * leaseMs) } = options
  for (let attempt = 1; !(await tryMigrate(pool, work, { leaseMs, patienceMs })); attempt++)
    if (attempt === ATTEMPTS)
      throw new DurableError('engine_failed', "This process was suspended repeatedly while it created DBOS's tables. Try again.")
}

/**
 * Resolves to false if this process was suspended for longer than the lease. The server has then ended the session, another
 * process may hold the lock, and `work` has failed.
 */
async function tryMigrate(
  pool: Pg.Pool,
  work: () => Promise<void>,
  { leaseMs, patienceMs }: Required<MigrateOptions>,
): Promise<boolean> {
  const session = await pool.connect()
  let isEnded = false
  const notice = (cause: unknown) => {
    isEnded ||= isIdleTimeout(cause)
  }
  session.once('error', notice)
  let running: Promise<void> | undefined
  const key = [lockKey('migrations')]
  // Polls for the lock instead of waiting in a query. DBOS creates indexes concurrently, which would wait for such a query to
  // end.
  const take = async () => (await session.query('SELECT pg_try_advisory_lock($1) AS taken', key)).rows[0].taken
  const ended = new AbortController()
  try {
    await session.query(`SET idle_session_timeout = ${Math.ceil(leaseMs)}`)
    for (const end = Date.now() + patienceMs; !(await take()); await sleep(Math.min(LOOK_MS, leaseMs / 3)))
      if (Date.now() > end)
        throw new DurableError(
          'engine_failed',
          `Another process has been creating DBOS's tables for more than ${patienceMs} ms. Try again later.`,
        )
    running = work()
    const alive = keepAlive(session, leaseMs / 3, ended.signal)
    // If the session ends during a query, only the query gets the error, and `running` may reject first.
    alive.catch(notice)
    await Promise.race([running, alive])
    return true
  } catch (cause) {
    // After a suspension, timers fire before sockets are read. Without this pause, the query would fail before the end of the
    // session is noticed.
    await nextTurn()
    notice(cause)
    if (!isEnded && !isReadTimeout(cause)) throw cause
    if (running === undefined) return false
    const isDone = running.then(
      () => true,
      () => false,
    )
    // If the session is still open, the server isn't answering, and `work` may never end.
    return await Promise.race([isDone, sleep(isEnded ? patienceMs : leaseMs, false, { signal: ended.signal })])
  } finally {
    ended.abort()
    // Destroying the session releases its lock.
    session.release(true)
  }
}

function isIdleTimeout(cause: unknown): boolean {
  return (cause as { readonly code?: unknown } | undefined)?.code === '57P05'
}

/** Returns true for the error of pg's `query_timeout`, which has no code. */
function isReadTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.message === 'Query read timeout'
}

/** Sends queries to keep the server from ending the idle session. Rejects if the server doesn't answer. Never resolves. */
async function keepAlive(session: Pg.ClientBase, everyMs: number, signal: AbortSignal): Promise<never> {
  while (!signal.aborted) {
    await sleep(everyMs, undefined, { signal }).catch(() => {})
    if (!signal.aborted) await session.query('SELECT 1')
  }
  return await new Promise<never>(() => {})
}
