/** Detects a tool that would mistake another tool's name for a value. */

import type { Clause } from '../clauses/clauses.ts'
import { isVerb } from '../words/lexicon.ts'
import { stem, stemsOf, wordsOfName } from '../words/stem.ts'
import { FUNCTION_WORDS } from '../words/words.ts'
import { effectOf, type Offer } from './catalog.ts'
import type { Candidate } from './choose-by-values.ts'

/** True when another tool is a better match: by the value that this one takes, or, without one, by the nouns of the clause. */
export function isStray(candidate: Candidate, all: readonly Candidate[], clause: Clause): boolean {
  return takesName(candidate, all) || isOfOtherThing(candidate, all, clause)
}

/** "Show my drawings" for a tool that shows what a string names, where another lists drawings. */
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

/** "Delete my drawings" for a tool that deletes sketches by id and knows no drawings, where another tool does. */
function isOfOtherThing({ offer, filling: { missing } }: Candidate, all: readonly Candidate[], { tokens }: Clause): boolean {
  if (effectOf(offer) !== 'acts' || missing.length === 0) return false
  const nouns = tokens.filter(({ kind, lower }) => kind === 'word' && !FUNCTION_WORDS.has(lower) && !isVerb(lower))
  const isKnown = nouns.some((noun) => offer.weights.has(noun.stem))
  return !isKnown && nouns.some((noun) => all.some((other) => nounsOf(other.offer).includes(noun.stem)))
}

/** A reading tool yields to another reading tool with all its values. An acting tool yields to any. */
function mayServe({ offer, filling: { missing } }: Candidate, instead: Offer): boolean {
  return offer !== instead && (effectOf(instead) === 'acts' || (effectOf(offer) === 'reads' && missing.length === 0))
}

function nounsOf({ name }: Offer): readonly string[] {
  const words = wordsOfName(name)
  return words.filter((word, index) => index > 0 || !isVerb(word)).map(stem)
}
