/** Assigns a clause's numbers to the numeric parameters of a tool. */

import type { Quantity } from '../clauses/quantities.ts'
import type { Parameter } from '../tools/parameters.ts'
import { isVerb } from '../words/lexicon.ts'
import type { Token } from '../words/token.ts'
import { FUNCTION_WORDS } from '../words/words.ts'

export interface NumberMatch {
  readonly parameter: Parameter
  readonly quantity: Quantity
  readonly value: number
}

/**
 * Returns the best assignment, judged by the words around each number and by its limit. If those don't decide, numbers are assigned in
 * order.
 */
export function matchNumbers(
  parameters: readonly Parameter[],
  spoken: readonly Quantity[],
  tokens: readonly Token[],
): NumberMatch[] {
  const numeric = parameters.filter(({ type, choices }) => (type === 'integer' || type === 'number') && choices === undefined)
  if (numeric.length === 0 || spoken.length === 0) return []
  const free = numeric.some(({ required }) => required) ? spoken : spoken.filter(({ index }) => !isOfName(tokens, index))
  const rest = free.length > 0 ? free : spoken
  const exact = rest.filter(({ exact }) => exact)
  const quantities = exact.length >= numeric.filter(({ required }) => required).length && exact.length > 0 ? exact : rest
  const inOrder = matchListed(numeric, quantities, tokens)
  if (inOrder !== undefined) return inOrder
  const loose = numeric.filter(({ bound, identifier }) => bound === undefined && !identifier)
  const isAlone = loose.length === 1 && quantities.length === 1
  /**
   * Returns the penalty for an unsuitable number. If the clause has only one number, the number gets no penalty: it is passed unchanged,
   * and the tool can refuse it.
   */
  const misfit = (parameter: Parameter, quantity: Quantity) =>
    isAlone && loose[0] === parameter ? 0 : misfitOf(parameter, quantity)
  const pairs = numeric.flatMap((parameter, place) =>
    quantities.map((quantity, rank) => ({
      parameter,
      quantity,
      score: rate(parameter, place, quantity, rank, numeric, tokens) + misfit(parameter, quantity),
    })),
  )
  pairs.sort((one, other) => other.score - one.score)
  const matches: NumberMatch[] = []
  for (const { parameter, quantity, score } of pairs) {
    const isOnly = isAlone && loose[0] === parameter
    if (score < (parameter.required ? REQUIRED_SCORE : isOnly ? 0 : OPTIONAL_SCORE)) continue
    if (quantity.ranged && !takesRange(parameter, quantity, numeric, tokens)) continue
    if (matches.some((match) => match.parameter === parameter || match.quantity === quantity)) continue
    matches.push({ parameter, quantity, value: valueFor(parameter, quantity) })
  }
  return matches
}

/** Returns true if the parameter may take one end of a range, e.g. because another parameter takes the other one. */
function takesRange(parameter: Parameter, { index }: Quantity, numeric: readonly Parameter[], tokens: readonly Token[]): boolean {
  const own = (stems: readonly string[]) => stems.slice(1).join(' ')
  const isTwin = (other: Parameter) =>
    other !== parameter &&
    other.bound !== undefined &&
    other.bound !== parameter.bound &&
    own(other.stems) === own(parameter.stems)
  return parameter.bound === undefined || numeric.some(isTwin) || nearness(parameter, index, tokens, numeric) > 0
}

/** Scores how close a number is to words of the parameter. Closer numbers get a higher score. */
function nearness(parameter: Parameter, index: number, tokens: readonly Token[], others: readonly Parameter[]): number {
  let score = 0
  let crossed = 1
  for (let back = 1; back <= 6 && index - back >= 0; back++) {
    const token = tokens[index - back] as Token
    if (token.number !== undefined) crossed *= 0.4
    if (token.kind === 'sign' && token.text === ',') crossed *= 0.6
    score = Math.max(score, (crossed * affinity(parameter, token, others)) / (0.7 + back * 0.3))
  }
  crossed = 0.9
  for (let ahead = 1; ahead <= 3 && index + ahead < tokens.length; ahead++) {
    const token = tokens[index + ahead] as Token
    if (token.kind === 'sign' || token.number !== undefined) crossed *= 0.5
    score = Math.max(score, (crossed * affinity(parameter, token, others)) / (0.7 + ahead * 0.3))
  }
  return score
}

const REQUIRED_SCORE = -1.5
const OPTIONAL_SCORE = 1.2

/**
 * Scores how strongly a word points to a parameter. Words of the parameter's name weigh most. Words that several parameters share weigh
 * little.
 */
