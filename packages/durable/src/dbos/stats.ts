/** Counts the runs that haven't ended. */
import type Pg from 'pg'
import type { EngineStats } from '../engine/engine.ts'
import type { Names } from './names.ts'
import { IS_CRASHING } from './take-over.ts'
import { FAR, HELD } from './waiting.ts'

const IS_QUEUED = `status <> 'PENDING' AND delay_until_epoch_ms IS DISTINCT FROM ${FAR} AND delay_until_epoch_ms IS DISTINCT FROM ${HELD}`

/** Uses DBOS's indexes for active workflows. Reads no payloads. */
export async function readStats(pool: Pg.Pool, names: Names): Promise<EngineStats> {
  const query = `SELECT count(*) FILTER (WHERE ${IS_QUEUED})::int AS queued,
      count(*) FILTER (WHERE status = 'PENDING')::int AS running,
      count(*) FILTER (WHERE delay_until_epoch_ms = ${FAR})::int AS waiting,
      count(*) FILTER (WHERE delay_until_epoch_ms = ${HELD})::int AS held,
      count(*) FILTER (WHERE ${IS_CRASHING})::int AS crashing,
      COALESCE(EXTRACT(EPOCH FROM now()) * 1000 - min(updated_at) FILTER (WHERE ${IS_QUEUED}), 0)::float8 AS age
    FROM dbos.workflow_status
    WHERE (status IN ('ENQUEUED', 'PENDING') OR status = 'DELAYED') AND name = $1 AND application_name = $2`
  const { rows } = await pool.query(query, [names.workflow, names.application])
  const { age, ...counts } = rows[0]
  return { ...counts, oldestQueuedMs: Math.max(0, Math.round(age)) }
}
