/** Finds a tool that can provide a missing value. */

import type { Clause } from '../clauses/clauses.ts'
import { isExtremeWord } from '../clauses/superlatives.ts'
import { isAsking, isVerb, verbGroups } from '../words/lexicon.ts'
import type { Token } from '../words/token.ts'
import { placeOfWord } from '../words/words.ts'
import { type Catalog, looks, type Offer, WEIGHTS } from './catalog.ts'
import type { Parameter } from './parameters.ts'

/** Returns the tool that finds the things with the missing id, and doesn't need that id itself. */
export function findProducer(parameter: Parameter, consumer: Offer, clause: Clause, { offers }: Catalog): Offer | undefined {
  if (!parameter.identifier) return undefined
  const own = parameter.stems.slice(0, -1)
  const nouns = own.length > 0 ? own : consumer.nameStems
  const candidates = offers.filter(
    (offer) => offer !== consumer && looks(offer) && mentions(offer, nouns) && !needs(offer, parameter),
  )
  const score = (offer: Offer) =>
    offer.nameStems.filter((word) => nouns.includes(word)).length * 2 +
    (takesText(offer) ? 1 : 0) +
    clause.tokens.filter((token) => offer.nameStems.includes(token.stem)).length
  return candidates.sort((one, other) => score(other) - score(one))[0]
}

/** Returns the clause for the search. Words that choose among results, count them, or name the tool that needs them are removed. */
export function seekingClause(clause: Clause, consumer: Offer): Clause {
  const isNamed = (word: string) =>
    consumer.nameStems.includes(word) && !consumer.parameters.some(({ stems, identifier }) => identifier && stems.includes(word))
  const { tokens } = clause
  const isCount = (index: number) => tokens[index]?.number !== undefined && isVerb(tokens[index - 1]?.lower ?? '')
  const isChoice = (word: string) => isExtremeWord(word) || placeOfWord(word) !== undefined
  const senses = new Set([...consumer.nameGroups, ...consumer.descriptionGroups])
  const isRequest = ({ lower, stem }: Token) =>
    isVerb(lower) && !isAsking(stem) && verbGroups(stem).some((group) => senses.has(group))
  const isSought = (token: Token, index: number) =>
    !isChoice(token.lower) && !isNamed(token.stem) && !isCount(index) && !isRequest(token)
  return { ...clause, tokens: tokens.filter(isSought) }
}

function mentions({ weights }: Offer, nouns: readonly string[]): boolean {
  return nouns.some((noun) => (weights.get(noun) ?? 0) >= WEIGHTS.description)
}

function needs({ parameters }: Offer, { name }: Parameter): boolean {
  return parameters.some((parameter) => parameter.required && (parameter.name === name || parameter.identifier))
}

function takesText({ parameters }: Offer): boolean {
  return parameters.some(({ type, identifier }) => type === 'string' && !identifier)
}
