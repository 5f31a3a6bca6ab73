/** Parses the command line of `pnpm fuzz`. */
import { parseArgs } from 'node:util'

export interface FuzzCommand {
  readonly target: string
  readonly seed: number
  readonly json: boolean
  /** Returns true when the time limit is reached. */
  isOver(): boolean
}

/** Where a runner prints, and its clock. */
export interface FuzzConsole {
  out(text: string): void
  err(text: string): void
  /** Returns the time in milliseconds. Default: `performance.now`. */
  now?(): number
}

/** Exit code: 0 without findings, 1 with findings, 2 if the target couldn't run. */
export type FuzzCode = 0 | 1 | 2

export const PROPERTIES = 'properties'

const USAGE = 'Usage: pnpm fuzz <target> [--seconds N] [--seed S] [--json].'
const SECONDS = 60

/** Returns the command, or the help text if it was requested. Throws a `TypeError` for invalid arguments. */
export function parseCommand(
  words: readonly string[],
  targets: readonly string[],
  now: () => number = () => performance.now(),
): FuzzCommand | string {
  const names = `Targets: ${targets.join(', ')}.`
  const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  if (values.help) return `${USAGE}\n${names} Default: ${SECONDS} seconds, and a new random seed each time.\n`
  const [target = ''] = positionals
  if (!targets.includes(target) || positionals.length > 1) throw new TypeError(`${USAGE} ${names}`)
  const end = now() + 1000 * toNumber('seconds', values.seconds, SECONDS)
  const seed = toNumber('seed', values.seed, Date.now() % 2 ** 31)
  return { target, seed, json: values.json === true, isOver: () => now() >= end }
}

/** Prints invalid arguments in one line, and any other error with its stack. Returns the exit code. */
export function reportFault(error: unknown, { err }: FuzzConsole): 2 {
  err(`${error instanceof TypeError ? error.message : (error as Error).stack}\n`)
  return 2
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
