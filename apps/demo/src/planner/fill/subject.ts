/** Separates a clause's subject from the words that only identify the tool. */

import type { Clause } from '../clauses/clauses.ts'
import type { Phrase } from '../clauses/phrase.ts'
import { isCapital, stretch } from '../clauses/spans.ts'
import type { Offer } from '../tools/catalog.ts'
import { verbGroups } from '../words/lexicon.ts'
import type { Token } from '../words/token.ts'
import { FUNCTION_WORDS } from '../words/words.ts'

/** Returns the longest part of a clause that does more than identify the tool. */
export function subjectOf(clause: Clause, phrases: readonly Phrase[], offer: Offer, mayEcho = true): string {
  const own = phrases.filter((phrase) => phrase.kind !== 'number' && echo(phrase, offer) < 0.8)
  const apart = mayEcho ? own : own.filter(({ tokens }) => !offer.nameStems.includes(tokens.at(-1)?.stem ?? ''))
  const kept = [apart, own, mayEcho ? phrases : []].find((list) => list.length > 0) ?? []
  const first = kept[0]
  if (first === undefined) return ''
  let last = first
  for (const phrase of kept.slice(1)) {
    if ((phrase.tokens[0]?.start ?? 0) < (last.tokens[0]?.start ?? 0)) break
    const between = clause.tokens.slice(last.to, phrase.from)
    if (
      between.some((token) => token.kind === 'sign' && /[.;:!?]/.test(token.text)) ||
      phrases.some((other) => other.from >= last.to && other.to <= phrase.from)
    )
      break
    if (between.some((token) => token.kind !== 'sign' && !FUNCTION_WORDS.has(token.lower))) break
    last = phrase
  }
  return stretch(clause, first.from, last.to)
}

/** Returns the share of the words in a phrase that only identify the tool. */
export function echo({ tokens, kind }: Phrase, offer: Offer): number {
  const { weights, nameStems } = offer
  if (kind !== 'word') return 0
  const weightOf = (token: Token) =>
    nameStems.includes(token.stem) ? 1 : (weights.get(token.stem) ?? 0) >= 1 || isLooseVerb(token, offer) ? 0.8 : 0
  return (
    tokens.reduce(
      (sum, token) => sum + (weights.get(token.stem) === undefined && !isLooseVerb(token, offer) ? 0 : weightOf(token) || 0.3),
      0,
    ) / tokens.length
  )
}

/** Removes words that only identify the tool: "classical concert" becomes "classical" for a tool named after concerts. */
export function withoutEcho(phrase: Phrase, { nameStems }: Offer, { source, tokens }: Clause): Phrase {
  let [from, to] = [phrase.from, phrase.to]
  const isEcho = (index: number) => nameStems.includes(tokens[index]?.stem ?? '') && !isCapital(tokens[index] as Token)
  while (from < to && isEcho(from)) from++
  while (to > from && isEcho(to - 1)) to--
  if (from === to || (from === phrase.from && to === phrase.to)) return phrase
  const kind = to - from === 1 ? (tokens[from]?.kind ?? 'word') : 'word'
  return {
    ...phrase,
    from,
    to,
    kind,
    tokens: tokens.slice(from, to),
    text: stretch({ source, tokens, joint: 'start' }, from, to),
  }
}

/** Returns true for a synonym of a verb that describes the tool. */
function isLooseVerb(token: Token, { nameGroups, descriptionGroups }: Offer): boolean {
  return !isCapital(token) && verbGroups(token.stem).some((group) => nameGroups.has(group) || descriptionGroups.has(group))
}
