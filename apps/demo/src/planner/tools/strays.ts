/** Detects a tool that would use the name of another tool's subject as a value. */

import type { Clause } from '../clauses/clauses.ts'
import { saysMy } from '../clauses/questions.ts'
import { isVerb, verbGroups } from '../words/lexicon.ts'
import { stem, stemsOf, wordsOfName } from '../words/stem.ts'
import { FUNCTION_WORDS } from '../words/words.ts'
import { effectOf, type Offer } from './catalog.ts'
import { type Candidate, isLikeExample } from './choose-by-values.ts'
import { OWNER } from './rank.ts'

/** Returns true if another tool is a better match, because of the value that this tool takes or because of the nouns in the clause. */
export function isStray(candidate: Candidate, all: readonly Candidate[], clause: Clause): boolean {
  const rules = [mistakesName, takesName, isOfOtherThing, leavesId, listsOthers, takesOnlyOne, takesOtherId]
  return rules.some((rule) => rule(candidate, all, clause))
}

/**
 * Returns true for a tool that would list the wrong things. "All drawings" refers to the tool that is named after drawings, and "my
 * drawings" to the tool that knows drawings of the user.
 */
function listsOthers({ offer, filling: { args } }: Candidate, all: readonly Candidate[], clause: Clause): boolean {
  if (effectOf(offer) !== 'reads' || args.size > 0) return false
  const nouns = clause.tokens.filter(({ kind, lower }) => kind === 'word' && !FUNCTION_WORDS.has(lower) && !isVerb(lower))
  const isAbout = (other: Offer) => nouns.some((noun) => nounsOf(other).includes(noun.stem))
  const others = all.flatMap(({ offer: other, filling }) =>
    other !== offer && effectOf(other) === 'reads' && filling.missing.length === 0 && filling.args.size === 0 ? [other] : [],
  )
  if (saysMy(clause))
    return (
      !offer.weights.has(OWNER) &&
      others.some((other) => other.weights.has(OWNER) && nouns.length > 0 && nouns.every((noun) => other.weights.has(noun.stem)))
    )
  const isWhole = clause.tokens.some(({ lower }) => lower === 'all')
  return isWhole && !isAbout(offer) && others.some(isAbout)
}

/** Returns true if another tool knows more words of the clause, and the id looks like the example of that tool: "Delete drawing DRW-1". */
function takesOtherId({ offer, coverage, filling: { args } }: Candidate, all: readonly Candidate[]): boolean {
  const isLike = (one: Candidate) => one.offer.parameters.find((parameter) => isLikeExample(parameter, one.filling.args))
  if (offer.parameters.some((parameter) => isLikeExample(parameter, args))) return false
  return all.some((other) => {
    const parameter = other.coverage > coverage ? isLike(other) : undefined
    return parameter !== undefined && [...args.values()].includes(other.filling.args.get(parameter.name))
  })
}

/** Returns true for a tool that needs an id, if another tool does the same for everything: "Order everything in my bag". */
function takesOnlyOne({ offer, filling: { missing } }: Candidate, all: readonly Candidate[], { tokens }: Clause): boolean {
  if (effectOf(offer) !== 'acts' || !missing.some(({ identifier }) => identifier)) return false
  if (!tokens.some(({ lower }) => lower === 'everything')) return false
  const senses = tokens.filter(({ lower }) => isVerb(lower)).flatMap((token) => verbGroups(token.stem))
  return all.some(
    ({ offer: other, filling }) =>
      effectOf(other) === 'acts' &&
      filling.missing.length === 0 &&
      !other.parameters.some(({ identifier }) => identifier) &&
      senses.some((sense) => other.descriptionGroups.has(sense)) &&
      tokens.some((token) => nounsOf(offer).includes(token.stem) && other.weights.has(token.stem)),
  )
}

/**
 * Returns true if the value of a parameter with lower-case examples is a capitalized name, and another tool with all its values accepts
 * the name. Example: "Send 5 to Anna", if this tool needs a list such as "inbox" and another one needs a person.
 */
function mistakesName({ offer, filling: { args, sure } }: Candidate, all: readonly Candidate[]): boolean {
  if (effectOf(offer) !== 'acts') return false
  return offer.parameters.some(({ name, type, description }) => {
    const value = args.get(name)
    if (type !== 'string' || sure.has(name) || typeof value !== 'string' || !/^\p{Lu}\p{Ll}/u.test(value)) return false
    const takes = ({ offer: other, filling }: Candidate) =>
      other.parameters.some((one) => filling.args.get(one.name) === value && !EXAMPLE.test(one.description))
    return (
      EXAMPLE.test(description) &&
      all.some(
        (other) =>
          other.offer !== offer && effectOf(other.offer) === 'acts' && other.filling.missing.length === 0 && takes(other),
      )
    )
  })
}

/** Matches an example in lower case, in quotation marks. */
const EXAMPLE = /"\p{Ll}+"/u

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

/** Returns true if a reading tool has no parameter for an id that another reading tool accepts. */
function leavesId({ offer, filling: { args } }: Candidate, all: readonly Candidate[], { tokens }: Clause): boolean {
  if (effectOf(offer) !== 'reads') return false
  const left = tokens.filter(({ kind, text }) => kind === 'id' && ![...args.values()].includes(text))
  return left.some(({ text }) =>
    all.some(({ offer: other, filling }) => effectOf(other) === 'reads' && [...filling.args.values()].includes(text)),
  )
}

/**
 * Returns true if the other tool may serve the clause instead. A reading tool is replaced only by another reading tool that has all
 * required values. An acting tool is replaced by any other tool.
 */
function mayServe({ offer, filling: { missing } }: Candidate, instead: Offer): boolean {
  return offer !== instead && (effectOf(instead) === 'acts' || (effectOf(offer) === 'reads' && missing.length === 0))
}

function nounsOf({ name }: Offer): readonly string[] {
  const words = wordsOfName(name)
  return words.filter((word, index) => index > 0 || !isVerb(word)).map(stem)
}
