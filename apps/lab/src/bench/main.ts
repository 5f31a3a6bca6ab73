/** `pnpm bench <name> [--json] [--node PATH] [--case TEXT]`: measures our packages against alternatives. Only the report goes to stdout. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nearestNames } from '@x/tool-core'
import type { Bench, Cell, Goal, Limit } from './bench.ts'
import { BENCHES } from './benches.ts'
import { describeMachine } from './measure/machine.ts'
import { measure } from './measure/measure.ts'
import { SubjectClient } from './measure/subject-client.ts'
import { installPeers, peersNode, versionsOf } from './peers.ts'
import { type Report, toGoals, toRows } from './report.ts'
import { toText } from './table.ts'

/** Number of rounds. It is odd, so that the median is one of the measured values. */
const ROUNDS = 9
const BATCH_MS = 25
const WARM_UP_MS = 400
const ANSWER_MS = 60_000
const COULD_NOT_RUN = 2
const USAGE = `Usage: pnpm bench <name> [--json] [--node PATH] [--case TEXT]. Names: ${BENCHES.map(({ name }) => name).join(', ')}.`
const INTERRUPTED = 130

/** This file is built as `dist/bench.js`. */
const lab = join(import.meta.dirname, '..')
const peers = join(lab, 'peers')
const children: SubjectClient[] = []
let prepared = ''

process.on('exit', closeAll)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(INTERRUPTED))

try {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      node: { type: 'string', default: peersNode(peers) },
      case: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) process.stdout.write(`${USAGE}\n`)
  else {
    const report = await run(onlyCases(findBench(positionals), values.case), values.node)
    process.stdout.write(`${values.json ? JSON.stringify(report) : toText(report)}\n`)
  }
} catch (error) {
  log(error instanceof Error ? error.message : String(error))
  process.exitCode = COULD_NOT_RUN
} finally {
  closeAll()
}

function findBench([name, ...rest]: readonly string[]): Bench {
  const known = BENCHES.map((bench) => bench.name)
  const bench = BENCHES.find((candidate) => candidate.name === name)
  if (bench !== undefined && rest.length === 0) return bench
  if (name === undefined || rest.length > 0) throw new Error(USAGE)
  const near = nearestNames(name, known)
  const hint = near.length > 0 ? ` Did you mean ${near.map((word) => JSON.stringify(word)).join(', ')}?` : ''
  throw new Error(`There is no bench ${JSON.stringify(name)}.${hint} Known: ${known.join(', ')}.`)
}

/** Leaves out the cases whose names don't contain the text, and their goals. */
function onlyCases(bench: Bench, text: string): Bench {
  const isKept = ({ cell }: Goal | Limit) => cell.case.includes(text)
  const cases = bench.cases.filter((name) => name.includes(text))
  return { ...bench, cases, goals: bench.goals.filter(isKept), limits: bench.limits?.filter(isKept) ?? [] }
}

async function run(bench: Bench, node: string): Promise<Report> {
  await installPeers(peers, log)
  const machine = describeMachine(node)
  if (bench.prepare !== undefined) {
    prepared = mkdtempSync(join(tmpdir(), 'x-bench-'))
    await bench.prepare(prepared)
  }
  const start = ({ subject, case: caseName }: Cell) => {
    const args = [bench.name, subject, caseName, peers, prepared]
    const child = new SubjectClient({ program: join(import.meta.dirname, 'bench-subject.js'), args, node, answerMs: ANSWER_MS })
    children.push(child)
    return child
  }
  const measurement = await measure(bench, { start, rounds: ROUNDS, batchMs: BATCH_MS, warmUpMs: WARM_UP_MS, log })
  if (measurement.pairs.length === 0) throw new Error('Nothing could be measured.')
  if (bench.tabulate !== undefined) log('table …')
  const table = await bench.tabulate?.(prepared)
  const packages = bench.subjects.flatMap((subject) => subject.packages)
  return {
    bench: bench.name,
    base: bench.base,
    machine: { ...machine, rounds: ROUNDS, batchMs: BATCH_MS },
    // The peers' directory is searched first: for its tests on Node 20, the lab installs some of the same packages in other versions.
    versions: versionsOf(packages, [peers, lab]),
    rows: toRows(bench, measurement),
    goals: toGoals(bench, measurement),
    ...(table !== undefined && { table }),
  }
}

function closeAll(): void {
  for (const child of children) child.close()
  if (prepared !== '') rmSync(prepared, { recursive: true, force: true, maxRetries: 3 })
}

function log(line: string): void {
  process.stderr.write(`${line}\n`)
}
