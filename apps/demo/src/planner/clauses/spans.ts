/** Positions in a clause: ranges of its source, and the start of its body. */

import { isVerb } from '../words/lexicon.ts'
import type { Token } from '../words/token.ts'
import { DETERMINERS, FUNCTION_WORDS } from '../words/words.ts'
import type { Clause } from './clauses.ts'

/** Returns the source between two token positions, without function words and punctuation at either end. */
export function stretch({ source, tokens }: Clause, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isTrimmed(tokens[start] as Token)) start++
  while (end > start && isTrimmed(tokens[end - 1] as Token)) end--
  const first = tokens[start]
  const last = tokens[end - 1]
  if (first === undefined || last === undefined || start >= end) return ''
  return textOf(source, tokens.slice(start, end))
}

/** Returns the position after the verb and the words that introduce it: the position of X in "Please find me X" and "I want to buy X". */
export function bodyStart(tokens: readonly Token[]): number {
  let index = 0
  for (let seen = 0; seen < 12 && index < tokens.length; seen++) {
    const token = tokens[index] as Token
    const isOpening =
      token.kind === 'word' && token.number === undefined && (FUNCTION_WORDS.has(token.lower) || isVerb(token.lower))
    if (!isOpening && !(token.kind === 'sign' && index > 0)) return index
    if (!FUNCTION_WORDS.has(token.lower) && DETERMINERS.has(tokens[index - 1]?.lower ?? '')) return index
    index++
    if (
      isVerb(token.lower) &&
      !FUNCTION_WORDS.has(token.lower) &&
      !isVerb(tokens[index]?.lower ?? '') &&
      tokens[index]?.lower !== 'to'
    )
      return index
  }
  return index
}

/** Returns the text as it was written, without a possessive ending. If the only token is a quotation, the quotation marks are removed. */
export function textOf(source: string, tokens: readonly Token[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (first === undefined || last === undefined) return ''
  return first === last ? first.text : source.slice(first.start, last.end).replace(/['’]s$/u, '')
}

export function isCapital(token: Token): boolean {
  return /^\p{Lu}/u.test(token.text)
}

function isTrimmed(token: Token): boolean {
  return (
    token.kind === 'sign' ||
    (token.kind === 'word' && FUNCTION_WORDS.has(token.lower) && token.number === undefined && !/^\p{Lu}{2}/u.test(token.text))
  )
}
