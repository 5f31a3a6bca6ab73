/**
 * The `durable` bench: the cost of recording each step of a run, compared with a bare loop and with minimal code for the engine.
 *
 * All subjects have the same turns and calls. Their model runs in the same process, so that almost only the recording is measured. "By
 * hand" is minimal code for the engine: a line in a file, `DBOS.runStep` or `context.run` for each model call and each tool call. It
 * doesn't validate arguments or declare effects. If it is killed during a write, the outcome of the write is unknown. "Ours" is the agent
 * on `@x/durable`, as in that package's README. On DBOS and Restate, both use the same server. PostgreSQL flushes commits to disk.
 *
 * Only a run's function is timed, from its call to its end. That includes starting the first step and recording the last one. Starting
 * the run and returning its result aren't timed. On DBOS, those times are mostly configurable intervals: 100 ms for the queue, and some
 * more for the result. Goals are per step. Runs are sequential, in an engine that stays open. Goals compare wall time, because most of it
 * is spent waiting for a disk or a server.
 *
 * Before each write, our agent also records that it is about to write. Hand-written code doesn't.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Goal, Subject } from '../bench.ts'
import { DurableScript } from './durable-script.ts'
import { readServers, startServers } from './durable-servers.ts'
import { type DurableSubject, openDurable } from './durable-workload.ts'

const BASE = 'bare'
const TURNS = 20

const CASES = {
  reads: { calls: 1, effect: 'read' },
  writes: { calls: 1, effect: 'idempotent' },
  '4 reads at once': { calls: 4, effect: 'read' },
  '4 writes at once': { calls: 4, effect: 'idempotent' },
} as const
type CaseName = keyof typeof CASES

const OWN = ['@x/durable', '@x/react-agent']
const DBOS = ['@dbos-inc/dbos-sdk', 'pg']
const RESTATE = ['@restatedev/restate-sdk']

// Imported lazily, so that a process loads only what it measures.
const subjects: readonly Subject[] = [
  { name: BASE, packages: [], load: async () => (await import('./durable-loop.ts')).bare },
  { name: byHand('files'), packages: [], load: async () => (await import('./durable-files.ts')).filesByHand },
  { name: ours('files'), packages: OWN, load: async () => (await import('./durable-files.ts')).filesOwn },
  { name: byHand('dbos'), packages: DBOS, load: async () => (await import('./durable-dbos.ts')).dbosByHand },
  { name: ours('dbos'), packages: [...OWN, ...DBOS], load: async () => (await import('./durable-dbos.ts')).dbosOwn },
  { name: byHand('restate'), packages: RESTATE, load: async () => (await import('./durable-restate.ts')).restateByHand },
  { name: ours('restate'), packages: [...OWN, ...RESTATE], load: async () => (await import('./durable-restate.ts')).restateOwn },
]

const goals: readonly Goal[] = (['files', 'dbos', 'restate'] as const).flatMap((engine) => [
  beside(engine, 'reads', 1.2),
  beside(engine, '4 reads at once', 1.2),
  beside(engine, 'writes', 2.2),
  beside(engine, '4 writes at once', 2.2),
])

export const durable: Bench = {
  name: 'durable',
  per: 'step',
  base: BASE,
  subjects,
  cases: Object.keys(CASES),
  goals,
  prepare: startServers,
  async open(subject, caseName, _peersFolder, preparedFolder = tmpdir()) {
    const { calls, effect } = CASES[caseName as CaseName]
    const folder = mkdtempSync(join(preparedFolder, 'runs-'))
    const script = new DurableScript(TURNS, calls)
    const loaded = (await subject.load('')) as DurableSubject
    return await openDurable(loaded, { script, effect, folder, servers: readServers(preparedFolder) })
  },
}

function byHand(engine: string): string {
  return `${engine} by hand`
}

function ours(engine: string): string {
  return `@x/durable ${engine}`
}

function beside(engine: string, caseName: CaseName, limit: number): Goal {
  return {
    name: `${engine}, ${caseName}: at most ${limit} times by hand (wall time)`,
    limit,
    cell: { subject: ours(engine), case: caseName },
    over: { subject: byHand(engine), case: caseName },
    by: 'wall',
  }
}
