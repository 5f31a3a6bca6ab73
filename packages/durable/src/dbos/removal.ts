/** Deletes ended runs. */
import type Pg from 'pg'
import { notEnded } from '../engine/run-errors.ts'
import type { Names } from './names.ts'
import { lockKey } from './owner-lock.ts'
import { ENDED } from './run-status.ts'
import type { Store } from './store.ts'
import { NOW } from './tables.ts'

/** Maximum number of expired runs that are removed at once, so that a sweep doesn't take long. */
const AT_ONCE = 500

/** Deletes an ended run. Rejects with `not_ended`. */
export async function remove({ client, pool }: Store, names: Names, id: string): Promise<void> {
  const workflowId = names.workflowId(id)
  if ((await deleteEnded(pool, names, 'workflow_uuid = $3', workflowId)) > 0) return
  if ((await client.getWorkflow(workflowId)) !== undefined) throw notEnded(id)
}

/**
 * Deletes runs that ended more than `retentionMs` ago. Only one worker does this at a time. Resolves to false if some of them are
 * left.
 */
export async function removeExpired(session: Pg.Client, { ask }: Store, names: Names, retentionMs: number): Promise<boolean> {
  const key = [lockKey(`retention of ${names.application}`)]
  const { rows } = await session.query('SELECT pg_try_advisory_lock($1) AS taken', key)
  if (!rows[0].taken) return true
  try {
    const condition = `completed_at < ${NOW} - $3::bigint`
    return (await ask(() => deleteEnded(session, names, condition, Math.ceil(retentionMs)))) < AT_ONCE
  } finally {
    await session.query('SELECT pg_advisory_unlock($1)', key)
  }
}

/** Tables with rows of a run that PostgreSQL doesn't delete together with its status. */
const OTHERS = ['workflow_input', 'workflow_output', 'operation_outputs']

/**
 * Deletes ended runs that meet a condition. Resolves to their number. A single statement: between two, a run could be reopened, or be
 * removed and another one started with its id. The rows are locked, so that the condition is checked again if another transaction has
 * just changed one. DBOS's client deletes runs in any state.
 */
async function deleteEnded(db: Pg.Pool | Pg.Client, names: Names, condition: string, value: string | number): Promise<number> {
  const others = OTHERS.map(
    (table) => `${table} AS (DELETE FROM dbos.${table} USING gone WHERE ${table}.workflow_uuid = gone.workflow_uuid)`,
  )
  const query = `WITH chosen AS (SELECT workflow_uuid FROM dbos.workflow_status
      WHERE application_name = $1 AND status = ANY($2) AND ${condition} LIMIT ${AT_ONCE} FOR UPDATE),
    gone AS (DELETE FROM dbos.workflow_status AS run USING chosen
      WHERE run.workflow_uuid = chosen.workflow_uuid RETURNING run.workflow_uuid),
    ${others.join(', ')} SELECT count(*)::int AS count FROM gone`
  const { rows } = await db.query(query, [names.application, ENDED, value])
  return rows[0].count
}
