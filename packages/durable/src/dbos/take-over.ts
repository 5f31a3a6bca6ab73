/**
 * Requeues runs that their worker won't finish, and gives up runs that keep killing their workers. DBOS increments
 * `recovery_attempts` when a worker takes a run, and `noteProgress` resets it. It is therefore the number of attempts in a row
 * without a new record.
 */
import type Pg from 'pg'
import type { Names } from './names.ts'
import { CRASHED, NOW } from './tables.ts'

/** Number of attempts in a row in which the worker must have died before the run is a suspect: it may be the cause. */
const SUSPECT = 2
/** Delay before a suspect's next attempt, in milliseconds. Doubles with each crash, up to `LATEST_MS`. */
const SUSPECT_MS = 1000
/**
 * How many times longer that delay is from the third crash on while there are other runs. A crash interrupts them. After two crashes,
 * most suspects have only been interrupted themselves.
 */
const BUSY = 10
const LATEST_MS = 60_000

/**
 * Requeues runs of a live worker. This doesn't count as an attempt. Like the statement with which DBOS recovers its own process's
 * workflows at launch. DBOS's public `resumeWorkflows` isn't used, because it would also revive a run that was cancelled after
 * the check.
 */
export async function handBack(db: Pg.Pool | Pg.Client, names: Names, executor: string, workflowIds?: readonly string[]) {
  const statement = `UPDATE dbos.workflow_status
    SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL, updated_at = ${NOW},
      recovery_attempts = GREATEST(recovery_attempts - 1, 0),
      queue_name = CASE WHEN recovery_attempts > ${SUSPECT} THEN $4 ELSE $3 END
    WHERE status = 'PENDING' AND application_name = $1 AND executor_id = $2 AND ($5::text[] IS NULL OR workflow_uuid = ANY($5))`
  await db.query(statement, [names.application, executor, names.queue, names.suspects, workflowIds ?? null])
}

/** A run that was given up. */
export interface Crashed {
  readonly workflowId: string
  readonly crashes: number
}

/**
 * Requeues the runs of a dead worker. Suspects go to their own queue, from which each worker takes one run at a time, so that a
 * run that kills its worker doesn't count against others. Returns the runs that were given up.
 */
export async function takeOver(db: Pg.Client, names: Names, executor: string, maxCrashes: number): Promise<readonly Crashed[]> {
  const isBusy = `EXISTS (SELECT FROM dbos.workflow_status
    WHERE application_name = $1 AND status IN ('PENDING', 'ENQUEUED') AND recovery_attempts < ${SUSPECT})`
  const factor = `CASE WHEN recovery_attempts > ${SUSPECT} AND ${isBusy} THEN ${BUSY} ELSE 1 END`
  const delay = `LEAST(${SUSPECT_MS} * 2 ^ (recovery_attempts - ${SUSPECT}) * ${factor}, ${LATEST_MS})::bigint`
  const byCrashes = (given: string, suspect: string, other: string) =>
    `CASE WHEN recovery_attempts >= $5 THEN ${given} WHEN recovery_attempts >= ${SUSPECT} THEN ${suspect} ELSE ${other} END`
  const statement = `UPDATE dbos.workflow_status
    SET status = ${byCrashes(`'${CRASHED}'`, `'DELAYED'`, `'ENQUEUED'`)},
      queue_name = ${byCrashes('NULL', '$4', '$3')},
      delay_until_epoch_ms = ${byCrashes('NULL', `${NOW} + ${delay}`, 'NULL')},
      completed_at = ${byCrashes(NOW, 'NULL', 'NULL')},
      owner_xid = NULL, started_at_epoch_ms = NULL, updated_at = ${NOW}
    WHERE status = 'PENDING' AND application_name = $1 AND executor_id = $2
    RETURNING workflow_uuid, status, recovery_attempts`
  const { rows } = await db.query(statement, [names.application, executor, names.queue, names.suspects, maxCrashes])
  const crashed = rows.filter(({ status }) => status === CRASHED)
  return crashed.map((row) => ({ workflowId: row.workflow_uuid, crashes: Number(row.recovery_attempts) }))
}

/**
 * Takes back the last crash of a run whose worker had only stalled. If the run is waiting as a suspect and no longer is one, it goes
 * back to the queue.
 */
export async function takeBackCrash(db: Pg.Pool, names: Names, workflowId: string): Promise<void> {
  const isCleared = `status <> 'PENDING' AND queue_name = $3 AND recovery_attempts <= ${SUSPECT}`
  const statement = `UPDATE dbos.workflow_status
    SET recovery_attempts = recovery_attempts - 1,
      status = CASE WHEN ${isCleared} THEN 'ENQUEUED' ELSE status END,
      queue_name = CASE WHEN ${isCleared} THEN $2 ELSE queue_name END,
      delay_until_epoch_ms = CASE WHEN ${isCleared} THEN NULL ELSE delay_until_epoch_ms END
    WHERE workflow_uuid = $1 AND status IN ('PENDING', 'ENQUEUED', 'DELAYED') AND ${IS_CRASHING}`
  await db.query(statement, [workflowId, names.queue, names.suspects])
}

/** Runs that were taken over before, and have no new record. A queued one isn't being attempted, so its count is one lower. */
export const IS_CRASHING = `recovery_attempts > CASE status WHEN 'PENDING' THEN 1 ELSE 0 END`

/** Records that a run has made progress, so that earlier crashes no longer count. */
export async function noteProgress(db: Pg.Pool, executor: string, workflowId: string): Promise<void> {
  const statement = `UPDATE dbos.workflow_status SET recovery_attempts = 1
    WHERE workflow_uuid = $1 AND executor_id = $2 AND status = 'PENDING' AND recovery_attempts > 1`
  await db.query(statement, [workflowId, executor])
}

/** Returns other versions with runs that no worker has taken within `leaseMs`, and the number of such runs. */
export async function readStranded(db: Pg.Client, names: Names, version: string, leaseMs: number) {
  const query = `SELECT application_version AS version, count(*)::int AS runs FROM dbos.workflow_status
    WHERE status = 'ENQUEUED' AND queue_name = $1 AND application_version <> $2 AND updated_at < ${NOW} - $3::bigint
    GROUP BY application_version`
  const { rows } = await db.query<{ version: string; runs: number }>(query, [names.queue, version, Math.ceil(leaseMs)])
  return rows
}

/** Returns the ids of the workers that have runs. */
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

/** Resolves to true if suspects of a version are waiting for a worker. */
export async function hasSuspects(db: Pg.Client, names: Names, version: string): Promise<boolean> {
  const query = `SELECT FROM dbos.workflow_status
    WHERE queue_name = $1 AND status IN ('ENQUEUED', 'DELAYED') AND application_version = $2 LIMIT 1`
  const { rowCount } = await db.query(query, [names.suspects, version])
  return rowCount === 1
}
