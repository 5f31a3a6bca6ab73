/** Chooses the tool for a clause: the best ranked whose arguments the clause can fill, or none. */
import { type Catalog, effectOf, looks, type Offer } from './catalog.ts'
import type { Clause } from './clauses.ts'
import { type Filling, fillArguments } from './fill.ts'
import { areSynonyms, isVerb } from './lexicon.ts'
import { type Ranked, rankOffers } from './rank.ts'
import { bodyStart } from './spans.ts'
import { stem, wordsOfName } from './stem.ts'
import { hasExtreme } from './superlatives.ts'
import { isTextual } from './text-kinds.ts'
import { FUNCTION_WORDS, QUESTION_WORDS } from './words.ts'

/** The tool that serves a clause; undefined when none does. */
export function chooseOffer(clause: Clause, catalog: Catalog): Offer | undefined {
  const serving = rankOffers(clause, catalog)
    .slice(0, MOST_TRIED)
    .map((ranked) => ({ ...ranked, filling: fillArguments(ranked.offer, clause, []) }))
    .filter((candidate) => confidence(candidate, clause) >= ENOUGH && isSpokenOf(candidate, clause))
  return best(serving) ?? chooseRecall(clause, catalog) ?? chooseFilter(clause, catalog)
}

/** The best tool even where none serves. */
export function chooseAnyOffer(clause: Clause, catalog: Catalog): Offer | undefined {
  const ranked = rankOffers(clause, catalog).slice(0, MOST_TRIED)
  return best(ranked.map((candidate) => ({ ...candidate, filling: fillArguments(candidate.offer, clause, []) })))
}

/** The weights were fitted on the development half of public cases, for and against a call; then rounded. */
function confidence({ offer, score, coverage, nameCoverage, filling, sharesVerb }: Candidate, clause: Clause): number {
  const isQuestion = asks(clause)
  const isDefinite = clause.tokens[bodyStart(clause.tokens)]?.lower === 'the' && !hasExtreme(clause.tokens)
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
    (sharesVerb && !isDefinite && seeksText(offer, filling) ? SEEKING : 0)
  )
}

interface Candidate extends Ranked {
  readonly filling: Filling
}

const ENOUGH = 3.2
const LIMITED = 3.2
const SEEKING = 2.3
const MOST_TRIED = 5
const SEEK = stem('seek')
const SHOW = stem('enumerate')
const RECALL = stem('recall')
const KEEP = stem('remember')

function best(candidates: readonly Candidate[]): Offer | undefined {
  const rated = candidates.map((candidate) => ({ offer: candidate.offer, score: candidate.score + fitness(candidate) }))
  return rated.reduce<(typeof rated)[number] | undefined>(
    (one, other) => (one === undefined || other.score > one.score ? other : one),
    undefined,
  )?.offer
}

/** How well the clause's values go with the parameters. */
function fitness({ offer, filling: { args, missing } }: Candidate): number {
  const limited = offer.parameters.filter(({ bound, name }) => bound !== undefined && args.has(name)).length
  const identified = offer.parameters.filter(({ identifier, name }) => identifier && args.has(name)).length
  const lacking = missing.reduce((sum, { identifier }) => sum + (identifier ? 0.3 : 1), 0)
  const leading = areSynonyms(stem(wordsOfName(offer.name)[0] ?? ''), SEEK) ? 0.3 : 0
  return leading + limited * 1.5 + identified * 0.8 - lacking
}

/** A tool whose name begins with a verb of seeking and that takes one text: any subject may be sought with it. */
function seeksText({ name, parameters }: Offer, { args, missing }: Filling): boolean {
  const required = parameters.filter((parameter) => parameter.required)
  const takers =
    required.length > 0 ? required : parameters.filter((parameter) => isTextual(parameter) && args.has(parameter.name))
  const verbs = wordsOfName(name).slice(0, 2).map(stem)
  const takesText = takers.length === 1 && takers[0]?.type === 'string' && !takers[0].identifier
  return missing.length === 0 && takesText && verbs.some((verb) => areSynonyms(verb, SEEK))
}

/** "What is my X?" asks for what one's own words left behind: a tool that recalls what its sibling keeps. */
function chooseRecall(clause: Clause, { offers }: Catalog): Offer | undefined {
  if (!asks(clause) || !asksForOwn(clause)) return undefined
  return offers.find((offer) => {
    const [space] = wordsOfName(offer.name)
    const recalls = says(offer, RECALL) && offer.parameters.some(({ required, type }) => required && type === 'string')
    return recalls && offers.some((other) => other !== offer && wordsOfName(other.name)[0] === space && says(other, KEEP))
  })
}

/** A tool that acts and would be called with nothing must know a noun of the clause, when that has one. */
function isSpokenOf({ offer, filling: { args, missing } }: Candidate, { tokens }: Clause): boolean {
  if (args.size > 0 || missing.length > 0 || effectOf(offer) === 'reads') return true
  const isPair = (index: number) => offer.nameStems.includes(stem(`${tokens[index]?.lower}${tokens[index + 1]?.lower}`))
  if (tokens.some((_, index) => isPair(index))) return true
  const verb = tokens.findIndex(({ lower }) => isVerb(lower))
  const nouns = tokens.filter(
    ({ kind, lower, number }, index) => index !== verb && kind === 'word' && number === undefined && !FUNCTION_WORDS.has(lower),
  )
  return nouns.length === 0 || nouns.some((noun) => offer.weights.has(noun.stem))
}

/** "Show some X", "what X do you have?": a tool that looks and has X among its values; else the only one that seeks. */
function chooseFilter(clause: Clause, { offers }: Catalog): Offer | undefined {
  const first = clause.tokens.find(({ lower }) => lower !== 'please')
  const isShow = first !== undefined && (areSynonyms(first.stem, SEEK) || areSynonyms(first.stem, SHOW))
  if (!isShow && first?.lower !== 'what' && first?.lower !== 'which') return undefined
  const fillings = offers
    .filter((offer) => effectOf(offer) === 'reads')
    .map((offer) => ({ offer, filling: fillArguments(offer, clause, []) }))
    .filter(({ filling }) => filling.missing.length === 0 && filling.args.size > 0)
  const chosen = fillings.find(({ offer, filling }) =>
    offer.parameters.some(({ name, choices }) => choices !== undefined && filling.args.has(name)),
  )
  if (chosen !== undefined || !isShow) return chosen?.offer
  const seeking = fillings.filter(({ offer }) => says(offer, SEEK))
  return seeking.length === 1 ? seeking[0]?.offer : undefined
}

function asks({ tokens }: Clause): boolean {
  return QUESTION_WORDS.has(tokens[0]?.lower ?? '') || tokens.at(-1)?.text === '?'
}

/** "my" in any question; "I" in one that asks for a thing, a place, a time or a person. */
function asksForOwn({ tokens }: Clause): boolean {
  const isOpen = OPEN_QUESTIONS.has(tokens[0]?.lower ?? '')
  return tokens.some(({ lower }) => POSSESSIVES.has(lower) || (isOpen && (lower === 'i' || lower === 'we')))
}

const POSSESSIVES = new Set(['my', 'our', 'mine'])
const OPEN_QUESTIONS = new Set(['what', 'which', 'where', 'when', 'who', 'whose'])

function says({ name }: Offer, verb: string): boolean {
  return wordsOfName(name).some((word) => areSynonyms(stem(word), verb))
}
