/** Puts runs that a worker won't finish back into the queue. */
import type Pg from 'pg'
import type { Names } from './names.ts'

/**
 * Runs the statement that DBOS uses to recover its own process's workflows at launch. DBOS's public `resumeWorkflows` would also revive a
 * run that was cancelled after the check.
 */
export async function requeue(db: Pg.Pool | Pg.Client, names: Names, executor: string, workflowIds?: readonly string[]) {
  const statement = `UPDATE dbos.workflow_status
    SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL, queue_name = $3,
      updated_at = (EXTRACT(EPOCH FROM now()) * 1000)::bigint
    WHERE status = 'PENDING' AND application_name = $1 AND executor_id = $2 AND ($4::text[] IS NULL OR workflow_uuid = ANY($4))`
  await db.query(statement, [names.application, executor, names.queue, workflowIds ?? null])
}

/** Returns the workers that have runs. */
export async function readOwners(db: Pg.Client, names: Names): Promise<readonly string[]> {
  const query = `SELECT DISTINCT executor_id FROM dbos.workflow_status WHERE status = 'PENDING' AND application_name = $1`
  const { rows } = await db.query(query, [names.application])
  return rows.map((row) => row.executor_id)
}

export async function readOwned(db: Pg.Client, names: Names, executor: string): Promise<readonly string[]> {
  const query = `SELECT workflow_uuid FROM dbos.workflow_status
    WHERE status = 'PENDING' AND application_name = $1 AND executor_id = $2`
  const { rows } = await db.query(query, [names.application, executor])
  return rows.map((row) => row.workflow_uuid)
}

/**
 * Assigns runs without a version to this version if no worker has taken them within `leaseMs`. DBOS leaves them to its newest known
 * version, which may have been rolled back and have no workers.
 */
export async function adoptUnversioned(db: Pg.Client, names: Names, version: string, leaseMs: number): Promise<void> {
  const statement = `UPDATE dbos.workflow_status SET application_version = $2
    WHERE status = 'ENQUEUED' AND queue_name = $1 AND application_version IS NULL
      AND created_at < (EXTRACT(EPOCH FROM now()) * 1000)::bigint - $3::bigint`
  await db.query(statement, [names.queue, version, Math.ceil(leaseMs)])
}
