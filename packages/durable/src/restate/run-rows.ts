/** Looks runs up in the tables of the server. */
import type { ListOptions, RunState, RunStatus, WaitsFor } from '../engine.ts'
import { readInput, readOutput, WAITS_FOR } from './envelopes.ts'
import { type Entries, readEntries } from './journal-entries.ts'
import { type Query, quoted } from './query.ts'

export interface RunRow {
  /** That of the server. */
  readonly invocation: string
  readonly isOver: boolean
  readonly status: RunStatus
}

interface Found {
  readonly id: string
  readonly target_service_key: string
  readonly status: string
  readonly journal_size?: number
  readonly created_at: string
  readonly completion_result?: string
  readonly completion_failure?: string
}

export async function findRun(query: Query, name: string, id: string): Promise<RunRow | undefined> {
  const [row] = await readRuns(query, name, `target_service_key = ${quoted(id)}`, 1)
  return row
}

export async function listRuns(query: Query, name: string, { state, limit = 100 }: ListOptions): Promise<RunStatus[]> {
  const rows = await readRuns(query, name, state === undefined ? 'true' : conditionOf(state, name), limit)
  // It may be in another one meanwhile.
  return rows.flatMap(({ status }) => (state === undefined || status.state === state ? [status] : []))
}

/** The text of the decision of this name that the run has received, or will receive. */
export async function findDecision(query: Query, name: string, id: string, decided: string): Promise<string | undefined> {
  const [row] = (await query(
    `select completion_success_value_utf8 as text from sys_promise where service_name = ${quoted(name)}
     and service_key = ${quoted(id)} and key = ${quoted(decided)} and completed`,
  )) as readonly { readonly text?: string }[]
  return row?.text
}

/** What is true of the runs in this state. The same is read by `stateOf`. */
function conditionOf(state: RunState, name: string): string {
  const waits = `target_service_key in (select service_key from state where service_name = ${quoted(name)} and key = '${WAITS_FOR}')`
  const isQueued = `status not in ('running', 'completed') and journal_size <= 1`
  switch (state) {
    case 'queued':
      return isQueued
    case 'running':
      return `status <> 'completed' and not (${isQueued}) and not (${waits})`
    case 'waiting':
      return `status <> 'completed' and ${waits}`
    case 'finished':
      return `status = 'completed' and completion_result = 'success'`
    case 'failed':
      return `completion_result = 'failure' and completion_failure not like '${CANCELLED}%'`
    case 'cancelled':
      return `completion_result = 'failure' and completion_failure like '${CANCELLED}%'`
  }
}

/** With this the server begins what it says of what was killed, and of what an operator has cancelled. */
const CANCELLED = '[409]'

async function readRuns(query: Query, name: string, condition: string, limit: number): Promise<RunRow[]> {
  const found = (await query(
    `select id, target_service_key, status, journal_size, created_at, completion_result, completion_failure from sys_invocation
     where target_service_name = ${quoted(name)} and target_handler_name = 'run' and ${condition}
     order by created_at desc, id limit ${Math.trunc(limit)}`,
  )) as readonly Found[]
  if (found.length === 0) return []
  const entries = await readEntries(
    query,
    found.map(({ id }) => id),
  )
  const waits = await readWaits(query, name, found)
  return found.map((row) => toRow(row, entries.get(row.id) ?? {}, waits.get(row.target_service_key)))
}

function toRow(found: Found, { input, output, failure }: Entries, waits: readonly WaitsFor[] | undefined): RunRow {
  const { id: invocation, target_service_key: id, status, completion_failure: words = '' } = found
  const isOver = status === 'completed'
  const state = stateOf(found, waits)
  return {
    invocation,
    isOver,
    status: {
      id,
      state,
      input: input === undefined ? undefined : readInput(input),
      waitsFor: state === 'waiting' && waits !== undefined ? waits : [],
      ...(state === 'finished' && output !== undefined ? { output: readOutput(output) } : {}),
      ...(state === 'failed' ? { failure: failure ?? { name: 'Error', message: words } } : {}),
      startedAt: new Date(found.created_at).toISOString(),
    },
  }
}

function stateOf(found: Found, waits: readonly WaitsFor[] | undefined): RunState {
  const { status, completion_result: result, completion_failure: words = '', journal_size: size = 0 } = found
  if (status === 'completed') {
    if (result === 'success') return 'finished'
    return words.startsWith(CANCELLED) ? 'cancelled' : 'failed'
  }
  if (waits !== undefined) return 'waiting'
  // The input alone is there, and nobody executes.
  return status !== 'running' && size <= 1 ? 'queued' : 'running'
}

async function readWaits(query: Query, name: string, found: readonly Found[]): Promise<Map<string, WaitsFor[]>> {
  const ids = found.flatMap((row) => (row.status === 'completed' ? [] : [quoted(row.target_service_key)]))
  if (ids.length === 0) return new Map()
  const rows = (await query(
    `select service_key, value_utf8 from state where service_name = ${quoted(name)} and key = '${WAITS_FOR}'
     and service_key in (${ids.join(', ')})`,
  )) as readonly { readonly service_key: string; readonly value_utf8: string }[]
  return new Map(rows.map((row) => [row.service_key, JSON.parse(row.value_utf8) as WaitsFor[]]))
}
