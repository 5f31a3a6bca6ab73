/** Chooses the tool that serves a clause, if any. */

import type { Clause } from '../clauses/clauses.ts'
import { isPredicate } from '../clauses/predicates.ts'
import { asks, asksForOwn, asksWhatIs } from '../clauses/questions.ts'
import { type Filling, fillArguments } from '../fill/fill.ts'
import { isTextual } from '../fill/text-kinds.ts'
import { heldIn } from '../obstacles.ts'
import { unknownWordIn } from '../unknown-words.ts'
import { areSynonyms, isAsking, isVerb } from '../words/lexicon.ts'
import { stem, wordsOfName } from '../words/stem.ts'
import { FUNCTION_WORDS, PRONOUNS, WISHES } from '../words/words.ts'
import { type Catalog, effectOf, looks, type Offer } from './catalog.ts'
import { chooseActByName, chooseByName } from './choose-by-name.ts'
import { type Candidate, chooseByValues, chooseWished } from './choose-by-values.ts'
import { rankOffers } from './rank.ts'
import { isStray } from './strays.ts'

/**
 * Returns the best-ranked tool that has enough evidence in the clause, or undefined. If two tools are equally good, prefers the one that
 * is about the same thing as the tool of the previous clause.
 */
export function chooseOffer(clause: Clause, catalog: Catalog, before?: Offer): Offer | undefined {
  const all = rankOffers(clause, catalog).map((one) => ({ ...one, filling: fillArguments(one.offer, clause, []) }))
  const ranked = all.filter((candidate) => !isStray(candidate, all, clause))
  const serving = ranked
    .slice(0, MOST_TRIED)
    .filter((candidate) => confidence(candidate, clause) >= ENOUGH && isSpokenOf(candidate, clause))
  const chosen = best(serving, before)
  const isLacking = serving.some(({ offer, filling: { missing } }) => offer === chosen && missing.length > 0)
  if (chosen !== undefined && !isLacking && !(chosen.parameters.length === 0 && looks(chosen))) return chosen
  const understood = chosen === undefined ? (chooseRecall(clause, catalog) ?? chooseUnderstood(clause, ranked)) : undefined
  return (
    understood ??
    chooseByValues(clause, ranked, chosen !== undefined) ??
    chosen ??
    chooseWished(clause, ranked) ??
    chooseByName(clause, ranked, catalog)[0] ??
    chooseActByName(clause, ranked, catalog)
  )
}

/** Chooses the only reading tool that knows all words of a question that matter. All its values must be certain. */
function chooseUnderstood(clause: Clause, ranked: readonly Candidate[]): Offer | undefined {
  if (!asks(clause) || clause.tokens.some(({ lower }) => PRONOUNS.has(lower))) return undefined
  const able = ranked.filter(({ offer, coverage, filling: { args, sure, missing } }) => {
    if (effectOf(offer) !== 'reads' || coverage === 0 || missing.length > 0 || args.size > sure.size) return false
    const held = heldIn([...args.values()], offer, [])
    return unknownWordIn(clause, offer, held, held, true) === undefined
  })
  const [first, second] = able
  return first !== undefined && first.score > (second?.score ?? 0) ? first.offer : undefined
}

/** Returns the tools that may serve a question about a named thing. */
export function offersByName(clause: Clause, catalog: Catalog): readonly Offer[] {
  const all = rankOffers(clause, catalog).map((one) => ({ ...one, filling: fillArguments(one.offer, clause, []) }))
  return chooseByName(clause, all, catalog)
}

/** Returns the best tool, even if it doesn't serve the clause. */
export function chooseAnyOffer(clause: Clause, catalog: Catalog): Offer | undefined {
  const ranked = rankOffers(clause, catalog).slice(0, MOST_TRIED)
  return best(ranked.map((candidate) => ({ ...candidate, filling: fillArguments(candidate.offer, clause, []) })))
}

/** Scores how well the tool fits the clause. The weights were fitted to the development half of public cases, then rounded. */
function confidence({ offer, score, coverage, nameCoverage, filling, sharesVerb }: Candidate, clause: Clause): number {
  const isQuestion = asks(clause)
  const { args, missing } = filling
  const required = offer.parameters.filter((parameter) => parameter.required)
  const filled = (types: readonly string[]) => required.some(({ name, type }) => types.includes(type) && args.has(name))
  const isLacking = missing.some(({ identifier }) => !identifier)
  const limits = offer.parameters.filter(({ bound, name }) => bound !== undefined && args.has(name)).length
  return (
    0.13 * Math.min(score, 12) +
    0.9 * Math.min(score, 3) +
    0.25 * nameCoverage +
    0.6 * coverage +
    (isLacking ? (isQuestion && !looks(offer) ? -1 : 0) + 1.5 * nameCoverage - 1.7 : 0) +
    (filled(['integer', 'number']) ? 0.45 : 0) +
    (required.length > 0 ? 0 : args.size === 0 && offer.parameters.length > 0 && !looks(offer) ? -1 : 0.6) +
    (limits > 0 ? (missing.length === 0 && looks(offer) ? LIMITED : 1.2) : 0) +
    (required.length === 0 && args.size > 1 ? 1.2 : 0) +
    (sharesVerb ? 0.5 : 0) +
    (sharesVerb && seeksText(offer, filling) ? SEEKING : 0)
  )
}

