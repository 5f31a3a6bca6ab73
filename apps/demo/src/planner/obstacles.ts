/** Finds a reason not to call a tool that changes something: a part of the clause that the tool's arguments can't express. */

import type { Clause } from './clauses/clauses.ts'
import { findQuantities, type Quantity } from './clauses/quantities.ts'
import { isExtremeWord } from './clauses/superlatives.ts'
import type { Filling } from './fill/fill.ts'
import { isTimely } from './fill/text-kinds.ts'
import { isObject } from './json.ts'
import type { PlannedStep } from './plan.ts'
import type { Finding } from './rows.ts'
import { effectOf, type Offer } from './tools/catalog.ts'
import { unknownWordIn } from './unknown-words.ts'
import { toIsoDate } from './words/dates.ts'
import { namesTime, timesIn } from './words/times.ts'
import { type Token, tokenize } from './words/token.ts'
import { unitOf, unitsOf } from './words/units.ts'
import { FUNCTION_WORDS, POSSESSIVES, placeOfWord } from './words/words.ts'

export interface Obstacle {
  /**
   * - `share`: a share of an unknown amount.
   * - `unit`: a number in another unit.
   * - `dropped`: words that no argument contains.
   * - `unknown`: a word that the tool doesn't know.
   */
  readonly kind: 'share' | 'unit' | 'dropped' | 'unknown'
  /** The part of the clause that is the obstacle. */
  readonly text: string
}

/**
 * Returns the part of the clause that the call would get wrong or omit. Returns undefined if there is none. Unknown words count only if
 * `isCautious` is true. For a tool that only reads, only unknown words count.
 */
export function obstacleOf(
  { clause, isPart = false }: PlannedStep,
  offer: Offer,
  { args, sure }: Filling,
  findings: readonly Finding[],
  isCautious: boolean,
): Obstacle | undefined {
  const { tokens } = clause
  const held = heldIn([...args.values()], offer, findings)
  const certain = heldIn(
    [...args].flatMap(([name, value]) => (sure.has(name) ? [value] : [])),
    offer,
    findings,
  )
  const unknown = isCautious ? unknownWordIn(clause, offer, held, certain) : undefined
  if (effectOf(offer) === 'reads')
    return unknown === undefined ? undefined : { kind: 'unknown', text: tokens[unknown]?.text ?? '' }
  const quantities = findQuantities(tokens)
  const places = {
    share: takesShare(offer) ? undefined : shareIn(tokens, quantities, held),
    unit: quantities.find((quantity) => isOfOtherUnit(quantity, offer, tokens, args))?.index,
    dropped:
      (isCautious ? (allIn(tokens, offer, args, sure) ?? timelessIn(tokens, offer, args)) : undefined) ??
      timesIn(tokens).find((index) => !isHeld(tokens[index], held)) ??
      // If the clause has several parts, the other parts use the other numbers.
      (isPart ? undefined : (severalIn(tokens) ?? restIn(quantities, tokens, held))),
    unknown,
  }
  const kind = (['share', 'unit', 'dropped', 'unknown'] as const).find((one) => places[one] !== undefined)
  if (kind === undefined) return undefined
  const place = places[kind] ?? 0
  return { kind, text: kind === 'unknown' ? (tokens[place]?.text ?? '') : saidAt(clause, place) }
}

type Held = ReadonlySet<unknown>

function isHeld(token: Token | undefined, held: Held): boolean {
  return token !== undefined && (held.has(token.lower) || held.has(token.number) || held.has(toIsoDate(token.text) ?? token.text))
}

/** Returns the text of a number and the word after it. */
function saidAt({ source, tokens }: Clause, index: number): string {
  const [token, next] = [tokens[index], tokens[index + 1]]
  const isWhole = token?.number === undefined || next === undefined || FUNCTION_WORDS.has(next.lower)
  return source.slice(token?.start, isWhole || (next.kind === 'sign' && next.text !== '%') ? token?.end : next.end)
}

function takesShare({ parameters }: Offer): boolean {
  return parameters.some(({ words, description }) => SHARES.test(`${words.join(' ')} ${description}`))
}

const SHARES = /\b(?:percent|percentage|share|fraction|ratio|rate)\b|%/i

/**
 * Returns the position of "half of", "a third of" or "10% of", or of a percentage that an argument contains as a fraction, such as 0.1 for
 * 10%.
 */
