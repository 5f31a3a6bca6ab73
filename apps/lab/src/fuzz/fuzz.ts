/** The runner: executes a target until the time is over, and reports each kind of fault once, with its smallest text. */
import { parseArgs } from 'node:util'
import { createRandom } from './random.ts'
import type { Fault, FuzzTarget } from './target.ts'

export interface FuzzOptions {
  readonly targets: readonly FuzzTarget[]
  out(text: string): void
  err(text: string): void
  /** Hears each text before it is read. */
  publish?(text: string): void
}

export interface Finding extends Fault {
  /** The run with this seed finds it again, as its execution of this number. */
  readonly seed: number
  readonly execution: number
  /** As small as it could be made. */
  readonly text: string
  /** How often the run met the same kind. */
  readonly times: number
}

export interface FuzzReport {
  readonly target: string
  readonly seed: number
  readonly executions: number
  /** In how many ways texts were read: no more new ones for a long time means that more time finds little. */
  readonly behaviours: number
  readonly findings: readonly Finding[]
}

const USAGE = 'Usage: pnpm fuzz <target> [--seconds N] [--seed S] [--json].'
const SECONDS = 60
/** More that break the same rule are not told: these are to be mended first. */
const MOST_OF_CHECK = 4

/** 0 when nothing was found, 1 when something was, 2 when it could not run. */
export function fuzz(words: readonly string[], { targets, out, err, publish }: FuzzOptions): 0 | 1 | 2 {
  const names = targets.map(({ name }) => name).join(', ')
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
    if (values.help) {
      out(`${USAGE}\nTargets: ${names}. ${SECONDS} seconds, and another seed each time, unless told.\n`)
      return 0
    }
    const target = targets.find(({ name }) => name === positionals[0])
    if (target === undefined || positionals.length > 1) throw new TypeError(`${USAGE} Targets: ${names}.`)
    const seconds = toNumber('seconds', values.seconds, SECONDS)
    const seed = toNumber('seed', values.seed, Date.now() % 2 ** 31)
    const report = run(target, seed, endAfter(seconds), publish)
    out(values.json ? `${JSON.stringify(report)}\n` : toText(report))
    return report.findings.length === 0 ? 0 : 1
  } catch (error) {
    // A word that means nothing; what is not foreseen is no result either.
    err(`${error instanceof TypeError ? error.message : (error as Error).stack}\n`)
    return 2
  }
}

/** `isOver` is asked before every execution but the first. */
export function run(
  target: FuzzTarget,
  seed: number,
  isOver: (executions: number) => boolean,
  publish?: (text: string) => void,
): FuzzReport {
  const random = createRandom(seed)
  const running = target.start(publish)
  const findings = new Map<string, Finding>()
  let executions = 0
  do {
    const { fault, behaviour, minimize } = running.execute(random)
    executions++
    if (fault === undefined) continue
    const kind = `${fault.check}: ${behaviour}`
    const known = findings.get(kind)
    if (known !== undefined) findings.set(kind, { ...known, times: known.times + 1 })
    else if ([...findings.values()].filter(({ check }) => check === fault.check).length < MOST_OF_CHECK)
      findings.set(kind, { ...fault, seed, execution: executions, text: minimize(), times: 1 })
  } while (!isOver(executions))
  return { target: target.name, seed, executions, behaviours: running.behaviours, findings: [...findings.values()] }
}

const OPTIONS = {
  seconds: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

function toNumber(name: string, word: string | undefined, otherwise: number): number {
  if (word === undefined) return otherwise
  if (!/^\d+(?:\.\d+)?$/.test(word)) throw new TypeError(`--${name} needs a number. ${USAGE}`)
  return Number(word)
}

function endAfter(seconds: number): (executions: number) => boolean {
  const end = performance.now() + seconds * 1000
  return () => performance.now() >= end
}

function toText({ target, seed, executions, behaviours, findings }: FuzzReport): string {
  const lines = findings.map(
    ({ check, why, text, execution, times }) =>
      `✗ ${check}: ${why.slice(0, 400)}\n  ${JSON.stringify(text.slice(0, 400))}\n  seed ${seed}, execution ${execution}, ${times} of this kind`,
  )
  const end = `fuzz ${target}: seed ${seed}, ${executions} executions, ${behaviours} ways of reading, ${findings.length} findings`
  return `${[...lines, end].join('\n')}\n`
}
