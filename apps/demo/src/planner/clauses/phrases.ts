/** Splits a clause into phrases. */

import type { Token } from '../words/token.ts'
import { FUNCTION_WORDS, isNegation } from '../words/words.ts'
import type { Clause } from './clauses.ts'
import { joinPlaces, joinTimes } from './join-phrases.ts'
import { type Phrase, phraseOf } from './phrase.ts'
import { isPredicate } from './predicates.ts'
import { bodyStart, isCapital } from './spans.ts'

/** Returns the phrases of a clause in order. The phrases contain no token at a `used` position. */
export function findPhrases(clause: Clause, used: ReadonlySet<number>): Phrase[] {
  const { tokens } = clause
  const phrases: Phrase[] = []
  const body = bodyStart(tokens)
  let from = -1
  const close = (to: number) => {
    if (from >= 0) phrases.push(phraseOf(clause, from, to))
    from = -1
  }
  tokens.forEach((token, index) => {
    const previous = tokens[index - 1]
    if (used.has(index) || index < body || !isContent(clause, index)) close(index)
    else if (token.kind !== 'word' && token.kind !== 'number' && !(token.kind === 'id' && isCode(token))) {
      close(index)
      from = index
      close(index + 1)
    } else if (
      from >= 0 &&
      !isJoiner(clause, index) &&
      !isJoiner(clause, index - 1) &&
      previous !== undefined &&
      isCapital(previous) !== isCapital(token) &&
      token.kind === 'word' &&
      previous.kind === 'word'
    ) {
      close(index)
      from = index
    } else if (from < 0) from = index
  })
  close(tokens.length)
  return joinTimes(clause, joinPlaces(clause, phrases))
}

function isContent(clause: Clause, index: number): boolean {
  const { tokens } = clause
  const token = tokens[index] as Token
  if (token.kind === 'sign' || (token.kind === 'word' && token.number !== undefined && !isCapital(token))) return false
  if (isPredicate(tokens, index) || (token.kind === 'word' && isNegation(token.lower))) return false
  if (token.kind !== 'word' || !FUNCTION_WORDS.has(token.lower) || token.number !== undefined) return true
  if (isJoiner(clause, index)) return true
  return index > 0 && /^\p{Lu}{2}/u.test(token.text)
}

/** Returns true for words such as "of" and "the" inside a capitalized name. */
function isJoiner({ tokens }: Clause, index: number): boolean {
  const [previous, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (token === undefined || previous === undefined || next === undefined || index < 2) return false
  if (!/^(?:of|the|de|du|van|von|la)$/.test(token.lower) || next.kind !== 'word') return false
  return (
    (isCapital(previous) || /^(?:of|de)$/.test(previous.lower)) &&
    previous.kind === 'word' &&
    (isCapital(next) || next.lower === 'the')
  )
}

/** Returns true for an id that may be part of a name, such as the number of a model. */
function isCode({ text }: Token): boolean {
  return !/\d{3}/.test(text) && !text.includes('-') && !text.startsWith('#')
}
