/** Ranks the tools at hand for one clause, and says when none of them serves. */
import type { Catalog, Offer } from './catalog.ts'
import type { Clause } from './clauses.ts'
import { isAsking, verbGroups } from './lexicon.ts'
import { stem } from './stem.ts'
import type { Token } from './token.ts'
import { FUNCTION_WORDS } from './words.ts'

export interface Ranked {
  readonly offer: Offer
  readonly score: number
  /** The share of the clause's own words that the tool knows, and of the name's words that the clause says. */
  readonly coverage: number
  readonly nameCoverage: number
}

/** All tools, best first; equal ones in the order they were offered. */
export function rankOffers(clause: Clause, catalog: Catalog): Ranked[] {
  const terms = termsOf(clause.tokens)
  return catalog.offers.map((offer) => rate(terms, offer, catalog)).sort((one, other) => other.score - one.score)
}

/** True when the words in common are enough to call the tool. */
export function serves({ score, coverage, nameCoverage }: Ranked): boolean {
  return score >= 1.5 && (nameCoverage > 0 || coverage >= 0.5)
}

interface Terms {
  readonly words: ReadonlySet<string>
  readonly pairs: ReadonlySet<string>
  readonly groups: ReadonlyMap<string, readonly number[]>
}

function termsOf(tokens: readonly Token[]): Terms {
  const spoken = tokens.filter(({ kind }) => kind === 'word' || kind === 'quote')
  const words = new Set(spoken.filter(({ lower, number }) => !FUNCTION_WORDS.has(lower) && number === undefined).map((token) => token.stem))
  const pairs = new Set(spoken.slice(1).map((token, index) => stem(`${spoken[index]?.lower}${token.lower}`)))
  const groups = new Map([...words].map((word) => [word, verbGroups(word)]))
  return { words, pairs, groups }
}

const ASKING_SHARE = 0.3
const SYNONYM = 1.8

function rate({ words, pairs, groups }: Terms, offer: Offer, catalog: Catalog): Ranked {
  let score = 0
  let known = 0
  let content = 0
  const said = new Set<string>()
  for (const word of words) {
    const share = isAsking(word) ? ASKING_SHARE : 1
    const weight = offer.weights.get(word) ?? 0
    const inGroup = (groups.get(word) ?? []).some((group) => offer.nameGroups.has(group)) ? SYNONYM : 0
    if (share === 1) content++
    if (weight > 0 || inGroup > 0) known += share === 1 ? 1 : 0
    if (weight > 0) said.add(word)
    score += share * Math.max(weight * catalog.rarity(word), inGroup * 0.7)
  }
  for (const pair of pairs) {
    if (offer.nameStems.includes(pair)) {
      score += 3 * catalog.rarity(pair)
      said.add(pair)
    }
  }
  const saidGroups = new Set([...groups.values()].flat())
  const nameHits = offer.nameStems.filter((word) => said.has(word) || verbGroups(word).some((group) => saidGroups.has(group))).length
  return {
    offer,
    score,
    coverage: content === 0 ? 0 : known / content,
    nameCoverage: offer.nameStems.length === 0 ? 0 : nameHits / offer.nameStems.length,
  }
}
