/**
 * Keeps runs that are waiting or held without a worker. In DBOS, such a run is delayed for a hundred years; a decision or `retry`
 * ends the delay. Meanwhile it uses no slot and causes no queries.
 */
import type Pg from 'pg'
import type { RunFailure } from '../errors.ts'
import { DECISIONS, type Names } from './names.ts'
import { NOW } from './tables.ts'

/** End of the delay of a waiting run, in milliseconds since 1970. Identifies waiting runs among all delayed runs. */
export const FAR = Date.UTC(2126, 0)
/** End of the delay of a held run, in milliseconds since 1970. Identifies held runs. */
export const HELD = Date.UTC(2127, 0)
/** Delay of a run whose worker couldn't load its program, in milliseconds. */
const LATER_MS = 5000

/** Makes a run wait without a worker. Resolves to false if the run is no longer assigned to this worker. */
export async function leaveUntilDecided(db: Pg.Pool, names: Names, executor: string, workflowId: string): Promise<boolean> {
  const isLeft = await delay(db, names, executor, workflowId, FAR, null)
  // A decision may have arrived just before the update. Later ones find the run waiting.
  await wakeDecided(db, names, workflowId)
  return isLeft
}

/**
 * Holds a run until `release` is called. Without a reason, a worker takes the run again after `LATER_MS`. Resolves to false if the run is no
 * longer assigned to this worker.
 */
export async function hold(
  db: Pg.Pool,
  names: Names,
  executor: string,
  workflowId: string,
  reason: RunFailure | undefined,
): Promise<boolean> {
  if (reason === undefined) return await delay(db, names, executor, workflowId, `${NOW} + ${LATER_MS}`, null)
  return await delay(db, names, executor, workflowId, HELD, JSON.stringify(reason))
}

/** Puts a held run back into the queue. Has no effect on any other run. */
export async function release(db: Pg.Pool, names: Names, workflowId: string): Promise<void> {
  const statement = `UPDATE dbos.workflow_status
    SET status = 'ENQUEUED', queue_name = $2, delay_until_epoch_ms = NULL, error = NULL, updated_at = ${NOW}
    WHERE workflow_uuid = $1 AND status = 'DELAYED' AND delay_until_epoch_ms = ${HELD}`
  await db.query(statement, [workflowId, names.queue])
}

async function delay(
  db: Pg.Pool,
  names: Names,
  executor: string,
  workflowId: string,
  until: number | string,
  error: string | null,
): Promise<boolean> {
  const statement = `UPDATE dbos.workflow_status
    SET status = 'DELAYED', delay_until_epoch_ms = ${until}, error = $4, queue_name = $3, recovery_attempts = 0, owner_xid = NULL,
      started_at_epoch_ms = NULL, updated_at = ${NOW}
    WHERE workflow_uuid = $1 AND executor_id = $2 AND status = 'PENDING'`
  const { rowCount } = await db.query(statement, [workflowId, executor, names.queue, error])
  return rowCount === 1
}

/**
 * Requeues waiting runs that have a decision they haven't received. Without `workflowId`, covers all runs, because a client may
 * have died between sending a decision and waking the run.
 */
export async function wakeDecided(db: Pg.Pool | Pg.Client, names: Names, workflowId?: string): Promise<void> {
  const statement = `UPDATE dbos.workflow_status AS run SET status = 'ENQUEUED', delay_until_epoch_ms = NULL, updated_at = ${NOW}
    WHERE status = 'DELAYED' AND delay_until_epoch_ms = ${FAR} AND application_name = $1
      AND ($2::text IS NULL OR workflow_uuid = $2)
      AND EXISTS (SELECT 1 FROM dbos.notifications
        WHERE destination_uuid = run.workflow_uuid AND topic = '${DECISIONS}' AND NOT consumed)`
  await db.query(statement, [names.application, workflowId ?? null])
}
