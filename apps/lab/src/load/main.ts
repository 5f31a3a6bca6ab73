/** `pnpm load <scenario> [--engine NAME] [--runs N]`: runs an engine under load, with faults, and checks what it promises. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { decisions } from './decisions.ts'
import { ENGINES, type EngineName, openEngine, startServer } from './engines.ts'
import { Fleet } from './fleet.ts'
import { kills } from './kills.ts'
import { looks } from './looks.ts'
import { poison } from './poison.ts'
import type { Outcome, Scenario } from './scenario.ts'

const SCENARIOS: readonly Scenario[] = [kills, decisions, poison, looks]
const USAGE = `Usage: pnpm load <scenario> [--engine ${ENGINES.join('|')}] [--runs N]. Scenarios: ${SCENARIOS.map(({ name }) => name).join(', ')}.`
const COULD_NOT_RUN = 2
const INTERRUPTED = 130
/** Number of broken promises that are printed. */
const MOST_LINES = 20

// The Restate server and the worker processes end with this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(INTERRUPTED))

try {
  const { values, positionals } = parseArgs({
    options: { engine: { type: 'string', default: 'dbos' }, runs: { type: 'string' } },
    allowPositionals: true,
  })
  const scenario = SCENARIOS.find(({ name }) => name === positionals[0])
  const engine = ENGINES.find((name) => name === values.engine)
  if (scenario === undefined || engine === undefined || positionals.length > 1) throw new Error(USAGE)
  const count = Number(values.runs ?? scenario.counts[engine])
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(USAGE)
  const { figures, broken } = await play(scenario, engine, count)
  process.stdout.write(`load ${scenario.name} on ${engine}, ${count} runs\n`)
  for (const [name, figure] of Object.entries(figures)) process.stdout.write(`  ${name.padEnd(20)} ${figure}\n`)
  for (const problem of broken.slice(0, MOST_LINES)) process.stdout.write(`✗ ${problem}\n`)
  process.stdout.write(broken.length === 0 ? '✓ all promises kept\n' : `✗ ${broken.length} promises broken\n`)
  // A request that is never answered must not keep the process alive.
  process.exit(broken.length === 0 ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(COULD_NOT_RUN)
}

async function play(scenario: Scenario, engine: EngineName, count: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'load-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  await using server = await startServer(engine, folder)
  const log = join(folder, 'log')
  return await scenario.run({
    server,
    count,
    log,
    fleet: (options) => new Fleet({ server, name: 'load', log, ...options }),
    client: (name = 'load') => openEngine(server.place, name),
  })
}
