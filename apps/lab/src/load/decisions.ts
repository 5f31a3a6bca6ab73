/** Restarts everything while runs wait for approval. Then two clients make different decisions about the same runs at the same time. */
import { idsOf, isIdle, listAll, until } from './clients.ts'
import { readLines } from './log.ts'
import type { Scenario } from './scenario.ts'
import { checkDecided } from './verdict.ts'

const WORKERS = 2
/** Part of the decisions that is made before a worker is started. */
const EARLY = 5

export const decisions: Scenario = {
  name: 'decisions',
  counts: { dbos: 500, restate: 500, files: 500 },
  async run({ server, fleet, client, log, count }) {
    const runs = { prefix: 'run', count, kind: 'approval' } as const
    await using workers = fleet()
    await workers.keep(WORKERS)
    {
      await using engine = await client()
      await workers.client({ role: 'start', runs })
      await until(log, () => isIdle(engine, count))
    }
    await workers.killAll()
    await server.restart?.('immediate')
    const deciding = Promise.all([0, 1].map((decider) => workers.client({ role: 'decide', runs, decider })))
    const isEarlyPartDecided = async () => readLines(log).filter(({ event }) => event === 'decided').length >= count / EARLY
    await Promise.race([until(log, isEarlyPartDecided), deciding])
    await Promise.all([workers.keep(WORKERS), deciding])
    await using engine = await client()
    await until(log, () => isIdle(engine))
    const { figures, broken } = checkDecided(idsOf(runs), await listAll(engine), readLines(log))
    return { figures, broken: [...broken, ...workers.crashes.map((crash) => `a worker ended, ${crash}`)] }
  },
}
