/** The type of a recovery case, and the judgement of a parser's result. */

import { show } from '../compare.ts'
import { isSameValue } from '../same-value.ts'

/**
 * The required result:
 * - `pass`: the value of valid JSON, without a tag.
 * - `must`: the expected value, with a tag.
 * - `may`: like `must`, or a refusal.
 * - `reject`: a refusal.
 * - `nocrash`: any result within the time limit.
 */
export type Level = 'pass' | 'must' | 'may' | 'reject' | 'nocrash'

export const LEVELS: readonly Level[] = ['pass', 'must', 'may', 'reject', 'nocrash']

export interface RecoveryCase {
  readonly id: string
  readonly level: Level
  readonly input: string | null
  /** Generates a large input: strings, each with the number of times to repeat it. */
  readonly gen?: readonly (readonly [text: string, times: number])[]
  readonly expected?: unknown
  /** The value to display when all text has been streamed but its end has not been reported yet. */
  readonly partial?: unknown
  readonly max_ms?: number
  /** True if the provider reported that the text is complete, false if it reported a truncation. Absent if it reported nothing. */
  readonly complete?: boolean
  /** The expected outcome when an object is required, if it differs. */
  readonly level_args?: Level
  readonly expected_args?: unknown
}

export type Answer =
  | { readonly ok: true; readonly value: unknown; readonly tags: readonly string[] }
  | { readonly ok: false; readonly code: string }

export interface Judgement {
  /** True for the best result that the level allows: a value if the level allows recovery, and otherwise a refusal. */
  readonly isRight: boolean
  /** True if the parser returned a wrong value, or a value for text that must be refused. */
  readonly isSilentlyWrong: boolean
  readonly fault?: string
}

export function textOf({ input, gen }: RecoveryCase): string {
  return gen === undefined ? (input ?? '') : gen.map(([text, times]) => text.repeat(times)).join('')
}

/** Converts the case to one for `parseArguments`. Returns undefined if the case has no separate expectation for `parseArguments`. */
export function toArgumentsCase({ level_args: level, expected_args: expected, ...rest }: RecoveryCase): RecoveryCase | undefined {
  return level === undefined ? undefined : { ...rest, level, expected }
}

export function judge(recoveryCase: RecoveryCase, answer: Answer): Judgement {
  const { level, expected } = recoveryCase
  if (level === 'nocrash') return RIGHT
  if (!answer.ok) return judgeRefusal(level, answer.code)
  if (level === 'reject') return { ...WRONG, fault: `accepted as ${showValue(answer.value)}` }
  const isExpected = level === 'pass' ? isUnchanged(recoveryCase, answer.value) : isSameValue(answer.value, expected)
  if (!isExpected) return { ...WRONG, fault: `wrong value ${showValue(answer.value)}` }
  const isTagged = answer.tags.length > 0
  if (isTagged === (level !== 'pass')) return RIGHT
  return { ...MISSED, fault: isTagged ? `tagged ${answer.tags.join(', ')} although it is valid` : 'recovered without a tag' }
}

function judgeRefusal(level: Level, code: string): Judgement {
  if (code === '') return { ...MISSED, fault: 'refused without a code' }
  if (level === 'reject') return RIGHT
  return level === 'may' ? MISSED : { ...MISSED, fault: `refused as ${code}` }
}

/**
 * Returns true if the value equals both the result of `JSON.parse` and the expected value. The expected value is compared as far as JSON
 * can represent it: `-0` is written as `0`. Generated text has no expected value.
 */
function isUnchanged({ input, gen, expected }: RecoveryCase, value: unknown): boolean {
  if (gen !== undefined) return true
  try {
    const isOwn = input === null || isSameValue(value, JSON.parse(input))
    return isOwn && (isSameValue(value, expected) || isSameValue(JSON.parse(JSON.stringify(value)), expected))
  } catch {
    // The text isn't valid JSON.
    return false
  }
}

/** Returns the value as text. A value that is nested too deeply to be serialized is only described. */
function showValue(value: unknown): string {
  try {
    return show(value)
  } catch {
    return 'a value too deep to show'
  }
}

const RIGHT: Judgement = { isRight: true, isSilentlyWrong: false }
const MISSED: Judgement = { isRight: false, isSilentlyWrong: false }
const WRONG: Judgement = { isRight: false, isSilentlyWrong: true }
