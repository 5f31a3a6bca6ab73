/** Writes random turns in a dialect, and keeps the first refusal. */
import type { ToolSpec } from '@x/tool-core'
import type { FormatRefusal } from '../../dialects/define/dialect.ts'
import { ensure } from '../contract-error.ts'
import type { DialectSubject } from '../dialect-check.ts'
import { createRandom, type Random } from '../random.ts'
import { type RandomCall, randomCall } from '../random-calls.ts'

export interface WrittenTurn {
  readonly text: string
  readonly calls: readonly RandomCall[]
}

/** Returns random turns with the given number of calls. Empty only if the dialect can't write that many calls in one turn. */
export function turnsOf(subject: DialectSubject, length: number): readonly WrittenTurn[] {
  const { turns, refusal } = writeTurns(subject, length)
  const why = `${refusal?.code}, ${refusal?.message}`
  const isAlone = length > 1 && refusal?.code === 'parallel_calls'
  ensure(
    turns.length > 0 || isAlone,
    `No turn with ${length === 1 ? 'one call' : `${length} calls`} was written. The first refusal: ${why}`,
  )
  return turns
}

export interface TurnWithTools extends WrittenTurn {
  readonly tools: readonly ToolSpec[]
}

/** Returns the samples that contain only calls. The checks of written turns apply to them too. */
export function callSamples({ samples }: DialectSubject): readonly TurnWithTools[] {
  return samples.filter(({ sample: { calls, content, reasoning } }) => calls.length > 0 && !content && !reasoning)
}

/** Returns turns with one call, for checks that read each turn many times. There is one per 20 runs. */
export function fewTurns(subject: DialectSubject): readonly TurnWithTools[] {
  const turns = turnsOf({ ...subject, runs: Math.ceil(subject.runs / 20) }, 1)
  return turns.map((turn) => ({ ...turn, tools: turn.calls.map(({ tool }) => tool) }))
}

/** Text that is appended to a turn. */
export const BEHIND = 'Words behind.'

export function quote(text: string | undefined): string {
  return JSON.stringify(text)
}

export interface Writing {
  readonly turns: readonly WrittenTurn[]
  /** The first refusal. A refusal of parallel calls takes precedence over others. */
  readonly refusal: FormatRefusal | undefined
}

/**
 * Writes `runs` turns with the given number of calls each. Omits turns that the dialect refuses, and continues until at least one
 * is written.
 */
export function writeTurns({ dialect, runs, seed, fragments }: DialectSubject, length: number): Writing {
  const random = createRandom(seed + length)
  const turns: WrittenTurn[] = []
  let refusal: FormatRefusal | undefined
  for (let run = 0; run < runs || (turns.length === 0 && refusal?.code !== 'parallel_calls' && run < runs + MORE); run++) {
    const calls = randomTurn(random, fragments, length)
    const formatted = dialect.formatCalls(calls.map(({ call }) => call))
    if (formatted.ok) turns.push({ text: formatted.text, calls })
    else if (refusal === undefined || formatted.code === 'parallel_calls') refusal = formatted
    const isWrong = !formatted.ok && formatted.code === 'invalid_arguments'
    ensure(!isWrong, `Arguments that are JSON were refused: ${isWrong && formatted.message}`)
  }
  return { turns, refusal }
}

/** Maximum number of further attempts. Enough to find a turn with several calls even if the dialect can write only few values. */
const MORE = 1_000

/** Creates a random turn in which each call has its own tool. */
function randomTurn(random: Random, fragments: readonly string[], length: number): readonly RandomCall[] {
  const calls = new Map<string, RandomCall>()
  while (calls.size < length) {
    const one = randomCall(random, fragments, calls.size)
    if (!calls.has(one.call.name)) calls.set(one.call.name, one)
  }
  return [...calls.values()]
}
