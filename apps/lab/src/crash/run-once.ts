/** Runs the agent with a journal and the shop's database. If an earlier process was killed, resumes its run. */
import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileJournal } from '@x/durable'
import { createReactAgent } from '@x/react-agent'
import type { SqlClient } from '@x/toolset/database'
import { openSqlite } from '@x/toolset/sqlite'
import { markedSteps } from './marked-steps.ts'
import { createModel, createTools, LIMITS, type Mark, SETUP, signature } from './world.ts'

/** Names of the files in a run's directory. */
export const FILES = {
  journal: 'run.journal',
  /** One line for each model request. */
  asked: 'asked.log',
  /** One line for each execution of a tool, with the call id. */
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

/** Starts or resumes a run. `id` is the run's name in the database. */
export async function runOnce(database: SqlClient, id: string, folder: string, mark: Mark): Promise<Done> {
  await using journal = await fileJournal(join(folder, FILES.journal))
  const agent = await createReactAgent({
    lm: createModel((turn) => note(FILES.asked, `model-${turn}`)),
    tools: createTools(database, id, (callId) => note(FILES.executed, callId), mark),
    signature,
  })
  const { outputs, unknownCalls } = await agent.run({ task: 'All.' }, { id, steps: markedSteps(journal, mark) })
  return { answer: outputs.answer, unknown: unknownCalls.map(({ callId }) => callId) }

  /** Appends a line that survives a kill: when the function returns, the operating system has received the data. */
  function note(file: string, line: string): void {
    appendFileSync(join(folder, file), `${line}\n`)
  }
}
