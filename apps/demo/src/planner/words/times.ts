/** Finds times and repetitions in a clause. */
import { MONTHS, PERIODS, SEASONS } from './dates.ts'
import { stem } from './stem.ts'
import { type Token, tokenize } from './token.ts'

/** Returns the positions of times and repetitions. Ignores "today", "yesterday", and days after "of", because they only name a thing. */
export function timesIn(tokens: readonly Token[]): number[] {
  return [...tokens.keys()].filter((index) => {
    const { kind, lower } = tokens[index] as Token
    return (kind === 'date' || kind === 'time') && !PRESENT.has(lower) && tokens[index - 1]?.lower !== 'of'
  })
}

/** Returns true for a text with a date, a time, a period such as "20 minutes", or "at" and a number. */
export function namesTime(text: string): boolean {
  const tokens = tokenize(text)
  return tokens.some(
    ({ kind, stem: own, lower, number }, index) =>
      kind === 'date' ||
      kind === 'time' ||
      kind === 'id' ||
      PERIOD_STEMS.has(own) ||
      LATER.has(lower) ||
      (number !== undefined && (tokens.length === 1 || tokens[index - 1]?.lower === 'at')),
  )
}

const PERIOD_STEMS = new Set([...PERIODS, ...SEASONS, ...MONTHS].map((name) => stem(name.toLowerCase())))
const LATER = new Set(['breakfast', 'dinner', 'later', 'lunch', 'now', 'soon', 'tonight'])
const PRESENT = new Set(['today', 'yesterday'])
