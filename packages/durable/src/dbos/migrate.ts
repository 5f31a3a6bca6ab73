/** Makes DBOS's tables, or brings them up to date, in one process at a time: DBOS does not see to that. */
import { setTimeout as sleep } from 'node:timers/promises'
import type Pg from 'pg'
import { lockKey } from './owner-lock.ts'

const LOOK_MS = 100

export async function migrate(pool: Pg.Pool, work: () => Promise<void>): Promise<void> {
  const session = await pool.connect()
  // Heard while the session has nothing to say; what it is asked next rejects.
  session.on('error', () => {})
  const key = [lockKey('migrations')]
  // Not a session that waits for the lock: DBOS makes indexes beside running statements, and would wait for that one.
  const take = async () => (await session.query('SELECT pg_try_advisory_lock($1) AS taken', key)).rows[0].taken
  try {
    while (!(await take())) await sleep(LOOK_MS)
    await work()
    await session.query('SELECT pg_advisory_unlock($1)', key)
    session.release()
  } catch (cause) {
    // Its lock ends with it.
    session.release(true)
    throw cause
  }
}
