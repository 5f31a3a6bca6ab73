/** Finds times and repetitions in a clause. */
import type { Token } from './token.ts'

/** The positions of the times and repetitions of a clause. Ignores past days and days that only name a thing. */
export function timesIn(tokens: readonly Token[]): number[] {
  return [...tokens.keys()].filter((index) => {
    const { kind, lower } = tokens[index] as Token
    return (kind === 'date' || kind === 'time') && !PRESENT.has(lower) && tokens[index - 1]?.lower !== 'of'
  })
}

const PRESENT = new Set(['today', 'yesterday'])