function shareIn(tokens: readonly Token[], quantities: readonly Quantity[], held: Held): number | undefined {
  const isPercentage = ({ percent, value, index }: Quantity) =>
    percent && !held.has(value) && (held.has(value / 100) || tokens[index + 2]?.lower === 'of')
  const percentage = quantities.find(isPercentage)?.index
  const part = tokens.findIndex((token, index) => !held.has(token.lower) && isFraction(tokens, index))
  return percentage ?? (part < 0 ? undefined : part)
}

const FRACTION = /^(?:third|quarter|fourth|fifth|sixth|eighth|tenth)s?$/

function isFraction(tokens: readonly Token[], index: number): boolean {
  const [before, { lower } = { lower: '' }, next] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (lower === 'half') return next?.lower === 'of' || next?.lower === 'the' || POSSESSIVES.has(next?.lower ?? '')
  return next?.lower === 'of' && FRACTION.test(lower) && (before?.lower === 'a' || before?.number !== undefined)
}

/** Returns the position of words that choose several rows, which one call can't take: "the first two", "the two cheapest". */
function severalIn(tokens: readonly Token[]): number | undefined {
  const chooses = (token: Token | undefined) =>
    token !== undefined && (placeOfWord(token.lower) !== undefined || isExtremeWord(token.lower))
  const isSeveral = ({ number = 1 }: Token, index: number) =>
    number > 1 && (chooses(tokens[index - 1]) || chooses(tokens[index + 1]))
  const place = tokens.findIndex(isSeveral)
  return place < 0 ? undefined : place
}

/**
 * Returns the position of "all" or "everything" if the tool takes only one thing, and the clause has no id, quotation or example for it.
 */
function allIn(
  tokens: readonly Token[],
  { parameters }: Offer,
  args: Filling['args'],
  sure: Filling['sure'],
): number | undefined {
  const isVague = parameters.some(
    ({ required, type, name }) => required && type === 'string' && args.has(name) && !sure.has(name),
  )
  const place = isVague ? tokens.findIndex(({ lower, kind }) => kind === 'word' && ALL.has(lower)) : -1
  return place < 0 ? undefined : place
}

/** Returns the position of a time argument's value that isn't a time, such as "3 in my bag". */
function timelessIn(tokens: readonly Token[], { parameters }: Offer, args: Filling['args']): number | undefined {
  const value = parameters.filter(isTimely).map(({ name }) => args.get(name))
  const wrong = value.find((text) => typeof text === 'string' && !namesTime(text))
  const first = tokenize(String(wrong ?? ''))[0]?.lower
  const place = first === undefined ? -1 : tokens.findIndex(({ lower }) => lower === first)
  return place < 0 ? undefined : place
}

const ALL = new Set(['all', 'everything', 'every'])

/** Returns the position of a number that isn't a limit and that no argument uses. */
function restIn(quantities: readonly Quantity[], tokens: readonly Token[], held: Held): number | undefined {
  return quantities.find(
    ({ value, index, percent, bound }) => value !== 1 && !percent && bound === undefined && !isHeld(tokens[index], held),
  )?.index
}

/** Returns true for "5 euros" if the argument is in dollars. */
function isOfOtherUnit(
  { value, index }: Quantity,
  { parameters }: Offer,
  tokens: readonly Token[],
  args: Filling['args'],
): boolean {
  const units = new Set(parameters.filter(({ name }) => args.get(name) === value).flatMap((parameter) => [...unitsOf(parameter)]))
  const said = unitOf(tokens[index]?.text.match(/[$€£]/)?.[0] ?? tokens[index + 1]?.text ?? '')
  return units.size > 0 && said !== undefined && !units.has(said)
}

/** Returns the numbers and words in the arguments, and in the rows that the arguments identify. */
export function heldIn(values: readonly unknown[], { parameters }: Offer, findings: readonly Finding[]): Held {
  const isIdentified = (row: object) => Object.values(row).some((value) => typeof value === 'string' && values.includes(value))
  const rows = parameters.some(({ identifier }) => identifier)
    ? findings.flatMap((finding) => finding.rows.filter(isIdentified))
    : []
  return new Set([...values, ...rows].flatMap(partsOf))
}

function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value) || isObject(value)) return Object.values(value).flatMap(partsOf)
  return typeof value === 'string' ? [value, ...tokenize(value).flatMap(({ lower, number = lower }) => [lower, number])] : [value]
}
