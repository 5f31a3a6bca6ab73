/** Reads runs from the server's SQL tables. */
import type { EngineStats, ListOptions, ListPosition, RunState, RunStatus, WaitsFor } from '../engine/engine.ts'
import { listPages } from '../engine/list-pages.ts'
import { checkListOptions } from '../engine/options.ts'
import { decisionKey, readInput, readOutput, readReason, WAITS_FOR } from './envelopes.ts'
import { type Entries, type Query, quoted, readEntries } from './journal-entries.ts'

interface Found {
  readonly id: string
  readonly target_service_key: string
  readonly status: string
  readonly journal_size?: number
  readonly created_at: string
  readonly completion_result?: string
  readonly completion_failure?: string
}

export async function findRun(query: Query, name: string, id: string): Promise<RunStatus | undefined> {
  const [status] = await readRuns(query, name, `target_service_key = ${quoted(id)}`, 1)
  return status
}

/** Resolves to the run's invocation id and whether the run has ended. */
export async function findInvocation(
  query: Query,
  name: string,
  id: string,
): Promise<{ readonly invocation: string; readonly isOver: boolean; readonly isPaused: boolean } | undefined> {
  const [found] = await findRows(query, name, `target_service_key = ${quoted(id)}`, 1)
  return found && { invocation: found.id, isOver: found.status === 'completed', isPaused: found.status === PAUSED }
}

/** Lists runs, newest first. Rejects with `invalid_options`. */
export async function listRuns(query: Query, name: string, options: ListOptions): Promise<readonly RunStatus[]> {
  const checked = checkListOptions(options)
  const { state, startedFrom, startedBefore } = checked
  // Several tables determine whether a run is waiting, and for which decision. They may change between queries, so the rows are
  // filtered again.
  const inState = state === undefined ? 'true' : conditionOf(state, name)
  const inTime = `${isStarted('>=', startedFrom)} and ${isStarted('<', startedBefore)}`
  const read = async (count: number, after: ListPosition | undefined) => {
    const runs = await readRuns(query, name, `${inState} and ${inTime} and ${isAfter(after)}`, count)
    return { runs, isLast: runs.length < count }
  }
  return await listPages(checked, read, PAGE)
}

const PAGE = 100

function isStarted(operator: '>=' | '<', time: string | undefined): string {
  return time === undefined ? 'true' : `created_at ${operator} ${toTimestamp(time)}`
}

function toTimestamp(time: string): string {
  return `to_timestamp_millis(${Date.parse(time)})`
}

/** Returns an SQL condition for runs after a position in the list. */
function isAfter(after: ListPosition | undefined): string {
  if (after === undefined) return 'true'
  const startedAt = toTimestamp(after.startedAt)
  return `(created_at < ${startedAt} or (created_at = ${startedAt} and target_service_key < ${quoted(after.id)}))`
}

/** Returns the text of a recorded decision, whether or not the run has received it. */
export async function findDecision(query: Query, name: string, id: string, decided: string): Promise<string | undefined> {
  const [row] = (await query(
    `select completion_success_value_utf8 as text from sys_promise where service_name = ${quoted(name)}
     and service_key = ${quoted(id)} and key = ${quoted(decided)} and completed`,
  )) as readonly { readonly text?: string }[]
  return row?.text
}

/**
 * Counts the runs that haven't ended. A run counts as running while the server offers it to an unreachable worker, and while no
 * worker has received a decision about it.
 */
export async function readStats(query: Query, name: string): Promise<EngineStats> {
  const read = async (columns: string, condition: string) =>
    (
      (await query(
        `select ${columns} from sys_invocation where target_service_name = ${quoted(name)} and target_handler_name = 'run'
         and ${condition}`,
      )) as readonly Counted[]
    )[0]
  const counted = (['queued', 'running', 'held'] as const).map(
    (state) => `count(*) filter (where ${conditionOf(state, name)}) as ${state}`,
  )
  const isUndecided = `target_service_key not in (select target_service_key from sys_invocation where
    target_service_name = ${quoted(name)} and target_handler_name = 'decide' and status <> 'completed')`
  const oldest = `min(created_at) filter (where ${conditionOf('queued', name)}) as oldest`
  const [active, waits] = await Promise.all([
    read([...counted, oldest].join(', '), `status <> 'completed'`),
    read('count(*) as waiting', `${conditionOf('waiting', name)} and ${isUndecided}`),
  ])
  const { queued = 0, running = 0, held = 0, oldest: startedAt } = active ?? {}
  const { waiting = 0 } = waits ?? {}
  const oldestQueuedMs = startedAt ? Math.max(0, Date.now() - Date.parse(startedAt)) : 0
  // On the server, waiting runs are running too.
  return { queued, running: Math.max(0, running - waiting), waiting, held, oldestQueuedMs }
}

interface Counted {
  readonly queued?: number
  readonly running?: number
  readonly waiting?: number
  readonly held?: number
  readonly oldest?: string | null
}

/** Resolves to the ids of the invocations that recorded the run's decisions. */
export async function findDecides(query: Query, name: string, id: string): Promise<readonly string[]> {
  const rows = (await query(
    `select id from sys_invocation where target_service_name = ${quoted(name)} and target_handler_name <> 'run'
     and target_service_key = ${quoted(id)}`,
  )) as readonly Pick<Found, 'id'>[]
  return rows.map((row) => row.id)
}

