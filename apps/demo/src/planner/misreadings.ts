/** Finds a part of a clause that a tool would get wrong, because its arguments can't express that part. */

import type { Clause } from './clauses/clauses.ts'
import { isDenied } from './clauses/intents.ts'
import { findQuantities, type Quantity } from './clauses/quantities.ts'
import { isExtremeWord } from './clauses/superlatives.ts'
import type { Filling } from './fill/fill.ts'
import { isTextual, isTimely } from './fill/text-kinds.ts'
import { looks, type Offer, WEIGHTS } from './tools/catalog.ts'
import type { Parameter } from './tools/parameters.ts'
import { isVerb } from './words/lexicon.ts'
import { namesTime } from './words/times.ts'
import { type Token, tokenize } from './words/token.ts'
import { unitOf, unitsOf } from './words/units.ts'
import { DETERMINERS, FUNCTION_WORDS, LIGHT_WORDS, placeOfWord } from './words/words.ts'

/** Returns the position of the first part that a reading tool would get wrong. The text that a tool requires may contain anything. */
export function misreadIn({ tokens }: Clause, offer: Offer, filling: Filling): number | undefined {
  const texts = offer.parameters.filter((parameter) => parameter.required && isTextual(parameter))
  const isQuoted = ({ text }: Token) => texts.some(({ name }) => String(filling.args.get(name)).includes(text))
  const isTaken = ({ number }: Token) => number !== undefined && [...filling.args.values()].includes(number)
  const places = [
    tokens.findIndex((token, index) => isDenied(tokens, index) && !isQuoted(token)),
    tokens.findIndex((token, index) => choosesOther(tokens, index) && !isTaken(token) && !isQuoted(token)),
    otherIn(tokens, filling),
    inputIn(tokens, offer, filling),
    amountIn(tokens, offer, filling),
    valueIn(tokens, offer, filling),
  ]
  return places.find((place) => place >= 0)
}

/** Returns the position of a second value that no argument takes: "Rome" in "fairs in Oslo or Rome". */
function otherIn(tokens: readonly Token[], { args }: Filling): number {
  const held = new Set(
    [...args.values()].flatMap((value) => (typeof value === 'string' ? tokenize(value) : [])).map(({ stem }) => stem),
  )
  return tokens.findIndex((token, index) => {
    const joint = tokens.findLastIndex(({ lower }, place) => place < index && !DETERMINERS.has(lower) && lower !== 'in')
    const before = tokens.slice(0, Math.max(0, joint)).findLast(({ kind }) => kind !== 'sign')
    const isJoined = ['and', 'or', '&'].includes(tokens[joint]?.lower ?? '') && held.has(before?.stem ?? '')
    const isContent =
      token.kind === 'word' && token.number === undefined && !FUNCTION_WORDS.has(token.lower) && !isVerb(token.lower)
    return isJoined && isContent && !held.has(token.stem)
  })
}

/** Returns the position of the first word about the inputs of a tool that computes, if the clause has no value for any of them. */
function inputIn(tokens: readonly Token[], offer: Offer, { args }: Filling): number {
  if (looks(offer) || args.size > 0) return -1
  return tokens.findIndex(({ stem }) => offer.parameters.some(({ stems }) => stems.includes(stem)))
}

/** Returns true for "two" in "the first two" and "the two cheapest", and for "second" in "the second cheapest". */
export function choosesOther(tokens: readonly Token[], index: number): boolean {
  const [before, { lower, number = 1 }, next] = [tokens[index - 1], tokens[index] as Token, tokens[index + 1]]
  const isExtreme = (token: Token | undefined) => isExtremeWord(token?.lower ?? '')
  const isPlace = (token: Token | undefined) => placeOfWord(token?.lower ?? '') !== undefined
  if (placeOfWord(lower) !== undefined) return isExtreme(next)
  return number > 1 && [before, next].some((token) => isExtreme(token) || isPlace(token))
}

/** Returns the position of a limit that no argument takes, or of a number of another kind: "at least 16 GB" for a price in dollars. */
function amountIn(tokens: readonly Token[], { parameters }: Offer, { args }: Filling): number {
  for (const quantity of findQuantities(tokens).filter(({ percent }) => !percent)) {
    const takers = parameters.filter(({ name, type }) => type !== 'string' && args.get(name) === quantity.value)
    const isLimit = quantity.bound !== undefined
    if (takers.length === 0 ? isLimit : !takers.some((taker) => isOfKind(tokens, quantity, taker, parameters)))
      return quantity.index
  }
  return -1
}

function isOfKind(
  tokens: readonly Token[],
  { index, to, bound }: Quantity,
  taker: Parameter,
  parameters: readonly Parameter[],
): boolean {
  const sign = tokens[index]?.text.match(/[$€£]/)?.[0]
  const noun = tokens[index + 1]?.lower === 'or' ? tokens[to] : tokens[index + 1]
  const unit = unitOf(sign ?? noun?.text ?? '')
  const units = unitsOf(taker)
  if (unit !== undefined) return units.has(unit) || (units.size === 0 && taker.type === 'number')
  if (bound === undefined) return true
  if (noun?.kind !== 'word' || FUNCTION_WORDS.has(noun.lower) || LIGHT_WORDS.has(noun.lower) || isVerb(noun.lower)) return true
  const isNamed = tokens.slice(Math.max(0, index - 5), index).some(({ stem }) => taker.stems.includes(stem))
  const isOther = parameters.some(({ bound, stems }) => bound !== undefined && stems.includes(noun.stem))
  return isNamed || isOther || taker.descriptionStems.has(noun.stem)
}

/**
 * Returns the position of a word that doesn't belong into a value that was assigned by its position only: a date, a place in a list, a
 * measure as in "the most seats", or a word of the tool itself, as in "savings bookings" for an account.
 */
function valueIn(tokens: readonly Token[], { parameters, weights }: Offer, { args, sure }: Filling): number {
  for (const parameter of parameters) {
    const { name, required, type, choices, descriptionStems } = parameter
    const value = args.get(name)
    if (type !== 'string' || typeof value !== 'string' || choices !== undefined || sure.has(name)) continue
    if (isTimely(parameter) || (required && isTextual(parameter))) continue
    const isOwn = ({ stem }: Token) => required && !descriptionStems.has(stem) && (weights.get(stem) ?? 0) >= WEIGHTS.description
    const isMeasure = ({ lower }: Token) =>
      tokens.some((one, index) => one.lower === lower && isExtremeWord(tokens[index - 1]?.lower ?? ''))
    const isChoice = ({ lower }: Token) => placeOfWord(lower) !== undefined || isExtremeWord(lower)
    const isMisplaced = (one: Token) => isChoice(one) || isOwn(one) || isMeasure(one)
    const word = tokenize(value).find(isMisplaced) ?? timeIn(value)
    const place = word === undefined ? -1 : tokens.findIndex(({ lower }) => lower === word.lower)
    if (place >= 0) return place
  }
  return -1
}

/** Returns the first word of a value that only names a time, such as "February". */
function timeIn(value: string): Token | undefined {
  const words = tokenize(value)
  const isTime = ({ kind, text, lower, number }: Token) =>
    kind !== 'id' && number === undefined && (FUNCTION_WORDS.has(lower) || namesTime(text))
  return words.every(isTime) ? words[0] : undefined
}
