/** Joins phrases that belong together: the parts of a place, or a day and a time. */

import type { Token } from '../words/token.ts'
import type { Clause } from './clauses.ts'
import { type Phrase, phraseOf } from './phrase.ts'
import { isCapital, stretch } from './spans.ts'

/** Joins two capitalized phrases around a comma, unless they are part of a longer list: "Main Street, Springfield". */
export function joinPlaces(clause: Clause, phrases: readonly Phrase[]): Phrase[] {
  const joined: Phrase[] = []
  for (const phrase of phrases) {
    const last = joined.at(-1)
    const isNext = last !== undefined && phrase.from === last.to + 1 && clause.tokens[last.to]?.text === ','
    const isProper = phrase.proper && last !== undefined && isCapital(last.tokens.at(-1) as Token) && !last.text.includes(',')
    const isCode = /^\p{Lu}{2,3}$/u.test(phrase.text) && last !== undefined && last.text.length > 2
    const isRow = /^(?:,|and|or|&)$/.test(clause.tokens[phrase.to]?.text ?? '') && !isCode
    if (isNext && isProper && !isRow && last.kind === 'word' && clause.tokens[last.from - 1]?.text !== ',') {
      joined[joined.length - 1] = { ...last, ...phraseOf(clause, last.from, phrase.to), proper: true }
    } else joined.push(phrase)
  }
  return joined
}

/** Joins a day and a time into one phrase: "tomorrow at 9". */
export function joinTimes(clause: Clause, phrases: readonly Phrase[]): Phrase[] {
  const joined: Phrase[] = []
  for (const phrase of phrases) {
    const last = joined.at(-1)
    const between = last === undefined ? [] : clause.tokens.slice(last.to, phrase.from)
    const isNext = between.length === 0 || (between.length === 1 && /^(?:at|on|,|by)$/.test(between[0]?.lower ?? ''))
    const isTime = phrase.kind === 'date' || phrase.kind === 'time' || (phrase.kind === 'number' && between[0]?.lower === 'at')
    if (last !== undefined && isNext && isTime && (last.kind === 'date' || last.kind === 'time') && last.to <= phrase.from) {
      joined[joined.length - 1] = {
        ...last,
        to: phrase.to,
        tokens: clause.tokens.slice(last.from, phrase.to),
        text: stretch(clause, last.from, phrase.to),
      }
    } else joined.push(phrase)
  }
  return joined
}
