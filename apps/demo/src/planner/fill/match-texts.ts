/** Assigns a clause's phrases to the string parameters of a tool. */

import type { Clause } from '../clauses/clauses.ts'
import type { Phrase } from '../clauses/phrase.ts'
import { isCapital, stretch } from '../clauses/spans.ts'
import { looks, type Offer } from '../tools/catalog.ts'
import type { Parameter } from '../tools/parameters.ts'
import type { Token } from '../words/token.ts'
import { COPULAS, FUNCTION_WORDS } from '../words/words.ts'
import { echo, withoutEcho } from './subject.ts'
import { dateFor, isTextual, isTimely, kindScore, prepositionScore } from './text-kinds.ts'

export interface TextMatch {
  readonly parameter: Parameter
  readonly text: string
  readonly phrase: Phrase
  readonly isSure: boolean
}

/**
 * Returns the best assignment of phrases, judged by labels, prepositions, kinds and nearby words. If those don't decide, phrases are
 * assigned in order.
 */
export function matchTexts(
  parameters: readonly Parameter[],
  phrases: readonly Phrase[],
  clause: Clause,
  offer: Offer,
  only: Parameter | undefined,
): TextMatch[] {
  const own = phrases.filter((phrase) => echo(phrase, offer) < 0.5)
  const pairs = parameters.flatMap((parameter, place) =>
    phrases.map((phrase) => ({ parameter, phrase, ...rate(parameter, phrase, clause, offer), place, rank: own.indexOf(phrase) })),
  )
  for (const pair of pairs) pair.score += (pair.place === pair.rank ? 0.6 : 0) + (pair.parameter.required ? 1 : 0)
  pairs.sort((one, other) => other.score - one.score || one.rank - other.rank)
  const matches: TextMatch[] = []
  for (const { parameter, phrase, text, score, isSure } of pairs) {
    if (parameter === only && phrase.kind === 'word' && !isSure && (isTextual(only) || !phrase.proper)) continue
    if (score < (parameter.required ? REQUIRED_SCORE : OPTIONAL_SCORE)) continue
    if (matches.some((match) => match.parameter === parameter || match.phrase === phrase)) continue
    matches.push({ parameter, phrase, text, isSure })
  }
  return matches
}

const REQUIRED_SCORE = -1

const OPTIONAL_SCORE = 2.4

function rate(
  parameter: Parameter,
  phrase: Phrase,
  clause: Clause,
  offer: Offer,
): { score: number; text: string; isSure: boolean } {
  const isTime = phrase.kind === 'date' || phrase.kind === 'time'
  if (isTime && looks(offer) && !isTimely(parameter) && !isTextual(parameter)) return { score: -10, text: '', isSure: false }
  const own = phrase.kind === 'word' && !isTextual(parameter) ? withoutEcho(phrase, offer, clause) : phrase
  const code = parameter.identifier ? codeIn(own) : undefined
  const near = withoutLabel(parameter, own, clause, echo(own, offer) >= 0.8)
  const isLabelled = code !== undefined && parameter.stems.includes(clause.tokens[clause.tokens.indexOf(code) - 1]?.stem ?? '')
  const labelled = near.labelled || isLabelled
  const { named } = near
  const text = code?.text ?? near.text
  if (text === '' || (parameter.identifier && !/\d/.test(text) && own.kind === 'word')) return { score: -10, text, isSure: false }
  let score = labelled ? 4 : named ? 2.5 : -2.5 * echo(own, offer)
  score += kindScore(parameter, isLabelled ? { ...own, kind: 'id' } : own) + prepositionScore(parameter, phrase)
  if (phrase.proper)
    score +=
      CAPITAL_EXAMPLE.test(parameter.description) || parameter.words.includes('name') || /^name/i.test(parameter.description)
        ? 1.2
        : 0.5
  if (!labelled) score += contextScore(parameter, phrase, clause)
  const meant = parameter.codes.get(text.toLowerCase())
  if (meant !== undefined) score += CODE
  const isPlural = phrase.tokens.some(
    ({ lower, stem }) => lower.endsWith('s') && parameter.stems.includes(stem) && !parameter.words.includes(lower),
  )
  const isKind = (own.kind === 'id' && parameter.identifier) || (own.kind === 'quote' && isTextual(parameter))
  const value = meant ?? (phrase.kind === 'date' ? dateFor(parameter, text) : text)
  if (value === undefined) return { score: -10, text, isSure: false }
  return { score, text: value, isSure: (labelled && !isPlural) || meant !== undefined || isKind }
}

/** Returns the only word with a digit, if no word is capitalized: "1001" in "back order 1001". */
function codeIn({ tokens }: Phrase): Token | undefined {
  const [code, ...others] = tokens.filter((token) => /\d/.test(token.text))
  return others.length > 0 || tokens.some(isCapital) ? undefined : code
}

const CODE = 4
const CAPITAL_EXAMPLE = /[a-z] .*\p{Lu}\p{Ll}/u

/** Removes the parameter's name: "genre: fiction", "the genre is fiction", "fiction genre" and "genre fiction" become "fiction". */
function withoutLabel(
  parameter: Parameter,
  phrase: Phrase,
  clause: Clause,
  isEcho: boolean,
): { text: string; labelled: boolean; named: boolean } {
  const isLabel = (token: Token | undefined) =>
    token !== undefined && token.kind === 'word' && parameter.stems.includes(token.stem) && !(phrase.proper && isCapital(token))
  let [from, to] = [phrase.from, phrase.to]
  while (from < to && isLabel(clause.tokens[from])) from++
  while (to > from && isLabel(clause.tokens[to - 1])) to--
  if (from === to) return { text: '', labelled: false, named: false }
  const cut = from !== phrase.from || to !== phrase.to
  let before = from - 1
  while (before >= 0 && LINKS.has(clause.tokens[before]?.lower ?? '')) before--
  const labelled = cut || (!isEcho && before < from - 1 && isLabel(clause.tokens[before]))
  const named =
    phrase.tokens.length > 1 && phrase.tokens.some((token) => token.kind === 'word' && parameter.stems.includes(token.stem))
  return { text: cut ? stretch(clause, from, to) : phrase.text, labelled, named }
}

const LINKS = new Set([...COPULAS, 'of', 'as', 'named', 'called', ':', 'the', 'a', 'an', 'to', 'titled'])

/** Scores words near the phrase that name or describe the parameter. */
function contextScore({ stems, descriptionStems }: Parameter, { from, to }: Phrase, { tokens }: Clause): number {
  let score = 0
  for (const [offset, index] of [
    [1, from - 1],
    [2, from - 2],
    [3, from - 3],
    [1.5, to],
    [2.5, to + 1],
  ] as const) {
    const token = tokens[index]
    if (token === undefined || token.kind !== 'word' || FUNCTION_WORDS.has(token.lower)) continue
    score = Math.max(score, (stems.includes(token.stem) ? 3 : descriptionStems.has(token.stem) ? 0.8 : 0) / offset)
  }
  return score
}
