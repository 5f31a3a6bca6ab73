/** The program of all processes of a load test: workers, and clients that start or decide runs. */
import { createFunction } from './agents.ts'
import { decideRuns, retried, type Settings, startRuns } from './clients.ts'
import { openEngine } from './engines.ts'

// No process outlives the load test.
process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()
// The IPC channel must not keep the process alive; only the engine may.
process.channel?.unref()

const { role, place, name, log, port, concurrency, runs, decider = 0 } = JSON.parse(process.argv[2] ?? '') as Settings

const worker = role === 'work' ? { fn: await createFunction(log), port, concurrency } : undefined
// A PostgreSQL server that is starting up refuses connections.
const engine = await retried(() => openEngine(place, name, worker))
if (runs === undefined) process.send?.('ready')
else {
  if (role === 'start') await startRuns(engine, runs)
  else await decideRuns(engine, runs, decider, log)
  await engine.close()
}
