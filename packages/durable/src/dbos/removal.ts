/** Deletes ended runs. */
import type Pg from 'pg'
import { notEnded } from '../engine/run-errors.ts'
import type { Names } from './names.ts'
import { lockKey } from './owner-lock.ts'
import { FINAL } from './run-status.ts'
import type { Store } from './store.ts'
import { CRASHED } from './take-over.ts'

/** Maximum number of expired runs that are removed at once, so that a sweep doesn't take long. */
const AT_ONCE = 500

/** Deletes an ended run. Rejects with `not_ended`. */
export async function remove({ client, pool }: Store, names: Names, id: string): Promise<void> {
  const workflowId = names.workflowId(id)
  const ended = await settleEnded(pool, names, 'workflow_uuid = $3', workflowId)
  if (ended.length > 0) await client.deleteWorkflows([workflowId])
  else if ((await client.getWorkflow(workflowId)) !== undefined) throw notEnded(id)
}

/**
 * Deletes runs that ended more than `retentionMs` ago. Only one worker does this at a time. Resolves to false if some of them are
 * left.
 */
export async function removeExpired(
  session: Pg.Client,
  { client, ask }: Store,
  names: Names,
  retentionMs: number,
): Promise<boolean> {
  const key = [lockKey(`retention of ${names.application}`)]
  const { rows } = await session.query('SELECT pg_try_advisory_lock($1) AS taken', key)
  if (!rows[0].taken) return true
  try {
    const condition = 'completed_at < (EXTRACT(EPOCH FROM now()) * 1000)::bigint - $3::bigint'
    const ended = await settleEnded(session, names, condition, Math.ceil(retentionMs))
    if (ended.length > 0) await ask(() => client.deleteWorkflows(ended))
    return ended.length < AT_ONCE
  } finally {
    await session.query('SELECT pg_advisory_unlock($1)', key)
  }
}

/**
 * Returns the workflow ids of ended runs that meet a condition. Marks those that were given up as failed for good, because `retry`
 * could otherwise reopen them before they are deleted.
 */
async function settleEnded(db: Pg.Pool | Pg.Client, names: Names, condition: string, value: string | number): Promise<string[]> {
  const where = `WHERE application_name = $1 AND status = ANY($2) AND ${condition}`
  await db.query(`UPDATE dbos.workflow_status SET status = 'ERROR' ${where}`, [names.application, [CRASHED], value])
  const query = `SELECT workflow_uuid FROM dbos.workflow_status ${where} LIMIT ${AT_ONCE}`
  const { rows } = await db.query(query, [names.application, FINAL, value])
  return rows.map((row) => row.workflow_uuid)
}