function affinity({ stems, descriptionStems }: Parameter, token: Token, others: readonly Parameter[]): number {
  if (token.kind !== 'word' || (FUNCTION_WORDS.has(token.lower) && token.lower.length > 1)) return 0
  const inName = stems.includes(token.stem) || (token.lower.length === 1 && stems.includes(token.lower))
  if (inName) return 4 / Math.sqrt(others.filter((other) => other.stems.includes(token.stem)).length || 1)
  if (!descriptionStems.has(token.stem)) return 0
  return 1.8 / (others.filter((other) => other.descriptionStems.has(token.stem)).length || 1)
}

function rate(
  parameter: Parameter,
  place: number,
  quantity: Quantity,
  rank: number,
  numeric: readonly Parameter[],
  tokens: readonly Token[],
): number {
  let score = nearness(parameter, quantity.index, tokens, numeric) + (place === rank ? 0.5 : -0.1 * Math.abs(place - rank))
  if (parameter.bound !== undefined) score += quantity.bound === undefined ? -1 : quantity.bound === parameter.bound ? 2.5 : -6
  else if (quantity.bound !== undefined) score -= parameter.required ? 0.5 : 1.5
  if (parameter.identifier) score -= 1
  if (!parameter.required && isOfName(tokens, quantity.index)) score -= 2
  if (quantity.percent) score += parameter.words.some((word) => SHARES.has(word)) ? 1.5 : -0.5
  if (!quantity.exact && countsArguments(tokens[quantity.index + 1], numeric)) score -= 4
  return quantity.exact ? score : score - 0.3
}

/** Returns the penalty for a number outside the schema's range. */
function misfitOf({ type, least = -Infinity, most = Infinity }: Parameter, { value }: Quantity): number {
  return (type === 'integer' && !Number.isInteger(value) ? -10 : 0) + (value < least || value > most ? -10 : 0)
}

/**
 * Returns true for a number that is part of a name, as in "the film 9 Songs" and "add Galaxy 9 to". Returns false right after a verb, as in
 * "add 3 Songs".
 */
function isOfName(tokens: readonly Token[], index: number): boolean {
  const [before, number, next] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  const isLast = next === undefined || next.kind === 'sign' || FUNCTION_WORDS.has(next.lower)
  if (index > 1 && isLast && /^\p{Lu}\p{Ll}/u.test(before?.text ?? '') && /^\d+$/.test(number?.text ?? '')) return true
  return /^\p{Lu}\p{Ll}/u.test(next?.text ?? '') && (/^\p{Lu}/u.test(number?.text ?? '') || !isVerb(before?.lower ?? ''))
}

const SHARES = new Set(['rate', 'percent', 'percentage', 'ratio', 'share', 'probability'])

/** Returns true if the quantity is only the number of values that follow, as in "the two numbers 6 and 10". */
function countsArguments(next: Token | undefined, numeric: readonly Parameter[]): boolean {
  if (next === undefined) return false
  return numeric.filter(({ stems, descriptionStems }) => stems.includes(next.stem) || descriptionStems.has(next.stem)).length > 1
}

/** Matches names with numbers that follow in the same order: "the base and the height are 6 and 10". */
function matchListed(
  numeric: readonly Parameter[],
  quantities: readonly Quantity[],
  tokens: readonly Token[],
): NumberMatch[] | undefined {
  const first = quantities[0]?.index ?? 0
  const named = numeric
    .map((parameter) => ({ parameter, place: tokens.findIndex(({ stem }) => parameter.stems.includes(stem)) }))
    .filter(({ place }) => place >= 0 && place < first)
    .sort((one, other) => one.place - other.place)
  const places = new Set(named.map(({ place }) => place))
  if (named.length < 2 || named.length !== quantities.length || places.size !== named.length) return undefined
  if (named.some(({ parameter }) => parameter.bound !== undefined) || first - (named.at(-1)?.place ?? 0) > 4) return undefined
  if (quantities.some(({ index }, rank) => rank > 0 && index - (quantities[rank - 1]?.index ?? 0) > 4)) return undefined
  return named.map(({ parameter }, index) => ({
    parameter,
    quantity: quantities[index] as Quantity,
    value: valueFor(parameter, quantities[index] as Quantity),
  }))
}

/** Returns the value to pass. A percentage becomes a fraction, unless the schema expects a percentage. */
function valueFor({ type, name, description }: Parameter, { value, percent }: Quantity): number {
  const isFraction = percent && type === 'number' && !/percent|%/i.test(`${name} ${description}`)
  return isFraction ? Number((value / 100).toPrecision(12)) : value
}
