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
 * is spent waiting for a disk or a server. `100 runs at once` measures throughput instead: the time from the first start to the last result.
 *
 * A table after the goals counts what a turn costs on PostgreSQL, and times the replay of a run from its records.
 *
 * Before each write, our agent also records that it is about to write. Hand-written code doesn't.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Goal, Subject } from '../bench.ts'
import { DurableScript } from './durable-script.ts'
import { readServers, startServers } from './durable-servers.ts'
import { tabulateTraffic } from './durable-traffic.ts'
import { type DurableSubject, type Effect, openDurable } from './durable-workload.ts'

const BASE = 'bare'
const TURNS = 20

/** Number of concurrent runs in the last case. A worker of either kind executes as many by default. */
const RUNS = 100
const MANY = `${RUNS} runs at once`

interface Case {
  readonly turns: number
  readonly calls: number
  readonly tools: Readonly<Record<string, Effect>>
  readonly atOnce?: number
}

const CASES: Readonly<Record<string, Case>> = {
  reads: { turns: TURNS, calls: 1, tools: { add: 'read' } },
  writes: { turns: TURNS, calls: 1, tools: { add: 'idempotent' } },
  '4 reads at once': { turns: TURNS, calls: 4, tools: { add: 'read' } },
  '4 writes at once': { turns: TURNS, calls: 4, tools: { add: 'idempotent' } },
  [MANY]: {
    turns: 5,
    calls: 1,
    tools: { read_1: 'read', read_2: 'read', read_3: 'read', write: 'write', put: 'idempotent' },
    atOnce: RUNS,
  },
}

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

/** At least 0.6 times as many runs per second as by hand. */
const LEAST_THROUGHPUT = 1 / 0.6

const goals: readonly Goal[] = (['files', 'dbos', 'restate'] as const).flatMap((engine) => [
  beside(engine, 'reads', 1.2),
  beside(engine, '4 reads at once', 1.2),
  beside(engine, 'writes', 2.2),
  beside(engine, '4 writes at once', 2.2),
  ...(engine === 'dbos' ? [beside(engine, MANY, LEAST_THROUGHPUT)] : []),
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
    const { turns, calls, tools, atOnce } = CASES[caseName] as Case
    const folder = mkdtempSync(join(preparedFolder, 'runs-'))
    const script = new DurableScript(turns, calls, Object.keys(tools))
    const loaded = (await subject.load('')) as DurableSubject
    return await openDurable(loaded, { script, tools, folder, servers: readServers(preparedFolder) }, atOnce)
  },
  tabulate: (preparedFolder = tmpdir()) => tabulateTraffic(readServers(preparedFolder).postgres),
}

function byHand(engine: string): string {
  return `${engine} by hand`
}

function ours(engine: string): string {
  return `@x/durable ${engine}`
}

function beside(engine: string, caseName: string, limit: number): Goal {
  return {
    name: `${engine}, ${caseName}: at most ${Number(limit.toPrecision(3))} times by hand (wall time)`,
    limit,
    cell: { subject: ours(engine), case: caseName },
    over: { subject: byHand(engine), case: caseName },
    by: 'wall',
  }
}
