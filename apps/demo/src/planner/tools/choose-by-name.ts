/** Chooses a tool for a question about a thing that the user names instead of giving its id. */

import type { Clause } from '../clauses/clauses.ts'
import { asks } from '../clauses/questions.ts'
import { heldIn } from '../obstacles.ts'
import { unknownWordIn } from '../unknown-words.ts'
import { isAsking } from '../words/lexicon.ts'
import { stem } from '../words/stem.ts'
import { type Catalog, effectOf, type Offer } from './catalog.ts'
import type { Candidate } from './choose-by-values.ts'
import { nameIn, properNameIn, searchParameter } from './names.ts'
import { findProducer } from './producers.ts'

/**
 * Finds the reading tools that lack nothing but the id of the named thing and know every other word that matters, best first. Another tool
 * must be able to find that id.
 */
export function chooseByName(clause: Clause, candidates: readonly Candidate[], catalog: Catalog): readonly Offer[] {
  const [first] = clause.tokens
  if (PERSONAL.has(first?.lower ?? '')) return []
  if (!asks(clause) && !clause.tokens.slice(0, 2).some(({ stem }) => isAsking(stem))) return []
  const able = candidates.filter(({ offer, coverage, filling: { args, missing } }) => {
    if (effectOf(offer) !== 'reads' || missing.length === 0 || !missing.every(({ identifier }) => identifier)) return false
    const name = coverage > 0 ? nameIn(clause, offer) : properNameIn(clause)
    if (name === undefined || (first?.lower === 'when' && !TIMES.some((word) => offer.weights.has(word)))) return false
    const held = heldIn([...args.values(), name], offer, [])
    const isFound = missing.every((parameter) => {
      const producer = findProducer(parameter, offer, clause, catalog)
      return producer !== undefined && searchParameter(producer) !== undefined
    })
    return isFound && unknownWordIn(clause, offer, held, held, true) === undefined
  })
  return able.map(({ offer }) => offer)
}

/** Questions about a person, a place or a reason. */
const PERSONAL = new Set(['who', 'whom', 'whose', 'where', 'why'])
const TIMES = ['date', 'time'].map(stem)
