/** Setup for the crash test: a model with the same script in every process, and tools that write to a database. */
import { defineSignature, type LM, type LMResponse } from '@x/adapters'
import { defineTool, type Effect, type Tool } from '@x/tool-core'
import type { SqlClient, SqlResult } from '@x/toolset/database'
import { Type } from 'typebox'

/** Called before and after each event. May end the process. */
export type Mark = (words: string) => void

export interface ScriptedCall {
  readonly id: string
  readonly tool: keyof typeof EFFECTS
}

/** The declared effect of each tool. `visit` declares none. */
export const EFFECTS = {
  balance: 'read',
  transfer: 'idempotent',
  note: 'write',
  visit: undefined,
  erase: 'destructive',
} as const satisfies Record<string, Effect | undefined>

/** The calls in each turn. A turn without calls ends the run. */
export const TURNS: readonly (readonly ScriptedCall[])[] = [
  [
    { id: 'r1', tool: 'balance' },
    { id: 't1', tool: 'transfer' },
  ],
  [
    { id: 'n1', tool: 'note' },
    { id: 'v1', tool: 'visit' },
  ],
  [
    { id: 't2', tool: 'transfer' },
    { id: 'v2', tool: 'visit' },
    { id: 'r2', tool: 'balance' },
    { id: 'v3', tool: 'visit' },
  ],
  [
    { id: 'e1', tool: 'erase' },
    { id: 'n2', tool: 'note' },
  ],
  [],
]

export const ANSWER = 'All is done.'

export const signature = defineSignature({
  instructions: 'Do what is asked.',
  inputs: { task: Type.String() },
  outputs: { answer: Type.String() },
})

/**
 * Creates the scripted model. It derives its position in the script from the turns in the request, so that a new process continues where
 * the previous one stopped.
 */
export function createModel(onAsked: (turn: number) => void): LM {
  return {
    async generate({ messages }): Promise<LMResponse> {
      const turn = messages.filter(({ role }) => role === 'assistant').length + 1
      onAsked(turn)
      const calls = TURNS[turn - 1] ?? []
      return {
        text: calls.length === 0 ? ANSWER : '',
        toolCalls: calls.map(({ id, tool }) => ({ id, name: tool, arguments: '{}' })),
      }
    },
  }
}

/** Only `transfers` refuses duplicates, by idempotency key. `entries` accepts all rows. `call` contains the run id and the call id. */
export const SETUP = `CREATE TABLE IF NOT EXISTS transfers (key TEXT PRIMARY KEY, call TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entries (call TEXT NOT NULL)`

export function createTools(database: SqlClient, run: string, onExecuted: (callId: string) => void, mark: Mark): readonly Tool[] {
  return (Object.keys(EFFECTS) as (keyof typeof EFFECTS)[]).map((name) =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      args: Type.Object({}),
      effect: EFFECTS[name],
      execute: async (_, { callId, idempotencyKey }) => {
        onExecuted(callId)
        mark(`before the effect of ${callId}`)
        await STATEMENTS[name](database, `${run}/${callId}`, idempotencyKey)
        mark(`after the effect of ${callId}`)
        return 'done'
      },
    }),
  )
}

/** Returns the calls in all rows, including duplicates. */
export async function callsInDatabase(database: SqlClient): Promise<readonly string[]> {
  const { rows } = await select(database, 'SELECT call FROM transfers UNION ALL SELECT call FROM entries')
  return rows.map(([call]) => String(call))
}

type Statement = (database: SqlClient, call: string, key: string) => Promise<SqlResult>

const insertEntry: Statement = (database, call) => change(database, 'INSERT INTO entries VALUES (?)', [call])

const STATEMENTS: Readonly<Record<keyof typeof EFFECTS, Statement>> = {
  balance: (database) => select(database, 'SELECT count(*) FROM entries'),
  transfer: (database, call, key) => change(database, 'INSERT OR IGNORE INTO transfers VALUES (?, ?)', [key, call]),
  note: insertEntry,
  visit: insertEntry,
  erase: insertEntry,
}

/** Limits with a generous timeout for busy machines. No statement takes a second. */
export const LIMITS = { maxRows: 10_000, maxBytes: 1_000_000, timeoutMs: 120_000 }

function change(database: SqlClient, sql: string, params: readonly string[]): Promise<SqlResult> {
  return database.run({ sql, params, readOnly: false, ...LIMITS })
}

function select(database: SqlClient, sql: string): Promise<SqlResult> {
  return database.run({ sql, readOnly: true, ...LIMITS })
}
