/** Reads the inputs and outcomes of runs from the server's journal tables. */
import type { RunFailure } from '../errors.ts'
import { FAILURE_KEY, readFailure } from './envelopes.ts'

export interface Entries {
  /** Input of the run, or the decision in a call to `decide`. */
  input?: string
  output?: string
  failure?: RunFailure
}

export async function findInput(query: Query, invocation: string): Promise<string | undefined> {
  return (await readEntries(query, [invocation])).get(invocation)?.input
}

/** Reads the journal entries. Resolves to a map by invocation id. */
export async function readEntries(query: Query, ids: readonly string[]): Promise<Map<string, Entries>> {
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

function toText(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('utf8')
}

/** Executes an SQL query on the server. Resolves to its rows. */
export type Query = (sql: string, signal?: AbortSignal) => Promise<readonly object[]>

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
