/** Chooses a tool by the values in a clause, if the words of the clause hardly describe a tool. */

import type { Clause } from '../clauses/clauses.ts'
import { asks, asksWhatIs, saysMy } from '../clauses/questions.ts'
import type { Filling } from '../fill/fill.ts'
import { areSynonyms, isAsking, isVerb } from '../words/lexicon.ts'
import { stem } from '../words/stem.ts'
import { DETERMINERS, WISHES } from '../words/words.ts'
import { effectOf, type Offer } from './catalog.ts'
import type { Parameter } from './parameters.ts'
import { OWNER, type Ranked } from './rank.ts'

/** A tool with the arguments from a clause. */
export interface Candidate extends Ranked {
  readonly filling: Filling
}

/** Finds the reading tool that takes the most values from the clause. If `isOnlySure` is true, all its required values must be certain. */
export function chooseByValues(clause: Clause, candidates: readonly Candidate[], isOnlySure: boolean): Offer | undefined {
  const verb = clause.tokens.find(({ lower }) => !POLITE.has(lower))?.stem ?? ''
  const isShow = isAsking(verb) || areSynonyms(verb, SEEK) || areSynonyms(verb, SHOW)
  const isVerbless = !clause.tokens.some(({ lower, stem }) => isVerb(lower) || WISHES.has(lower) || areSynonyms(stem, stem))
  const isOpen = isShow || isVerbless || (asks(clause) && clause.tokens[1]?.lower !== 'you')
  const isNamed = ({ offer, filling: { args, sure }, score, coverage }: Candidate) => {
    const required = offer.parameters.filter((parameter) => parameter.required)
    if (required.length === 0)
      return (
        isOpen &&
        (offer.parameters.some(({ name, choices }) => choices !== undefined && sure.has(name)) || isAllSure(offer, args, sure))
      )
    if (required.every(({ name }) => sure.has(name)))
      return (isOpen && (score > 0 || required.some((one) => isLikeExample(one, args)))) || required.length > 1
    if (isOnlySure) return false
    return isOpen && score > 0 && saysMy(clause) && offer.weights.has(OWNER) && (coverage > 0 || !asksWhatIs(clause))
  }
  return filled(candidates)
    .sort((one, other) => other.filling.args.size - one.filling.args.size)
    .find(isNamed)?.offer
}

/**
 * Handles clauses without a verb, such as "I would like 2 seats of A-1". Finds the only tool that knows all words of the clause and takes
 * all values by name.
 */
export function chooseWished(clause: Clause, candidates: readonly Candidate[]): Offer | undefined {
  const wish = clause.tokens.findIndex(({ lower }) => WISHES.has(lower))
  const object = clause.tokens[wish + 1]
  if (wish < 0 || (object?.number === undefined && !DETERMINERS.has(object?.lower ?? ''))) return undefined
  if (clause.tokens.some(({ lower }) => isVerb(lower) && !WISHES.has(lower))) return undefined
  const able = filled(candidates, ['acts', 'unknown']).filter(
    ({ filling: { args, sure }, coverage }) =>
      coverage === 1 && args.size > 1 && [...args.keys()].every((name) => sure.has(name)),
  )
  return able.length === 1 ? able[0]?.offer : undefined
}

/** Returns true if all values are certain and at least one of them is a string. */
function isAllSure({ parameters }: Offer, args: Filling['args'], sure: Filling['sure']): boolean {
  return (
    [...args.keys()].every((name) => sure.has(name)) && parameters.some(({ name, type }) => type === 'string' && sure.has(name))
  )
}

/** Returns true for an id with the same letters as the example in the description: "LMP-7" if the description contains "LMP-1". */
export function isLikeExample({ name, identifier, description }: Parameter, args: Filling['args']): boolean {
  const letters = /^\p{L}+[-_]?(?=\d)/u.exec(String(args.get(name)))?.[0]
  return identifier && letters !== undefined && description.includes(`"${letters}`)
}

const POLITE = new Set(['please', 'can', 'could', 'will', 'would', 'you'])
const SEEK = stem('seek')
const SHOW = stem('enumerate')

/** Returns the tools that take a value from the clause and have all required values. Their effect must be in `effects`. */
function filled(candidates: readonly Candidate[], effects: readonly string[] = ['reads']): Candidate[] {
  return candidates.filter(
    ({ offer, filling: { args, missing } }) => effects.includes(effectOf(offer)) && missing.length === 0 && args.size > 0,
  )
}
