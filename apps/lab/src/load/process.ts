/** The program of all processes of a load test: workers, and clients that start or decide runs. */
import { createFunction } from './agents.ts'
import { decideRuns, retried, type Settings, startRuns } from './clients.ts'
import { openEngine } from './engines.ts'

const { role, place, name, log, port, concurrency, runs, decider = 0 } = JSON.parse(process.argv[2] ?? '') as Settings

const worker = role === 'work' ? { fn: await createFunction(log), port, concurrency } : undefined
const engine = await retried(() => openEngine(place, name, worker))
if (runs === undefined) {
  process.on('disconnect', () => void engine.close().then(() => process.exit(0)))
  // The IPC channel must not keep the process alive; only the engine may.
  process.channel?.unref()
  process.send?.('ready')
} else {
  process.channel?.unref()
  if (role === 'start') await startRuns(engine, runs)
  else await decideRuns(engine, runs, decider, log)
  await engine.close()
}
