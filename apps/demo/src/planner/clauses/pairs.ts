/** Parses statements that name something: "my X is Y", "X = Y", "Y under X", "X to Y". */

import { areSynonyms, isAsking, isVerb } from '../words/lexicon.ts'
import { stem } from '../words/stem.ts'
import { COPULAS, FUNCTION_WORDS, QUESTION_WORDS } from '../words/words.ts'
import type { Clause } from './clauses.ts'
import { bodyStart, stretch } from './spans.ts'

export interface Pair {
  readonly label: string
  readonly content: string
}

/** Returns the pair in a clause. Returns undefined if the clause contains no pair. */
export function findPair(clause: Clause): Pair | undefined {
  const { tokens } = clause
  if (QUESTION_WORDS.has(tokens[0]?.lower ?? '') || tokens.at(-1)?.text === '?') return undefined
  const end = verbEnd(clause)
  const verb = tokens[end - 1]?.stem ?? ''
  if (isAsking(verb)) return undefined
  const body = Math.min(end, bodyStart(tokens))
  const at = (words: ReadonlySet<string>) =>
    tokens.findIndex(
      ({ lower, kind }, index) => index > body && index < tokens.length - 1 && kind !== 'quote' && words.has(lower),
    )
  const sides = (place: number): [string, string] => [
    quoteOr(clause, body, place),
    quoteOr(clause, place + 1, contentEnd(clause, place + 1)),
  ]
  for (const [words, isLabelFirst] of areSynonyms(verb, SET) ? [...FORMS, SETTING] : FORMS) {
    const place = at(words)
    if (place < 0) continue
    const [left, right] = sides(place)
    if (words === SETTING[0] && isVerb(tokens[place + 1]?.lower ?? '')) continue
    const isContentLast = tokens[place]?.lower === 'as' && tokens.slice(place + 1).every(({ kind }) => kind !== 'word')
    if (isContentLast && left !== '' && right !== '') return { label: left, content: right }
    if (left !== '' && right !== '')
      return isLabelFirst || COPULAS.has(tokens[place - 1]?.lower ?? '')
        ? { label: left, content: right }
        : { label: right, content: left }
  }
  const quotes = tokens.filter(({ kind }) => kind === 'quote')
  return quotes.length === 2 ? { label: quotes[0]?.text ?? '', content: quotes[1]?.text ?? '' } : undefined
}

const FORMS: readonly (readonly [ReadonlySet<string>, boolean])[] = [
  [new Set(['under', 'as', 'named', 'called', 'titled']), false],
  [COPULAS, true],
  [new Set([':', '=']), true],
]
const SETTING = [new Set(['to']), true] as const
const SET = stem('assign')

/** Returns the quotation if the side ends with it and contains no other, as in `the note "a b"`. Otherwise returns the whole side. */
function quoteOr(clause: Clause, from: number, to: number): string {
  const quotes = clause.tokens.slice(from, to).filter(({ kind }) => kind === 'quote')
  const isLast = clause.tokens[to - 1]?.kind === 'quote'
  return quotes.length === 1 && isLast ? (quotes[0]?.text ?? '') : stretch(clause, from, to)
}

/** Returns the position after the content. A comma ends the content if a function word or a verb follows the comma. */
function contentEnd({ source, tokens }: Clause, from: number): number {
  const end = tokens.findIndex(({ text, start }, index) => {
    if (index > from && source.slice(tokens[index - 1]?.end, start).includes(',')) return true
    const next = tokens[index + 1]
    return index > from && text === ',' && next !== undefined && (FUNCTION_WORDS.has(next.lower) || isVerb(next.lower))
  })
  return end < 0 ? tokens.length : end
}

function verbEnd({ tokens }: Clause): number {
  const verb = tokens.findIndex(({ lower }) => isVerb(lower))
  return verb >= 0 && verb < 4 ? verb + 1 : 0
}
