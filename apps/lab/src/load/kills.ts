/** Kills workers and restarts the server while they execute many runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { idsOf, isIdle, listAll, retried } from './clients.ts'
import { addKill, readLines, SERVER, watchLog } from './log.ts'
import type { Scenario } from './scenario.ts'
import { checkMixed } from './verdict.ts'

const WORKERS = 4
/** How often the server is restarted, after equal parts of the runs. */
const RESTARTS = 4
/** Shortest time between two kills, and how much longer it may take. */
const KILL_MS = 3000
const VARIATION_MS = 2000
const LOOK_MS = 1000

export const kills: Scenario = {
  name: 'kills',
  counts: { dbos: 2000, restate: 500, files: 500 },
  async run({ server, fleet, client, log, count }) {
    const runs = { prefix: 'run', count, kind: 'mixed' } as const
    await using workers = fleet()
    await workers.keep(WORKERS)
    await using engine = await client()
    let [isStarted, isOver, restarts, seconds] = [false, false, 0, 0]
    const starting = workers.client({ role: 'start', runs }).then(() => {
      isStarted = true
    })
    const killing = (async () => {
      while (!isOver) {
        await sleep(KILL_MS + Math.random() * VARIATION_MS)
        if (!isOver) workers.killOne()
      }
    })()
    const isStalled = watchLog(log)
    const since = Date.now()
    try {
      while (!isOver) {
        await Promise.race([sleep(LOOK_MS), starting])
        if (isStarted) await sleep(LOOK_MS)
        const calls = readLines(log).filter(({ event, call }) => event === 'recorded' && call === 'c1').length
        if (server.restart && restarts < RESTARTS && calls > ((restarts + 1) * count) / (RESTARTS + 1)) {
          // Workers on DBOS keep their results until the database is back. On Restate, the server ends the execution.
          if (server.place.engine === 'restate') addKill(log, SERVER)
          await server.restart(restarts % 2 === 0 ? 'fast' : 'immediate')
          restarts++
        }
        isOver = isStalled() || (isStarted && (await retried(() => isIdle(engine))))
      }
      seconds = Math.round((Date.now() - since) / 1000)
    } finally {
      isOver = true
      await killing
    }
    const { figures, broken } = checkMixed(idsOf(runs), await listAll(engine), readLines(log))
    return {
      figures: { ...figures, kills: workers.killed.size, restarts, crashes: workers.crashes.length, seconds },
      broken: [...broken, ...workers.crashes.map((crash) => `a worker ended, ${crash}`)],
    }
  },
}
