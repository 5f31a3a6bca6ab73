/**
 * Selects the runs of a list with one query. DBOS's client pages by offset, which skips runs when others start or end between two
 * pages.
 */
import type Pg from 'pg'
import type { RunState } from '../engine/engine.ts'
import type { CheckedListOptions } from '../engine/options.ts'
import { decisionId, type Names, WAITS_FOR } from './names.ts'
import { statusesOf } from './run-status.ts'
import { IS_CRASHING } from './take-over.ts'
import { HELD } from './waiting.ts'

/** Resolves to workflow ids, newest first. */
export async function byNewest(pool: Pg.Pool, names: Names, options: CheckedListOptions): Promise<readonly string[]> {
  const { state, limit, after, startedFrom, startedBefore, waitsFor, version, crashing } = options
  const query = `SELECT workflow_uuid FROM dbos.workflow_status AS run
    WHERE name = $1 AND application_name = $2 AND ($3::text[] IS NULL OR status = ANY($3)) AND ${conditionOf(state)}
      AND ($4::bigint IS NULL OR (created_at, workflow_uuid) < ($4, $5))
      AND ($6::bigint IS NULL OR created_at >= $6) AND ($7::bigint IS NULL OR created_at < $7)
      AND ($8::text IS NULL OR application_version = $8) AND ($9::text IS NULL OR ${WAITS_FOR_ONE})
      AND ($10::boolean IS NULL OR $10 = (status IN ('ENQUEUED', 'PENDING', 'DELAYED') AND ${IS_CRASHING}))
    ORDER BY created_at DESC, workflow_uuid DESC LIMIT $11`
  const statuses = state === undefined ? null : statusesOf(state)
  const position = after === undefined ? [null, null] : [Date.parse(after.startedAt), names.workflowId(after.id)]
  const times = [startedFrom, startedBefore].map((time) => (time === undefined ? null : Date.parse(time)))
  const awaited = waitsFor === undefined ? null : JSON.stringify(waitsFor)
  const others = [version === undefined ? null : names.version(version), awaited, crashing ?? null]
  const values = [names.workflow, names.application, statuses, ...position, ...times, ...others, limit]
  const { rows } = await pool.query(query, values)
  return rows.map((row) => row.workflow_uuid)
}

/**
 * The name of a pending decision as JSON text, which is the first member of the decision. PostgreSQL's own operators would decode all of the
 * decision, and reject U+0000 and lone surrogates, which the arguments of a call may contain.
 */
const NAME = String.raw`substring(pending::text FROM '^\{"name":("(?:[^"\\]|\\.)*")')`

/**
 * Returns an SQL condition for runs with a pending decision that meets `condition` and hasn't been sent. Must match `readWaits`.
 */
const waitsIf = (condition: string) => `EXISTS (
  SELECT 1 FROM dbos.workflow_events AS event, json_array_elements((event.value::json #>> '{}')::json) AS pending
  WHERE event.workflow_uuid = run.workflow_uuid AND event.key = '${WAITS_FOR}' AND ${condition} AND NOT EXISTS (
    SELECT 1 FROM dbos.notifications WHERE message_uuid = ${decisionId(NAME, 'run.workflow_uuid')}))`
const WAITS = waitsIf('true')
const WAITS_FOR_ONE = waitsIf(`${NAME} = $9`)

const IS_HELD = `(status = 'DELAYED' AND delay_until_epoch_ms IS NOT DISTINCT FROM ${HELD})`

function conditionOf(state: RunState | undefined): string {
  if (state === 'held') return IS_HELD
  if (state === 'waiting') return `NOT ${IS_HELD} AND ${WAITS}`
  return state === 'queued' || state === 'running' ? `NOT ${IS_HELD} AND NOT ${WAITS}` : 'true'
}
