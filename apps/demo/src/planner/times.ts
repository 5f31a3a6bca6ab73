/** Finds where a clause says when or how often something is to be done. */
import type { Token } from './token.ts'

/** The positions of the times and repetitions of a clause; a day that is over, or that only names a thing, is none. */
export function timesIn(tokens: readonly Token[]): number[] {
  return [...tokens.keys()].filter((index) => {
    const { kind, lower } = tokens[index] as Token
    return (kind === 'date' || kind === 'time') && !PRESENT.has(lower) && tokens[index - 1]?.lower !== 'of'
  })
}

const PRESENT = new Set(['today', 'yesterday'])
