/** Shared by both SQL targets: opens PGlite, reads a database's functions, and wraps the toolset's tools. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callTool, type Tool } from '@x/tool-core'
import type { SqlClient } from '@x/toolset/database'
import { openPglite } from '@x/toolset/pglite'
import type { SqlFunction } from './random-sql.ts'

/** The result of a statement for the model: the rows as JSON, or the reason why there are no rows. */
export interface SqlAnswer {
  readonly rows?: string
  readonly reason?: string
}

export const LIMITS = { maxRows: 50, maxBytes: 100_000, timeoutMs: 5_000 }

/** Opens a new database in a folder that is deleted when the client closes. */
export async function openNewPglite(): Promise<SqlClient> {
  const { initialize } = await import('@x/test-postgres')
  const parent = mkdtempSync(join(tmpdir(), 'lab-pglite-'))
  const folder = join(parent, 'data')
  await initialize('pglite', folder, async () => (await openPglite({ folder })).close())
  const client = await openPglite({ folder })
  const close = async () => {
    await client.close()
    rmSync(parent, { recursive: true, force: true })
  }
  return { ...client, close }
}

/** Runs one of the lab's own statements and returns the first column. Before it, the database may have to be opened again. */
export async function readAll(client: SqlClient, sql: string, readOnly = true): Promise<readonly string[]> {
  const { rows } = await client.run({ sql, readOnly, maxRows: 20_000, maxBytes: 10_000_000, timeoutMs: 600_000 })
  return rows.map(([value]) => String(value))
}

const FUNCTIONS = `
SELECT proname || coalesce((SELECT string_agg('|' || format_type(type, NULL), '' ORDER BY place)
  FROM unnest(proargtypes) WITH ORDINALITY AS args (type, place)), '')
FROM pg_proc WHERE prokind IN ('f', 'a') ORDER BY 1`

export async function readFunctions(client: SqlClient): Promise<readonly SqlFunction[]> {
  return (await readAll(client, FUNCTIONS)).map((line) => {
    const [name = '', ...args] = line.split('|')
    return { name, args }
  })
}

export function toCaller(tools: readonly Tool[], name: 'query' | 'execute'): (sql: string) => Promise<SqlAnswer> {
  const tool = tools.find((candidate) => candidate.name === `database_${name}`)
  if (tool === undefined) throw new Error(`The toolset has no tool for ${name}.`)
  return async (sql) => {
    const result = await callTool(tool, { id: 'call_1', name: tool.name, args: { sql } })
    if (result.ok) return { rows: JSON.stringify(result.output) }
    return { reason: String(result.error.reason ?? result.error.code) }
  }
}

/** The reasons for which the guard refuses a statement. A refused statement never runs. */
export const REFUSALS: ReadonlySet<string | undefined> = new Set(['statement_not_allowed', 'multi_statement'])

/** Returns a description of the first line that differs. */
export function differenceOf(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const at = now.findIndex((line, index) => line !== old[index])
  return `${old[at]} to ${now[at]}`
}
