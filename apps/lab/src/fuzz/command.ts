/** The command line of `pnpm fuzz`. */
import { parseArgs } from 'node:util'

export interface FuzzCommand {
  readonly target: string
  readonly seed: number
  readonly json: boolean
  /** True when the time is up. */
  isOver(): boolean
}

/** The console of one target, or of the runner of several. */
export interface FuzzConsole {
  out(text: string): void
  err(text: string): void
  /** Milliseconds of a clock. Default: `performance.now`. */
  now?(): number
}

/** 0 when nothing was found, 1 when something was, 2 when it could not run. */
export type FuzzCode = 0 | 1 | 2

export const PROPERTIES = 'properties'

const USAGE = 'Usage: pnpm fuzz <target> [--seconds N] [--seed S] [--json].'
const SECONDS = 60

/** Returns the help text if requested. Throws a `TypeError` for unknown arguments. */
export function parseCommand(
  words: readonly string[],
  targets: readonly string[],
  now: () => number = () => performance.now(),
): FuzzCommand | string {
  const names = `Targets: ${targets.join(', ')}.`
  const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  if (values.help) return `${USAGE}\n${names} Default: ${SECONDS} seconds, and another seed each time.\n`
  const [target = ''] = positionals
  if (!targets.includes(target) || positionals.length > 1) throw new TypeError(`${USAGE} ${names}`)
  const end = now() + 1000 * toNumber('seconds', values.seconds, SECONDS)
  const seed = toNumber('seed', values.seed, Date.now() % 2 ** 31)
  return { target, seed, json: values.json === true, isOver: () => now() >= end }
}

/** Reports invalid arguments in one line, and an unexpected error with its stack. Neither counts as a result. */
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
