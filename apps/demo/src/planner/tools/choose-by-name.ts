/** Chooses a tool for a clause about a thing that the user names instead of giving its id. */

import type { Clause } from '../clauses/clauses.ts'
import { findQuantities } from '../clauses/quantities.ts'
import { asks } from '../clauses/questions.ts'
import type { Filling } from '../fill/fill.ts'
import { heldIn } from '../obstacles.ts'
import { unknownWordIn } from '../unknown-words.ts'
import { isAsking, isVerb, verbGroups } from '../words/lexicon.ts'
import { stem } from '../words/stem.ts'
import { FUNCTION_WORDS, LIGHT_WORDS, WISHES } from '../words/words.ts'
import { type Catalog, effectOf, type Offer } from './catalog.ts'
import type { Candidate } from './choose-by-values.ts'
import { nameIn, properNameIn, searchParameter } from './names.ts'
import type { Parameter } from './parameters.ts'
import { findProducer } from './producers.ts'

/**
 * Finds the reading tools that need only the id of the named thing, and that know every other word that matters, best first. Another tool
 * must be able to find that id.
 */
export function chooseByName(clause: Clause, candidates: readonly Candidate[], catalog: Catalog): readonly Offer[] {
  const [first, second] = clause.tokens
  if (PERSONAL.has(first?.lower ?? '')) return []
  if (!asks(clause) && ![first, second].some((token) => isAsking(token?.stem ?? ''))) return []
  const able = candidates.filter(({ offer, coverage, filling }) => {
    const name = coverage > 0 ? nameIn(clause, offer) : isPlain(clause) ? properNameIn(clause) : undefined
    if (effectOf(offer) !== 'reads' || name === undefined) return false
    if (first?.lower === 'when' && !TIMES.some((word) => offer.weights.has(word))) return false
    const held = heldIn([...filling.args.values(), name], offer, [])
    return (
      findQuantities(clause.tokens).every(({ value }) => held.has(value)) &&
      canFind(filling, offer, clause, catalog) &&
      unknownWordIn(clause, offer, held, held, true) === undefined
    )
  })
  return able.map(({ offer }) => offer)
}

/**
 * Finds the only acting tool that needs only the id of the named thing. Its description must contain the verb of the clause and all other
 * words that matter.
 */
export function chooseActByName(clause: Clause, candidates: readonly Candidate[], catalog: Catalog): Offer | undefined {
  const name = properNameIn(clause)
  const verb = clause.tokens.find(({ lower }) => isVerb(lower) && !WISHES.has(lower))
  if (name === undefined || verb === undefined || isAsking(verb.stem)) return undefined
  const [only, ...others] = candidates.filter(({ offer, filling }) => {
    const held = heldIn([...filling.args.values(), name], offer, [])
    const isSaid = offer.weights.has(verb.stem) || verbGroups(verb.stem).some((group) => offer.descriptionGroups.has(group))
    return (
      effectOf(offer) === 'acts' &&
      isSaid &&
      canFind(filling, offer, clause, catalog) &&
      unknownWordIn(clause, offer, held, held) === undefined
    )
  })
  return others.length === 0 ? only?.offer : undefined
}

/** Returns true if only small words and verbs such as "tell" and "show" are outside the name. */
function isPlain({ tokens }: Clause): boolean {
  return tokens.every(
    ({ kind, lower, text, stem: own }) =>
      kind !== 'word' || FUNCTION_WORDS.has(lower) || LIGHT_WORDS.has(lower) || isAsking(own) || /^\p{Lu}/u.test(text),
  )
}

/** Returns true if only ids are missing, and another tool can search for them. */
function canFind({ missing }: Filling, offer: Offer, clause: Clause, catalog: Catalog): boolean {
  const isFound = (parameter: Parameter) => {
    const producer = parameter.identifier ? findProducer(parameter, offer, clause, catalog) : undefined
    return producer !== undefined && searchParameter(producer) !== undefined
  }
  return missing.length > 0 && missing.every(isFound)
}

/** Questions about a person, a place or a reason. */
const PERSONAL = new Set(['who', 'whom', 'whose', 'where', 'why'])
const TIMES = ['date', 'time'].map(stem)
