/** Makes DBOS's tables, or brings them up to date, in one process at a time: DBOS does not see to that. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type Pg from 'pg'
import { DurableError } from '../errors.ts'
import { lockKey } from './owner-lock.ts'

const LOOK_MS = 100
/** Another process may have many rows to bring up to date. */
const PATIENCE_MS = 60_000
/** Of a process that stands still again and again. */
const ATTEMPTS = 3

export interface MigrateOptions {
  /** A process that is not heard of for so long, such as one that was stopped, has lost the lock. */
  readonly leaseMs: number
  /** How long it is waited for others; a minute unless told. */
  readonly patienceMs?: number
}

/** `work` may run more than once. Rejects with `engine_failed` when another process does not come to an end. */
export async function migrate(pool: Pg.Pool, work: () => Promise<void>, options: MigrateOptions): Promise<void> {
  const { leaseMs, patienceMs = Math.max(PATIENCE_MS, 2 * leaseMs) } = options
  for (let attempt = 1; !(await tryMigrate(pool, work, { leaseMs, patienceMs })); attempt++)
    if (attempt === ATTEMPTS) throw new DurableError('engine_failed', `This process stood still while it made DBOS's tables.`)
}

/**
 * False when this process stood still for longer than the lease, as on an overloaded machine: the server has ended its session, another
 * process may hold the lock, and `work` failed.
 */
async function tryMigrate(
  pool: Pg.Pool,
  work: () => Promise<void>,
  { leaseMs, patienceMs }: Required<MigrateOptions>,
): Promise<boolean> {
  const session = await pool.connect()
  let lost: unknown
  session.once('error', (cause) => {
    lost = cause
  })
  let running: Promise<void> | undefined
  const key = [lockKey('migrations')]
  // Not a session that waits for the lock: DBOS makes indexes beside running statements, and would wait for that one.
  const take = async () => (await session.query('SELECT pg_try_advisory_lock($1) AS taken', key)).rows[0].taken
  const ended = new AbortController()
  try {
    await session.query(`SET idle_session_timeout = ${Math.ceil(leaseMs)}`)
    for (const end = Date.now() + patienceMs; !(await take()); await sleep(Math.min(LOOK_MS, leaseMs / 3)))
      if (Date.now() > end)
        throw new DurableError('engine_failed', `Another process has made DBOS's tables for ${patienceMs} ms.`)
    running = work()
    await Promise.race([running, keepAlive(session, leaseMs / 3, ended.signal)])
    return true
  } catch (cause) {
    // Timers come before sockets: of a process that stood still, a query that is under way fails before it is read how the session ended.
    await nextTurn()
    const isEnded = isIdleTimeout(lost) || isIdleTimeout(cause)
    if (!isEnded && !isReadTimeout(cause)) throw cause
    if (running === undefined) return false
    const isDone = running.then(
      () => true,
      () => false,
    )
    // Or the server does not answer, and the work will not end.
    return await Promise.race([isDone, sleep(isEnded ? patienceMs : leaseMs, false, { signal: ended.signal })])
  } finally {
    ended.abort()
    // Its lock ends with it.
    session.release(true)
  }
}

function isIdleTimeout(cause: unknown): boolean {
  return (cause as { readonly code?: unknown } | undefined)?.code === '57P05'
}

/** By `query_timeout` of pg, which gives it no code. */
function isReadTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.message === 'Query read timeout'
}

/** The session would be ended while it has nothing to say. Rejects when the server does not answer; resolves never else. */
async function keepAlive(session: Pg.ClientBase, everyMs: number, signal: AbortSignal): Promise<never> {
  while (!signal.aborted) {
    await sleep(everyMs, undefined, { signal }).catch(() => {})
    if (!signal.aborted) await session.query('SELECT 1')
  }
  return await new Promise<never>(() => {})
}
