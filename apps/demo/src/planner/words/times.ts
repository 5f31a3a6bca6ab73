/** Finds times and repetitions in a clause. */
import type { Token } from './token.ts'

/** Returns the positions of times and repetitions. Ignores "today", "yesterday", and days after "of", because they only name a thing. */
export function timesIn(tokens: readonly Token[]): number[] {
  return [...tokens.keys()].filter((index) => {
    const { kind, lower } = tokens[index] as Token
    return (kind === 'date' || kind === 'time') && !PRESENT.has(lower) && tokens[index - 1]?.lower !== 'of'
  })
}

const PRESENT = new Set(['today', 'yesterday'])
