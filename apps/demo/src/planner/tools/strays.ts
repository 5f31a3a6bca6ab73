/** Detects a tool that would mistake the name of another tool's subject for a value. */

import type { Clause } from '../clauses/clauses.ts'
import { isVerb } from '../words/lexicon.ts'
import { stem, stemsOf, wordsOfName } from '../words/stem.ts'
import { FUNCTION_WORDS } from '../words/words.ts'
import { effectOf, type Offer } from './catalog.ts'
import type { Candidate } from './choose-by-values.ts'

/** Returns true if another tool is a better match, because of the value that this tool takes or because of the nouns in the clause. */
export function isStray(candidate: Candidate, all: readonly Candidate[], clause: Clause): boolean {
  return takesName(candidate, all) || isOfOtherThing(candidate, all, clause) || leavesId(candidate, all, clause)
}

/**
 * Returns true if the value names what another tool works with. Example: "Show my drawings", if this tool shows a file and another one
 * lists drawings.
 */
function takesName({ offer, filling: { args, sure } }: Candidate, all: readonly Candidate[]): boolean {
  return offer.parameters.some(({ name, type, choices }) => {
    const value = args.get(name)
    if (type !== 'string' || choices !== undefined || sure.has(name) || typeof value !== 'string') return false
    const words = stemsOf(value).filter((word) => !FUNCTION_WORDS.has(word) && !offer.nameStems.includes(word))
    return (
      words.length > 0 &&
      all.some((other) => mayServe(other, offer) && words.every((word) => nounsOf(other.offer).includes(word)))
    )
  })
}

/** Returns true if only another tool knows the nouns of the clause. Example: "Delete my drawings", if this tool deletes sketches by id. */
function isOfOtherThing({ offer, filling: { missing } }: Candidate, all: readonly Candidate[], { tokens }: Clause): boolean {
  if (effectOf(offer) !== 'acts' || missing.length === 0) return false
  const nouns = tokens.filter(({ kind, lower }) => kind === 'word' && !FUNCTION_WORDS.has(lower) && !isVerb(lower))
  const isKnown = nouns.some((noun) => offer.weights.has(noun.stem))
  return !isKnown && nouns.some((noun) => all.some((other) => nounsOf(other.offer).includes(noun.stem)))
}

/** Returns true if a reading tool has no place for an id that another reading tool takes. */
function leavesId({ offer, filling: { args } }: Candidate, all: readonly Candidate[], { tokens }: Clause): boolean {
  if (effectOf(offer) !== 'reads') return false
  const left = tokens.filter(({ kind, text }) => kind === 'id' && ![...args.values()].includes(text))
  return left.some(({ text }) =>
    all.some(({ offer: other, filling }) => effectOf(other) === 'reads' && [...filling.args.values()].includes(text)),
  )
}

/**
 * Returns true if the other tool may serve the clause instead. A reading tool gives way to another reading tool that has all required
 * values, and an acting tool to any other tool.
 */
function mayServe({ offer, filling: { missing } }: Candidate, instead: Offer): boolean {
  return offer !== instead && (effectOf(instead) === 'acts' || (effectOf(offer) === 'reads' && missing.length === 0))
}

function nounsOf({ name }: Offer): readonly string[] {
  const words = wordsOfName(name)
  return words.filter((word, index) => index > 0 || !isVerb(word)).map(stem)
}
