/**
 * Entry point of `pnpm fuzz`. Targets run in a thread of their own, so that a parser that never returns is reported as a finding. Property
 * tests run in child processes.
 */
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { argumentsTarget } from './arguments/arguments-target.ts'
import { type FuzzCode, PROPERTIES } from './command.ts'
import { dialectsTarget } from './dialects/dialects-target.ts'
import { fuzz } from './fuzz.ts'
import { journalsTarget } from './journals-target.ts'
import { LastText } from './last-text.ts'
import { patternsTarget } from './patterns/patterns-target.ts'
import { fuzzProperties } from './properties/properties.ts'
import { runPropertyTests } from './properties/property-tests.ts'
import { BLOCKS, fuzzBlocks } from './schemas/blocks.ts'
import { schemasTarget } from './schemas/schemas-target.ts'
import { sqlTarget } from './sql/sql-target.ts'
import { sqlWritesTarget } from './sql/sql-writes-subjects.ts'

interface Ending {
  readonly code: FuzzCode
  readonly out: string
  readonly err: string
}

/**
 * Interval at which the watchdog looks for a new input. If there is none, it reports the current one as hung: checking an input never takes
 * this long.
 */
const HANGS_MS = 60_000
const HUNG = 1

const TARGETS = [argumentsTarget, schemasTarget, dialectsTarget, sqlTarget, sqlWritesTarget, patternsTarget, journalsTarget]
/** Targets with their own runner. */
const OTHERS = [PROPERTIES, BLOCKS]
/** This file runs as `dist/fuzz.js`. */
const REPOSITORY = join(import.meta.dirname, '../../..')
const words = process.argv.slice(2)

if (isMainThread && words.includes(PROPERTIES)) await runProperties()
else if (isMainThread && words.includes(BLOCKS)) await runBlocks()
else if (isMainThread) watch()
else parentPort?.postMessage(await work(new LastText(workerData as SharedArrayBuffer)))

async function work(last: LastText): Promise<Ending> {
  const written = { out: '', err: '' }
  const code = await fuzz(words, {
    targets: TARGETS,
    others: OTHERS,
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
    publish: (text) => last.write(text),
  })
  return { code, ...written }
}

async function runBlocks(): Promise<void> {
  process.exitCode = await fuzzBlocks(words, {
    program: join(import.meta.dirname, 'fuzz-blocks.js'),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
}

async function runProperties(): Promise<void> {
  process.exitCode = await fuzzProperties(words, {
    targets: [...TARGETS.map(({ name }) => name), ...OTHERS],
    runTests: (seed) => runPropertyTests(REPOSITORY, seed),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
}

function watch(): void {
  const last = new LastText()
  const worker = new Worker(new URL(import.meta.url), { argv: [...words], workerData: last.buffer })
  let seen = -1
  const timer = setInterval(() => {
    if (last.writes !== seen) {
      seen = last.writes
      return
    }
    process.stdout.write(`✗ answers: nothing for ${HANGS_MS / 1000} s\n  ${JSON.stringify(last.read())}\n`)
    process.exit(HUNG)
  }, HANGS_MS)
  worker.on('message', ({ code, out, err }: Ending) => {
    process.stdout.write(out)
    process.stderr.write(err)
    process.exitCode = code
  })
  // For example, because the thread ran out of memory.
  worker.on('error', ({ message }) => {
    process.stdout.write(`✗ answers: ${message}\n  ${JSON.stringify(last.read())}\n`)
    process.exitCode = HUNG
  })
  worker.on('exit', () => clearInterval(timer))
}
