/** Starts one run that ends each of its workers beside honest runs, and compares how long these take with how long they take alone. */
import { idsOf, listAll, startRuns, until } from './clients.ts'
import type { Outcome, Scenario, World } from './scenario.ts'
import type { Death } from './scripts.ts'

const WORKERS = 2
const DEATHS = ['sigkill', 'memory', 'exit'] as const satisfies readonly Death[]
/** The honest runs may take this many times as long. */
const MAX_RATIO = 3
/** The limit is low, so that both workers have runs. The heap is small, in MB, so that a worker runs out of memory soon. */
const OPTIONS = { concurrency: 40, flags: ['--max-old-space-size=200'] }

export const poison: Scenario = {
  name: 'poison',
  counts: { dbos: 60, restate: 60, files: 60 },
  async run(world): Promise<Outcome> {
    const alone = await measure(world)
    const figures: Record<string, number | string> = { 'seconds alone': seconds(alone.ms) }
    const broken = [...alone.broken]
    if (alone.crashes > 0) broken.push(`${alone.crashes} workers ended without the run`)
    for (const death of DEATHS) {
      const { ms, crashes, broken: own } = await measure(world, death)
      const ratio = ms / alone.ms
      figures[death] = `${ratio.toFixed(2)} × (${crashes} workers ended)`
      broken.push(...own.map((problem) => `${death}: ${problem}`))
      if (ratio > MAX_RATIO) broken.push(`${death}: the other runs took ${ratio.toFixed(2)} times as long`)
      if (crashes === 0) broken.push(`${death}: no worker ended`)
    }
    return { figures, broken }
  },
}

async function measure(world: World, death?: Death) {
  const { fleet, client, count, log } = world
  const name = `poison-${death ?? 'none'}`
  await using workers = fleet({ ...OPTIONS, name })
  await workers.keep(WORKERS)
  await using engine = await client(name)
  const since = performance.now()
  let ms: number | undefined
  if (death !== undefined) await engine.start(death, death)
  const runs = { prefix: 'run', count, kind: 'long' } as const
  await startRuns(engine, runs)
  const ids = idsOf(runs)
  void Promise.allSettled(ids.map((id) => engine.result(id))).then(() => {
    ms = performance.now() - since
  })
  await until(log, async () => ms !== undefined)
  ms ??= performance.now() - since
  const states = new Map((await listAll(engine)).map(({ id, state }) => [id, state]))
  const broken = ids.filter((id) => states.get(id) !== 'finished').map((id) => `${id} is ${states.get(id) ?? 'missing'}`)
  const isGivenUp = async () => (await engine.status(death ?? ''))?.failure?.code === 'worker_crashed'
  if (death !== undefined && !(await until(log, isGivenUp))) broken.push('the run was not given up')
  return { ms, crashes: workers.crashes.length, broken }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10
}
