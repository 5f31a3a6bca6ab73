/** The `properties` target: runs all property tests of the repository repeatedly, each time with a different seed. */
import { type FuzzCode, type FuzzConsole, parseCommand, reportFault } from '../command.ts'
import type { FailedTest, RunTests } from './property-tests.ts'

export interface PropertiesOptions extends FuzzConsole {
  /** Names of all targets. */
  readonly targets: readonly string[]
  readonly runTests: RunTests
}

interface Finding extends FailedTest {
  /** The first seed with which the test failed. */
  readonly seed: number
  /** Number of runs in which the test failed. */
  readonly times: number
}

interface PropertiesReport {
  readonly target: string
  /** Seed of the first run. Each later run uses the next number. */
  readonly seed: number
  readonly runs: number
  readonly findings: readonly Finding[]
}

/** Runs the tests until the time is up, at least once. */
export async function fuzzProperties(words: readonly string[], options: PropertiesOptions): Promise<FuzzCode> {
  const { targets, runTests, now, out, err } = options
  try {
    const command = parseCommand(words, targets, now)
    if (typeof command === 'string') {
      out(command)
      return 0
    }
    const { target, seed, json, isOver } = command
    const findings = new Map<string, Finding>()
    let runs = 0
    do {
      err(`Run ${runs + 1}: seed ${seed + runs}\n`)
      for (const failed of await runTests(seed + runs)) {
        const key = `${failed.file} ${failed.name}`
        const known = findings.get(key) ?? { ...failed, seed: seed + runs, times: 0 }
        findings.set(key, { ...known, times: known.times + 1 })
      }
      runs++
    } while (!isOver())
    const report: PropertiesReport = { target, seed, runs, findings: [...findings.values()] }
    out(json ? `${JSON.stringify(report)}\n` : toText(report))
    return report.findings.length === 0 ? 0 : 1
  } catch (error) {
    return reportFault(error, options)
  }
}

function toText({ target, seed, runs, findings }: PropertiesReport): string {
  const lines = findings.map(({ file, name, message, seed: failing, times }) => {
    const why = message.split('\n').slice(0, LINES).map(indented).join('\n')
    const again = `X_SEED=${failing} pnpm unit ${file} -t ${quoted(name)}`
    return `✗ ${file}: ${name}\n${why}\n  seed ${failing}, ${times} of ${runs} runs: ${again}`
  })
  const end = `fuzz ${target}: seeds ${seed} to ${seed + runs - 1}, ${runs} runs, ${findings.length} findings`
  return `${[...lines, end].join('\n')}\n`
}

/** Limits for printing a failure. The beginning is enough: fast-check prints the seed, the path and the counterexample first. */
const LINES = 4
const COLUMNS = 1000

function indented(line: string): string {
  return `  ${line.slice(0, COLUMNS)}`
}

/** Escapes a test name for vitest's `-t` pattern, and quotes it for a shell. */
function quoted(name: string): string {
  return `'${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "'\\''")}'`
}
