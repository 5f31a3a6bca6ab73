/** Looks runs up in the tables of the server. */
import type { ListOptions, RunState, RunStatus, WaitsFor } from '../engine.ts'
import type { RunFailure } from '../errors.ts'
import { FAILURE_KEY, readFailure, readInput, readOutput } from './envelopes.ts'

/** Gives the rows of a query in SQL. */
export type Query = (sql: string) => Promise<readonly object[]>

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

interface Entries {
  input?: string
  output?: string
  failure?: RunFailure
}

export async function findRun(query: Query, name: string, id: string): Promise<RunRow | undefined> {
  const [row] = await readRuns(query, name, `target_service_key = ${quoted(id)}`, 1)
  return row
}

export async function listRuns(query: Query, name: string, { state, limit = 100 }: ListOptions): Promise<RunStatus[]> {
  const condition = state === undefined ? 'true' : CONDITIONS[state]
  const rows = await readRuns(query, name, condition, isExact(state) ? limit : MOST_RUNS)
  return rows.flatMap(({ status }) => (state === undefined || status.state === state ? [status] : [])).slice(0, limit)
}

/** The text of the decision of this name that the run has received, or will receive. */
export async function findDecision(query: Query, name: string, id: string, decided: string): Promise<string | undefined> {
  const [row] = (await query(
    `select completion_success_value_utf8 as text from sys_promise where service_name = ${quoted(name)}
     and service_key = ${quoted(id)} and key = ${quoted(decided)} and completed`,
  )) as readonly { readonly text?: string }[]
  return row?.text
}

/** The text that the server was given: the input of a run, or a decision. */
export async function findInput(query: Query, invocation: string): Promise<string | undefined> {
  return (await readEntries(query, [invocation])).get(invocation)?.input
}

/** What is true of a run in this state, and of some others where the table does not tell. */
const CONDITIONS: Readonly<Record<RunState, string>> = {
  queued: `status <> 'completed' and status <> 'running'`,
  running: `status <> 'completed'`,
  waiting: `status <> 'completed'`,
  finished: `status = 'completed' and completion_result = 'success'`,
  failed: `status = 'completed' and completion_result = 'failure'`,
  cancelled: `status = 'completed' and completion_result = 'failure'`,
}

/** Among so many runs one is looked for by a state that the table does not tell. */
const MOST_RUNS = 1000

function isExact(state: RunState | undefined): boolean {
  return state === undefined || state === 'finished'
}

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
  const state = stateOf(found, failure, waits)
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

function stateOf(found: Found, failure: RunFailure | undefined, waits: readonly WaitsFor[] | undefined): RunState {
  const { status, completion_result: result, completion_failure: words = '', journal_size: size = 0 } = found
  if (status === 'completed') {
    if (result === 'success') return 'finished'
    // What was killed, or cancelled by an operator, says 409.
    return failure === undefined && words.startsWith('[409]') ? 'cancelled' : 'failed'
  }
  if (waits !== undefined) return 'waiting'
  // The input alone is there, and nobody executes.
  return status !== 'running' && size <= 1 ? 'queued' : 'running'
}

async function readEntries(query: Query, ids: readonly string[]): Promise<Map<string, Entries>> {
  const rows = (await query(
    `select id, entry_json from sys_journal where id in (${ids.map(quoted).join(', ')})
     and (index = 0 or entry_type = 'Command: Output')`,
  )) as readonly { readonly id: string; readonly entry_json?: string }[]
  const entries = new Map<string, Entries>()
  for (const { id, entry_json: json = '{}' } of rows) {
    const { Input, Output } = (JSON.parse(json) as { Command?: EntryCommand }).Command ?? {}
    const entry = entries.get(id) ?? {}
    if (Input?.payload !== undefined) entry.input = toText(Input.payload)
    const { Success, Failure } = Output?.result ?? {}
    if (Success !== undefined) entry.output = toText(Success)
    const failure = readFailure(Failure?.metadata?.find(({ key }) => key === FAILURE_KEY)?.value)
    if (failure !== undefined) entry.failure = failure
    entries.set(id, entry)
  }
  return entries
}

interface EntryCommand {
  readonly Input?: { readonly payload?: readonly number[] }
  readonly Output?: {
    readonly result?: {
      readonly Success?: readonly number[]
      readonly Failure?: { readonly metadata?: readonly { readonly key: string; readonly value: string }[] }
    }
  }
}

async function readWaits(query: Query, name: string, found: readonly Found[]): Promise<Map<string, WaitsFor[]>> {
  const ids = found.flatMap((row) => (row.status === 'completed' ? [] : [quoted(row.target_service_key)]))
  if (ids.length === 0) return new Map()
  const rows = (await query(
    `select service_key, value_utf8 from state where service_name = ${quoted(name)} and key = 'waitsFor'
     and service_key in (${ids.join(', ')})`,
  )) as readonly { readonly service_key: string; readonly value_utf8: string }[]
  return new Map(rows.map((row) => [row.service_key, JSON.parse(row.value_utf8) as WaitsFor[]]))
}

function toText(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('utf8')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
