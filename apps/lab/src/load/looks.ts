/** Lists runs while nothing happens, and while as many others are started and executed. Each look must contain each run once. */
import { writeFileSync } from 'node:fs'
import { idsOf, isIdle, listAll, until } from './clients.ts'
import type { LoadEngine } from './engines.ts'
import type { Scenario } from './scenario.ts'
import { stopFile } from './scripts.ts'

const WORKERS = 2
const LOOKS = 20

export const looks: Scenario = {
  name: 'looks',
  counts: { dbos: 2000, restate: 2000, files: 2000 },
  async run({ fleet, client, log, count }) {
    const waiting = { prefix: 'waiting', count, kind: 'approval' } as const
    const others = { prefix: 'other', count, kind: 'slow' } as const
    // All runs are executed at once, until the looks are done.
    await using workers = fleet({ concurrency: count })
    await workers.keep(WORKERS)
    await using engine = await client()
    await workers.client({ role: 'start', runs: waiting })
    await until(log, () => isIdle(engine, count))
    const ids = idsOf(waiting)
    const broken: string[] = []
    for (let index = 0; index < LOOKS; index++) broken.push(...(await look(engine, ids, 'at rest')))
    const starting = workers.client({ role: 'start', runs: others })
    await Promise.race([until(log, async () => !(await isIdle(engine, count))), starting])
    let looksUnderLoad = 0
    for (; looksUnderLoad < LOOKS; looksUnderLoad++) {
      broken.push(...(await look(engine, ids, 'under load')))
      if (await isIdle(engine, count)) break
    }
    writeFileSync(stopFile(log), '')
    await starting
    if (!(await until(log, () => isIdle(engine, count)))) broken.push('some runs are stuck')
    broken.push(...(await look(engine, [...ids, ...idsOf(others)], 'afterwards')))
    if (looksUnderLoad < LOOKS) broken.push(`only ${looksUnderLoad} looks were possible under load`)
    return { figures: { 'at rest': LOOKS, 'under load': looksUnderLoad }, broken }
  },
}

/** Compares a list of all runs, and a list of the waiting ones, with the ids that they must contain. */
async function look(engine: LoadEngine, ids: readonly string[], when: string): Promise<readonly string[]> {
  const problems: string[] = []
  for (const options of [{}, { state: 'waiting' }] as const) {
    const listed = (await listAll(engine, options)).map(({ id }) => id)
    const isWaiting = (id: string) => id.startsWith('waiting')
    const wanted = 'state' in options ? ids.filter(isWaiting) : ids
    const set = new Set(listed)
    const missing = wanted.filter((id) => !set.has(id))
    const name = `${when}, ${'state' in options ? 'waiting runs' : 'all runs'}`
    if (missing.length > 0) problems.push(`${name}: ${missing.length} are missing, such as ${missing[0]}`)
    if (set.size < listed.length) problems.push(`${name}: ${listed.length - set.size} are listed twice`)
  }
  return problems
}
