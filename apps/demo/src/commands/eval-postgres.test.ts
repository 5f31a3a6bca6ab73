/** Runs the same evaluation on SQLite and on PostgreSQL. Both must serve the same requests with the same calls. */

import { expect, it } from 'vitest'
import { DOMAINS } from '../../test/domains.ts'
import { onPostgres } from '../../test/sql/databases.ts'
import { newPlace } from '../places.ts'
import { plannerLM } from '../planner/planner-lm.ts'
import { createTerminal } from '../view/terminal.ts'
import { runEval } from './eval.ts'

async function evaluateOn(environment: NodeJS.ProcessEnv) {
  let text = ''
  const enough = await runEval({
    entries: DOMAINS,
    lm: plannerLM(),
    model: 'planner',
    newPlace: () => newPlace(environment),
    together: false,
    atLeast: 85,
    json: true,
    terminal: createTerminal({ write: (written) => (text += written) }, {}),
    signal: new AbortController().signal,
  })
  const { failures, ...report } = JSON.parse(text) as { failures: readonly Record<string, unknown>[] }
  // An answer may contain the time of a booking.
  return { ...report, enough, failures: failures.map(({ answer, ...failure }) => failure) }
}

onPostgres((_, url) => {
  it('has the same result as on SQLite', async () => {
    const onServer = await evaluateOn({ DATABASE_URL: url() })
    const inMemory = await evaluateOn({})
    expect(onServer).toEqual({ ...inMemory, database: 'postgres' })
    expect(onServer.enough).toBe(true)
  })
})
