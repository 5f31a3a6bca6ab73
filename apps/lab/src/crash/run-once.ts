/** Runs the agent with a journal and the shop's database: starts it, or resumes it where an earlier process was killed. */
import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileJournal } from '@x/durable'
import { createReactAgent } from '@x/react-agent'
import type { SqlClient } from '@x/toolset/database'
import { openSqlite } from '@x/toolset/sqlite'
import { markedSteps } from './marked-steps.ts'
import { createModel, createTools, LIMITS, type Mark, SETUP, signature } from './world.ts'

/** File names in a run folder. */
export const FILES = {
  journal: 'run.journal',
  /** A line for every model request. */
  asked: 'asked.log',
  /** A line for every execution of a tool, with the id of the call. */
  executed: 'executed.log',
} as const

export interface Done {
  readonly answer: string
  /** Ids of the calls that the result lists as unknown. */
  readonly unknown: readonly string[]
}

/** Opens one database for all runs in the same parent directory. */
export function openShop(folder: string): Promise<SqlClient> {
  return openSqlite({ file: join(dirname(folder), 'shop.sqlite'), readOnly: false, setup: SETUP, waitMs: LIMITS.timeoutMs })
}

/** `id` names the run in the database. */
export async function runOnce(database: SqlClient, id: string, folder: string, mark: Mark): Promise<Done> {
  await using journal = await fileJournal(join(folder, FILES.journal))
  const agent = await createReactAgent({
    lm: createModel((turn) => note(FILES.asked, `model-${turn}`)),
    tools: createTools(database, id, (callId) => note(FILES.executed, callId), mark),
    signature,
  })
  const { outputs, unknownCalls } = await agent.run({ task: 'All.' }, { id, steps: markedSteps(journal, mark) })
  return { answer: outputs.answer, unknown: unknownCalls.map(({ callId }) => callId) }

  /** Survives the process: the system has the data when this returns. */
  function note(file: string, line: string): void {
    appendFileSync(join(folder, file), `${line}\n`)
  }
}
