/** Cuts a clause into phrases: the runs of content words, quotations, dates, ids that may become arguments. */
import type { Clause } from './clauses.ts'
import { isVerb } from './lexicon.ts'
import type { Token, TokenKind } from './token.ts'
import { FUNCTION_WORDS, PREPOSITIONS } from './words.ts'

export interface Phrase {
  readonly text: string
  readonly tokens: readonly Token[]
  /** The token positions it spans in the clause. */
  readonly from: number
  readonly to: number
  readonly kind: TokenKind
  /** The preposition before it. */
  readonly preposition?: string | undefined
  /** Written with a capital where no sentence begins. */
  readonly proper: boolean
}

/** The phrases of a clause that use none of the `used` token positions, in their order. */
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
    if (used.has(index) || index < body || !isContent(clause, index)) return close(index)
    if (token.kind !== 'word' && token.kind !== 'number' && !(token.kind === 'id' && isCode(token))) {
      close(index)
      from = index
      return close(index + 1)
    }
    if (from >= 0 && previous !== undefined && isCapital(previous) !== isCapital(token) && token.kind === 'word' && previous.kind === 'word') close(index)
    if (from < 0) from = index
  })
  close(tokens.length)
  return phrases
}

/** The stretch of the source from one token position to another, without function words and signs at its ends. */
export function stretch({ source, tokens }: Clause, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isTrimmed(tokens[start] as Token)) start++
  while (end > start && isTrimmed(tokens[end - 1] as Token)) end--
  const first = tokens[start]
  const last = tokens[end - 1]
  if (first === undefined || last === undefined || start >= end) return ''
  return start + 1 === end ? first.text : source.slice(first.start, last.end)
}

/** Where the clause goes on after its verb: "Please find me X", "I want to buy X". */
export function bodyStart(tokens: readonly Token[]): number {
  let index = 0
  for (let seen = 0; seen < 12 && index < tokens.length; seen++) {
    const token = tokens[index] as Token
    const isOpening = token.kind === 'word' && token.number === undefined && (FUNCTION_WORDS.has(token.lower) || isVerb(token.lower))
    if (!isOpening && !(token.kind === 'sign' && index > 0)) return index
    index++
    if (isVerb(token.lower) && !FUNCTION_WORDS.has(token.lower) && !isVerb(tokens[index]?.lower ?? '') && tokens[index]?.lower !== 'to') return index
  }
  return index
}

export function isCapital(token: Token): boolean {
  return /^\p{Lu}/u.test(token.text)
}

function isTrimmed(token: Token): boolean {
  return token.kind === 'sign' || (token.kind === 'word' && FUNCTION_WORDS.has(token.lower) && token.number === undefined && !/^\p{Lu}{2}/u.test(token.text))
}

function isContent({ tokens }: Clause, index: number): boolean {
  const token = tokens[index] as Token
  if (token.kind === 'sign') return false
  if (token.kind !== 'word' || !FUNCTION_WORDS.has(token.lower) || token.number !== undefined) return true
  const [previous, next] = [tokens[index - 1], tokens[index + 1]]
  const joinsNames = token.lower === 'of' || token.lower === 'the' || token.lower === 'de'
  if (joinsNames && previous !== undefined && next !== undefined && index > 1) return isCapital(previous) && previous.kind === 'word' && isCapital(next) && next.kind === 'word'
  return index > 0 && /^\p{Lu}{2}/u.test(token.text)
}

function isCode(token: Token): boolean {
  return !/\d{3}/.test(token.text) && !token.text.includes('-') && !token.text.startsWith('#')
}

function phraseOf(clause: Clause, from: number, to: number): Phrase {
  const tokens = clause.tokens.slice(from, to)
  const first = tokens[0] as Token
  let before = from - 1
  while (before > 0 && /^(?:the|a|an|my|your|its|his|her|our|their)$/.test(clause.tokens[before]?.lower ?? '')) before--
  const preposition = clause.tokens[before]?.lower ?? ''
  return {
    text: tokens.length === 1 ? first.text : clause.source.slice(first.start, tokens.at(-1)?.end),
    tokens,
    from,
    to,
    kind: tokens.length === 1 ? first.kind : 'word',
    ...(PREPOSITIONS.has(preposition) && { preposition }),
    proper: tokens.length > 0 && first.kind === 'word' && isCapital(first) && from > 0,
  }
}
