/** The `blocks` target: measures how long validating arguments blocks the event loop, pair by pair, in a process that can be killed. */
import { type ChildProcess, fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type FuzzCode, type FuzzConsole, reportFault } from '../command.ts'

export const BLOCKS = 'blocks'

export interface BlocksOptions extends FuzzConsole {
  /** Path of the compiled `blocks-process.ts`. */
  readonly program: string
  /** Timeout for a pair in milliseconds. Default: 20,000. */
  readonly endMs?: number
}

/** The only message to the process. Each pair has its own seed, so that a process can start at any pair. */
export interface BlocksTask {
  readonly seed: number
  readonly from: number
  readonly pairs: number
}

/** The reply for each pair. */
export interface Block {
  readonly pair: number
  /** The longest time that the event loop was blocked during this pair, in milliseconds. */
  readonly ms: number
}

export interface BlocksReport {
  readonly target: typeof BLOCKS
  readonly seed: number
  readonly pairs: number
  readonly longestMs: number
  /** The pair that blocked the event loop longest. */
  readonly longest: number
  /** Number of pairs that blocked the event loop for more than 100 ms. */
  readonly over100Ms: number
  /** Pairs that timed out. */
  readonly givenUp: readonly number[]
}

const END_MS = 20_000
const USAGE = 'Usage: pnpm fuzz blocks [--pairs N] [--seed S] [--json].'

export async function fuzzBlocks(words: readonly string[], options: BlocksOptions): Promise<FuzzCode> {
  const { out } = options
  try {
    const { values } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
    const report = await measure({ seed: toNumber(values.seed, 1), from: 0, pairs: toNumber(values.pairs, 10_000) }, options)
    out(values.json === true ? `${JSON.stringify(report)}\n` : toText(report))
    return report.givenUp.length === 0 ? 0 : 1
  } catch (error) {
    return reportFault(error, options)
  }
}

export async function measure(task: BlocksTask, { program, endMs = END_MS, err }: BlocksOptions): Promise<BlocksReport> {
  const { seed, pairs } = task
  const blocks: Block[] = []
  const givenUp: number[] = []
  for (let from = task.from; from < pairs; ) {
    from = await runProcess(program, { seed, from, pairs }, endMs, (block) => blocks.push(block))
    if (from >= pairs) break
    err(`Pair ${from} was stopped after ${endMs} ms\n`)
    blocks.push({ pair: from, ms: endMs })
    givenUp.push(from++)
  }
  const longest = blocks.reduce((most, block) => (block.ms > most.ms ? block : most), { pair: 0, ms: 0 })
  const over100Ms = blocks.filter(({ ms }) => ms > 100).length
  return { target: BLOCKS, seed, pairs, longestMs: Math.round(longest.ms * 10) / 10, longest: longest.pair, over100Ms, givenUp }
}

/** Resolves to the first pair without a result: `pairs` if all are done, otherwise the pair that timed out. */
function runProcess(program: string, task: BlocksTask, endMs: number, take: (block: Block) => void): Promise<number> {
  const child: ChildProcess = fork(program)
  let next = task.from
  return new Promise((resolve, reject) => {
    let isEnded = false
    const end = () => {
      isEnded = true
      child.kill('SIGKILL')
    }
    let timer = setTimeout(end, START_MS)
    child.on('message', (block: Block) => {
      clearTimeout(timer)
      timer = setTimeout(end, endMs)
      take(block)
      next = block.pair + 1
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      clearTimeout(timer)
      if (isEnded || (code === 0 && next === task.pairs)) resolve(next)
      else reject(new Error(`The process ended with exit code ${code} in pair ${next} of seed ${task.seed}.`))
    })
    child.send(task)
  })
}

/** Timeout for loading all modules, even on a busy machine. */
const START_MS = 60_000

const OPTIONS = { seed: { type: 'string' }, pairs: { type: 'string' }, json: { type: 'boolean' } } as const

function toNumber(word: string | undefined, otherwise: number): number {
  if (word !== undefined && !/^\d+$/.test(word)) throw new TypeError(`--pairs and --seed need a number. ${USAGE}`)
  return word === undefined ? otherwise : Number(word)
}

function toText({ seed, pairs, longestMs, longest, over100Ms, givenUp }: BlocksReport): string {
  const end = `${over100Ms} over 100 ms, ${givenUp.length} given up`
  return `fuzz ${BLOCKS}: seed ${seed}, ${pairs} pairs, longest block ${longestMs} ms (pair ${longest}), ${end}\n`
}
