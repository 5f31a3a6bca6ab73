/** Finds verbs that only describe a thing, and so can't be values. */
import { isVerb } from '../words/lexicon.ts'
import type { Token } from '../words/token.ts'
import { FUNCTION_WORDS, PREPOSITIONS } from '../words/words.ts'
import { isCapital } from './spans.ts'

/**
 * Returns true for the verb of a relative clause, a participle, or the verb of a question, as in "lamps that cost 5", "all that you have
 * kept", "which are waiting", "lamps do you sell" and "lamps you sell".
 */
export function isPredicate(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  if (token?.kind !== 'word' || isCapital(token) || token.number !== undefined || FUNCTION_WORDS.has(token.lower)) return false
  if (PERSONS.has(tokens[index - 1]?.lower ?? '') && REPORTERS.has(tokens[index - 2]?.lower ?? '')) return true
  if (tokens[index - 1]?.lower === 'you' && isNoun(tokens[index - 2]) && endsHere(tokens[index + 1])) return true
  let before = index - 1
  while (before > Math.max(0, index - MOST_BETWEEN) && AUXILIARIES.has(tokens[before]?.lower ?? '')) before--
  if (BE.has(tokens[index - 1]?.lower ?? '')) return token.lower.endsWith('ing')
  if (before < 1 || !RELATIVES.has(tokens[before]?.lower ?? '')) return false
  const noun = tokens[before - 1]
  const isThing = !FUNCTION_WORDS.has(noun?.lower ?? '') || WHOLES.has(noun?.lower ?? '')
  const isRelative = noun?.kind === 'word' && isThing && !isVerb(noun.lower) && !isCapital(noun)
  return isRelative && (before < index - 1 || endsHere(tokens[index + 1]))
}

function isNoun(token: Token | undefined): boolean {
  return token?.kind === 'word' && !FUNCTION_WORDS.has(token.lower) && !isVerb(token.lower)
}

function endsHere(next: Token | undefined): boolean {
  return (
    next === undefined ||
    next.kind !== 'word' ||
    next.number !== undefined ||
    PREPOSITIONS.has(next.lower) ||
    PARTICLES.has(next.lower)
  )
}

const PARTICLES = new Set(['out', 'up', 'down', 'off', 'away', 'back'])
const MOST_BETWEEN = 5
const BE = new Set(['is', 'are', 'am', 'was', 'were', 'be', 'been'])
const AUXILIARIES = new Set([...BE, ...'i you we they he she it have has had do does did can could will would'.split(' ')])
const PERSONS = new Set(['i', 'you', 'we', 'they', 'he', 'she', 'it'])
/** Auxiliaries of questions. Those of requests, as in "could you find", aren't among them. */
const REPORTERS = new Set(['do', 'does', 'did', 'have', 'has', 'had'])
const WHOLES = new Set(['all', 'everything', 'anything', 'something', 'those'])
const RELATIVES = new Set(['that', 'which', 'who'])
