/** Queries DBOS's tables directly for data that DBOS's client doesn't return, or doesn't return for many runs at once. */
import type Pg from 'pg'
import type { WaitsFor } from '../engine/engine.ts'
import type { Decided } from '../engine/play-run.ts'
import { DurableError } from '../errors.ts'
import { DECISIONS, messageId, WAITS_FOR } from './names.ts'

/** The database's time in milliseconds since 1970, in SQL. */
export const NOW = '(EXTRACT(EPOCH FROM now()) * 1000)::bigint'

/** The status that DBOS itself gives to workflows that it abandons. */
export const CRASHED = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'

/** Columns of DBOS's tables that this package reads or writes. */
const COLUMNS = {
  workflow_status: `workflow_uuid, status, name, application_name, application_version, executor_id, queue_name, owner_xid,
    recovery_attempts, delay_until_epoch_ms, created_at, updated_at, started_at_epoch_ms, completed_at, error`,
  operation_outputs: 'workflow_uuid, function_id, function_name, output',
  workflow_input: 'workflow_uuid',
  workflow_output: 'workflow_uuid',
  workflow_events: 'workflow_uuid, key, value',
  application_versions: 'version_name, version_timestamp, created_at, application_name',
  notifications: 'message_uuid, message, destination_uuid, topic, consumed',
}

/** Checks that the tables have the expected columns. Rejects with `engine_failed` if a release of DBOS has changed them. */
export async function assertTables(pool: Pg.Pool): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS))
    await pool.query(`SELECT ${columns} FROM dbos.${table} LIMIT 0`).catch((cause: Error & { readonly code?: unknown }) => {
      if (cause.code !== UNDEFINED_TABLE && cause.code !== UNDEFINED_COLUMN) throw cause
      const fix =
        'Another release of DBOS has changed it. In all processes that use the database, install a release that this package lists as a peer dependency.'
      throw new DurableError('engine_failed', `DBOS's table "${table}" is not as expected: ${cause.message}. ${fix}`, { cause })
    })
}

const UNDEFINED_TABLE = '42P01'
const UNDEFINED_COLUMN = '42703'

/** Returns each run's pending decisions, without those that were already sent. DBOS's client would need one request per run. */
export async function readWaits(pool: Pg.Pool, workflowIds: readonly string[]): Promise<Map<string, readonly WaitsFor[]>> {
  const waits = new Map<string, readonly WaitsFor[]>()
  if (workflowIds.length === 0) return waits
  const query = 'SELECT workflow_uuid, value FROM dbos.workflow_events WHERE key = $1 AND workflow_uuid = ANY($2)'
  const { rows } = await pool.query(query, [WAITS_FOR, workflowIds])
  for (const { workflow_uuid: workflowId, value } of rows) waits.set(workflowId, JSON.parse(JSON.parse(value)))
  const decided = await readDecided(pool, waits)
  for (const [workflowId, waitsFor] of waits) {
    const open = waitsFor.filter(({ name }) => !decided.has(messageId(name, workflowId)))
    if (open.length > 0) waits.set(workflowId, open)
    else waits.delete(workflowId)
  }
  return waits
}

async function readDecided(pool: Pg.Pool, waits: ReadonlyMap<string, readonly WaitsFor[]>): Promise<Set<string>> {
  const ids = [...waits].flatMap(([workflowId, waitsFor]) => waitsFor.map(({ name }) => messageId(name, workflowId)))
  if (ids.length === 0) return new Set()
  const { rows } = await pool.query('SELECT message_uuid FROM dbos.notifications WHERE message_uuid = ANY($1)', [ids])
  return new Set(rows.map((row) => row.message_uuid))
}

/**
 * Returns the first decision with this name, whether or not the run has received it. DBOS keeps messages as long as their run,
 * but has no API to read them. The result never changes, because DBOS ignores a message whose key exists.
 */
export async function readDecision(pool: Pg.Pool, workflowId: string, decision: string): Promise<Decided | undefined> {
  const query = 'SELECT message FROM dbos.notifications WHERE message_uuid = $1'
  const { rows } = await pool.query(query, [messageId(decision, workflowId)])
  return rows.length === 0 ? undefined : (JSON.parse(JSON.parse(rows[0].message)) as Decided)
}

export interface Received {
  /** Number of decisions that the run has received so far. */
  readonly received: number
  /** Number of decisions that have arrived but that the run hasn't received yet. */
  readonly arrived: number
  /** True if the run has published pending decisions and has received none of them. */
  readonly isWaiting: boolean
}

export async function countDecisions(pool: Pg.Pool, workflowId: string): Promise<Received> {
  const query = `SELECT count(*) FILTER (WHERE consumed)::int AS received, count(*) FILTER (WHERE NOT consumed)::int AS arrived,
      EXISTS (SELECT 1 FROM dbos.workflow_events WHERE workflow_uuid = $1 AND key = '${WAITS_FOR}' AND value <> '"[]"') AS "isWaiting"
    FROM dbos.notifications WHERE destination_uuid = $1 AND topic = '${DECISIONS}'`
  const { rows } = await pool.query(query, [workflowId])
  return rows[0]
}

/** Returns the status of each run. Leaves out unknown runs. */
export async function readStates(pool: Pg.Pool, workflowIds: readonly string[]): Promise<Map<string, RunPlace>> {
  const query = 'SELECT workflow_uuid, status, executor_id FROM dbos.workflow_status WHERE workflow_uuid = ANY($1)'
  const { rows } = await pool.query(query, [workflowIds])
  return new Map(rows.map((row) => [row.workflow_uuid, { status: row.status, executor: row.executor_id }]))
}

export interface RunPlace {
  readonly status: string
  readonly executor: string | null
}
