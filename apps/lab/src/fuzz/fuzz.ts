/** Runs a target until the time is up, and reports each kind of fault once, with a minimized input. */
import { type FuzzCode, type FuzzConsole, parseCommand, reportFault } from './command.ts'
import { createRandom } from './random.ts'
import type { Fault, FuzzTarget } from './target.ts'

export interface FuzzOptions extends FuzzConsole {
  readonly targets: readonly FuzzTarget[]
  /** Names of the targets that have their own runner. */
  readonly others?: readonly string[]
  /** Called with each input before it is checked. */
  publish?(text: string): void
}

export interface Finding extends Fault {
  /** The seed that reproduces the finding. */
  readonly seed: number
  /** Number of the execution in a run with this seed, counted from 1. */
  readonly execution: number
  /** The minimized text. */
  readonly text: string
  /** Number of findings of the same kind in this run. */
  readonly times: number
}

export interface FuzzReport {
  readonly target: string
  readonly seed: number
  readonly executions: number
  /** Number of distinct kinds of results. Once it stops growing, more time finds little. */
  readonly behaviours: number
  readonly findings: readonly Finding[]
}

/** Maximum number of findings per rule. Further findings are likely to have the same causes. */
const MOST_OF_CHECK = 4

export async function fuzz(words: readonly string[], options: FuzzOptions): Promise<FuzzCode> {
  const { targets, others = [], now, out, publish } = options
  try {
    const command = parseCommand(words, [...targets.map(({ name }) => name), ...others], now)
    if (typeof command === 'string') {
      out(command)
      return 0
    }
    const { seed, json, isOver } = command
    const target = targets.find(({ name }) => name === command.target)
    if (target === undefined) throw new TypeError(`${command.target} has its own runner.`)
    const report = await run(target, seed, isOver, publish)
    out(json ? `${JSON.stringify(report)}\n` : toText(report))
    return report.findings.length === 0 ? 0 : 1
  } catch (error) {
    return reportFault(error, options)
  }
}

/** Runs a target until `isOver` returns true. `isOver` is called after each execution. */
export async function run(
  target: FuzzTarget,
  seed: number,
  isOver: (executions: number) => boolean,
  publish?: (text: string) => void,
): Promise<FuzzReport> {
  const random = createRandom(seed)
  const running = target.start(publish)
  const findings = new Map<string, Finding>()
  let executions = 0
  try {
    do {
      const { fault, behaviour, minimize } = await running.execute(random)
      executions++
      if (fault === undefined) continue
      const kind = `${fault.check}: ${behaviour}`
      const known = findings.get(kind)
      if (known !== undefined) findings.set(kind, { ...known, times: known.times + 1 })
      else if ([...findings.values()].filter(({ check }) => check === fault.check).length < MOST_OF_CHECK)
        findings.set(kind, { ...fault, seed, execution: executions, text: minimize(), times: 1 })
    } while (!isOver(executions))
  } finally {
    await running.end?.()
  }
  return { target: target.name, seed, executions, behaviours: running.behaviours, findings: [...findings.values()] }
}

function toText({ target, seed, executions, behaviours, findings }: FuzzReport): string {
  const lines = findings.map(
    ({ check, why, text, execution, times }) =>
      `✗ ${check}: ${why.slice(0, 400)}\n  ${JSON.stringify(text.slice(0, 400))}\n  seed ${seed}, execution ${execution}, ${times} of this kind`,
  )
  const end = `fuzz ${target}: seed ${seed}, ${executions} executions, ${behaviours} kinds of results, ${findings.length} findings`
  return `${[...lines, end].join('\n')}\n`
}
