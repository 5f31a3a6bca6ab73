/** Random turns as a dialect writes them, and why it refused the first that it cannot write. */
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

/** At least one turn, or none if the dialect can't write that many calls. */
export function turnsOf(subject: DialectSubject, length: number): readonly WrittenTurn[] {
  const { turns, refusal } = writeTurns(subject, length)
  const why = `${refusal?.code}, ${refusal?.message}`
  const isAlone = length > 1 && refusal?.code === 'parallel_calls'
  ensure(turns.length > 0 || isAlone, `No turn of ${length} was written. The first refusal: ${why}`)
  return turns
}

export interface TurnWithTools extends WrittenTurn {
  readonly tools: readonly ToolSpec[]
}

/** Samples that hold calls and nothing beside them: what holds for a turn that is written holds for them. */
export function callSamples({ samples }: DialectSubject): readonly TurnWithTools[] {
  return samples.filter(({ sample: { calls, content, reasoning } }) => calls.length > 0 && !content && !reasoning)
}

/** Turns of one call, a twentieth of the runs: for checks that read each of them many times. */
export function fewTurns(subject: DialectSubject): readonly TurnWithTools[] {
  const turns = turnsOf({ ...subject, runs: Math.ceil(subject.runs / 20) }, 1)
  return turns.map((turn) => ({ ...turn, tools: turn.calls.map(({ tool }) => tool) }))
}

/** Text that follows a turn. */
export const BEHIND = 'Words behind.'

export function quote(text: string | undefined): string {
  return JSON.stringify(text)
}

export interface Writing {
  readonly turns: readonly WrittenTurn[]
  /** The first one, or one of several calls. */
  readonly refusal: FormatRefusal | undefined
}

/** `runs` turns of as many calls, without those that are refused, and more until one is written. */
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

/** So many that a dialect with narrow values writes one of them, also of several calls. */
const MORE = 1_000

/** Each call has a tool of its own. */
function randomTurn(random: Random, fragments: readonly string[], length: number): readonly RandomCall[] {
  const calls = new Map<string, RandomCall>()
  while (calls.size < length) {
    const one = randomCall(random, fragments, calls.size)
    if (!calls.has(one.call.name)) calls.set(one.call.name, one)
  }
  return [...calls.values()]
}
