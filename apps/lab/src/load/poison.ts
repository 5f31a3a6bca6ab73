/** Starts one run that ends each of its workers beside honest runs, and compares how long these take with how long they take alone. */
import { idsOf, startRuns, until } from './clients.ts'
import type { Outcome, Scenario, World } from './scenario.ts'
import type { Death } from './scripts.ts'

const WORKERS = 2
const DEATHS = ['sigkill', 'memory', 'exit'] as const satisfies readonly Death[]
/** The honest runs may take this many times as long. */
const MOST = 3
/** The limit is low, so that both workers have runs. The heap is small, in MB, so that a worker runs out of memory soon. */
const OPTIONS = { concurrency: 40, flags: ['--max-old-space-size=200'] }

export const poison: Scenario = {
  name: 'poison',
  counts: { dbos: 60, restate: 60, files: 60 },
  async run(world): Promise<Outcome> {
    const alone = await measure(world)
    const figures: Record<string, number | string> = { 'seconds alone': seconds(alone.ms) }
    const broken = alone.crashes > 0 ? [`${alone.crashes} workers ended without the run`] : []
    for (const death of DEATHS) {
      const { ms, crashes } = await measure(world, death)
      const ratio = ms / alone.ms
      figures[death] = `${ratio.toFixed(2)} × (${crashes} workers ended)`
      if (ratio > MOST) broken.push(`${death}: the other runs took ${ratio.toFixed(2)} times as long`)
      if (crashes === 0) broken.push(`${death}: no worker ended`)
    }
    return { figures, broken }
  },
}

async function measure({ server, fleet, client, count }: World, death?: Death) {
  const name = `poison-${death ?? 'none'}`
  await using workers = fleet({ ...OPTIONS, name })
  await workers.keep(WORKERS)
  await using engine = await client(name)
  const since = performance.now()
  if (death !== undefined) await engine.start(death, death)
  const runs = { prefix: 'run', count, kind: 'long' } as const
  await startRuns(engine, runs)
  await Promise.all(idsOf(runs).map((id) => engine.result(id)))
  const ms = performance.now() - since
  if (death === undefined) return { ms, crashes: workers.crashes.length }
  // Restate retries the run forever.
  if (server.place.engine === 'restate') await engine.cancel(death)
  else await until(async () => (await engine.status(death))?.state === 'failed')
  return { ms, crashes: workers.crashes.length }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10
}