/** Returns an SQL condition for runs in a state. Must match `stateOf`. */
function conditionOf(state: RunState, name: string): string {
  const waits = `target_service_key in (select service_key from state where service_name = ${quoted(name)} and key = '${WAITS_FOR}')`
  const isQueued = `status not in ('running', 'completed', '${PAUSED}') and journal_size <= 1`
  switch (state) {
    case 'queued':
      return isQueued
    case 'running':
      return `status not in ('completed', '${PAUSED}') and not (${isQueued})`
    case 'waiting':
      return `status not in ('completed', '${PAUSED}') and ${waits}`
    case 'held':
      return `status = '${PAUSED}'`
    case 'finished':
      return `status = 'completed' and completion_result = 'success'`
    case 'failed':
      return `completion_result = 'failure' and completion_failure not like '${CANCELLED}%'`
    case 'cancelled':
      return `completion_result = 'failure' and completion_failure like '${CANCELLED}%'`
  }
}

/** The server's status for held runs. Runs that an operator has paused have it too. */
const PAUSED = 'paused'

/** Prefix of the server's message for a run that an operator has killed or cancelled. */
const CANCELLED = '[409]'

async function readRuns(query: Query, name: string, condition: string, limit: number): Promise<RunStatus[]> {
  const found = await findRows(query, name, condition, limit)
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const paused = found.flatMap(({ id, status }) => (status === PAUSED ? [id] : []))
  const [entries, waits, reasons] = await Promise.all([
    readEntries(query, ids),
    readWaits(query, name, found),
    readReasons(query, paused),
  ])
  return found.map((row) => {
    return toStatus(row, entries.get(row.id) ?? {}, waits.get(row.target_service_key), reasons.get(row.id))
  })
}

async function findRows(query: Query, name: string, condition: string, limit: number): Promise<readonly Found[]> {
  return (await query(
    `select id, target_service_key, status, journal_size, created_at, completion_result, completion_failure from sys_invocation
     where target_service_name = ${quoted(name)} and target_handler_name = 'run' and ${condition}
     order by created_at desc, target_service_key desc limit ${limit}`,
  )) as readonly Found[]
}

function toStatus(
  found: Found,
  { input, output, failure }: Entries,
  waits: readonly WaitsFor[] | undefined,
  reason: string | undefined,
): RunStatus {
  const { target_service_key: id, created_at: startedAt, completion_failure: words = '' } = found
  const state = stateOf(found, waits)
  return {
    id,
    state,
    input: input === undefined ? undefined : readInput(input),
    waitsFor: state === 'waiting' && waits !== undefined ? waits : [],
    ...(state === 'finished' && output !== undefined ? { output: readOutput(output) } : {}),
    ...(state === 'failed' ? { failure: failure ?? { name: 'Error', message: words } } : {}),
    ...(state === 'held' ? { failure: readReason(reason) } : {}),
    startedAt: new Date(startedAt).toISOString(),
  }
}

function stateOf(found: Found, waits: readonly WaitsFor[] | undefined): RunState {
  const { status, completion_result: result, completion_failure: words = '', journal_size: size = 0 } = found
  if (status === 'completed') {
    if (result === 'success') return 'finished'
    return words.startsWith(CANCELLED) ? 'cancelled' : 'failed'
  }
  if (status === PAUSED) return 'held'
  if (waits !== undefined) return 'waiting'
  // If only the input is recorded and no worker executes the run, the run is queued.
  return status !== 'running' && size <= 1 ? 'queued' : 'running'
}

/** Returns the pending decisions of a run. */
export async function findWaits(query: Query, name: string, id: string): Promise<readonly WaitsFor[]> {
  return (await readWaits(query, name, [{ status: 'running', target_service_key: id }])).get(id) ?? []
}

/** Returns the error with which each run was paused. */
async function readReasons(query: Query, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = (await query(
    `select id, event_json from sys_journal_events where id in (${ids.map(quoted).join(', ')}) and event_type = 'Paused'
     order by appended_at`,
  )) as readonly { readonly id: string; readonly event_json: string }[]
  return new Map(
    rows.flatMap(({ id, event_json: text }) => {
      const { last_failure: failure } = JSON.parse(text) as { readonly last_failure?: { readonly error_message?: string } }
      return failure?.error_message === undefined ? [] : [[id, failure.error_message]]
    }),
  )
}

type Place = Pick<Found, 'status' | 'target_service_key'>

async function readWaits(query: Query, name: string, found: readonly Place[]): Promise<Map<string, WaitsFor[]>> {
  const ids = found.flatMap((row) => (row.status === 'completed' ? [] : [quoted(row.target_service_key)]))
  if (ids.length === 0) return new Map()
  const rows = (await query(
    `select service_key, value_utf8 from state where service_name = ${quoted(name)} and key = '${WAITS_FOR}'
     and service_key in (${ids.join(', ')})`,
  )) as readonly { readonly service_key: string; readonly value_utf8: string }[]
  if (rows.length === 0) return new Map()
  const decided = await readDecided(
    query,
    name,
    rows.map((row) => row.service_key),
  )
  const waits = rows.map(({ service_key: id, value_utf8: text }): [string, WaitsFor[]] => {
    return [id, (JSON.parse(text) as WaitsFor[]).filter((each) => !decided.has(`${id} ${decisionKey(each.name)}`))]
  })
  return new Map(waits.filter(([, waitsFor]) => waitsFor.length > 0))
}

/** Returns all decisions, including those that no worker has received yet. */
async function readDecided(query: Query, name: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = (await query(
    `select target_service_key, idempotency_key from sys_invocation where target_service_name = ${quoted(name)}
     and target_handler_name = 'decide' and target_service_key in (${ids.map(quoted).join(', ')})`,
  )) as readonly { readonly target_service_key: string; readonly idempotency_key: string }[]
  return new Set(rows.map((row) => `${row.target_service_key} ${row.idempotency_key}`))
}