const ENOUGH = 3.2
const LIMITED = 3.2
const SEEKING = 2.3
const MOST_TRIED = 5
const SEEK = stem('seek')
const RECALL = stem('recall')
const KEEP = stem('remember')

/**
 * Returns the tool with the highest score. Returns undefined if several acting tools have that score and the clause doesn't contain their
 * verb.
 */
function best(candidates: readonly Candidate[], before?: Offer): Offer | undefined {
  const scores = candidates.map((candidate) => candidate.score + fitness(candidate))
  const equal = candidates.filter((_, index) => scores[index] === Math.max(...scores))
  const same = equal.filter(({ offer }) => offer.nameStems.some((word) => before?.nameStems.includes(word)))
  const [first, second] = same.length > 0 ? same : equal
  const isEither = second !== undefined && first !== undefined && !first.sharesVerb && effectOf(first.offer) !== 'reads'
  return isEither ? undefined : first?.offer
}

/** Scores how well the clause's values match the parameters. */
function fitness({ offer, filling: { args, missing } }: Candidate): number {
  const limited = offer.parameters.filter(({ bound, name }) => bound !== undefined && args.has(name)).length
  const identified = offer.parameters.filter(({ identifier, name }) => identifier && args.has(name)).length
  const lacking = missing.reduce((sum, { identifier }) => sum + (identifier ? 0.3 : 1), 0)
  const leading = areSynonyms(stem(wordsOfName(offer.name)[0] ?? ''), SEEK) ? 0.3 : 0
  return leading + limited * 1.5 + identified * 0.8 - lacking
}

/** Returns true for a tool that can search for any subject: its name starts with a search verb, and it takes one string. */
function seeksText({ name, parameters }: Offer, { args, missing }: Filling): boolean {
  const required = parameters.filter((parameter) => parameter.required)
  const takers =
    required.length > 0 ? required : parameters.filter((parameter) => isTextual(parameter) && args.has(parameter.name))
  const verbs = wordsOfName(name).slice(0, 2).map(stem)
  const takesText = takers.length === 1 && takers[0]?.type === 'string' && !takers[0].identifier
  return missing.length === 0 && takesText && verbs.some((verb) => areSynonyms(verb, SEEK))
}

/**
 * Chooses a tool for "What is my X?", which asks for something stored earlier: the tool must recall what another tool of its set stores.
 */
function chooseRecall(clause: Clause, { offers }: Catalog): Offer | undefined {
  if (
    !asksWhatIs(clause) &&
    !(asksForOwn(clause) && clause.tokens.some(({ lower }) => isVerb(lower) && areSynonyms(stem(lower), KEEP)))
  )
    return undefined
  return offers.find((offer) => {
    const [space] = wordsOfName(offer.name)
    const recalls = says(offer, RECALL) && offer.parameters.some(({ required, type }) => required && type === 'string')
    return recalls && offers.some((other) => other !== offer && wordsOfName(other.name)[0] === space && says(other, KEEP))
  })
}

/**
 * Returns true for a reading tool. An acting tool must know the verb of the request. If it gets no arguments, it must also know every
 * noun of the clause.
 */
function isSpokenOf({ offer, sharesVerb, filling: { args, missing } }: Candidate, { tokens }: Clause): boolean {
  if (effectOf(offer) === 'reads') return true
  const wished = tokens.find((_, index) => tokens[index - 1]?.lower === 'to' && WISHES.has(tokens[index - 2]?.lower ?? ''))
  if (wished !== undefined && !sharesVerb && !offer.weights.has(wished.stem) && !isAsking(wished.stem)) return false
  if (args.size > 0 || missing.length > 0) return true
  const isPair = (index: number) => offer.nameStems.includes(stem(`${tokens[index]?.lower}${tokens[index + 1]?.lower}`))
  if (tokens.some((_, index) => isPair(index))) return true
  const verb = tokens.findIndex(({ lower }) => isVerb(lower))
  const nouns = tokens.filter(
    ({ kind, lower, number }, index) =>
      index !== verb && kind === 'word' && number === undefined && !FUNCTION_WORDS.has(lower) && !isPredicate(tokens, index),
  )
  const hasValue = tokens.some(({ kind }) => kind === 'quote' || kind === 'id')
  return !hasValue && nouns.every((noun) => offer.weights.has(noun.stem))
}

function says({ name }: Offer, verb: string): boolean {
  return wordsOfName(name).some((word) => areSynonyms(stem(word), verb))
}
