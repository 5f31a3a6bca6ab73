/** Chooses the row at one end of a scale, as in "the lowest", "the best rated" or "the newest". Needs no domain knowledge. */
import type { Offer } from '../tools/catalog.ts'
import { stem, wordsOfName } from '../words/stem.ts'
import type { Token } from '../words/token.ts'

type Row = Readonly<Record<string, unknown>>

/** Returns the row that the extreme refers to. Returns undefined if the words name no extreme, or if the rows have no field to compare. */
export function superlativeOf(tokens: readonly Token[], rows: readonly Row[], offer: Offer | undefined): Row | undefined {
  const extreme = findExtreme(tokens)
  if (extreme === undefined) return undefined
  const field = extreme.pole === 'time' ? dateField(rows) : scaleField(rows, extreme, offer)
  if (field === undefined) return undefined
  const sign = extreme.high ? -1 : 1
  const measured = rows.filter((row) => valueAt(row, field) !== undefined)
  return measured.reduce<Row | undefined>((best, row) => {
    return best === undefined || sign * ((valueAt(row, field) ?? 0) - (valueAt(best, field) ?? 0)) < 0 ? row : best
  }, undefined)
}

/** Returns true when the words name an extreme. */
export function hasExtreme(tokens: readonly Token[]): boolean {
  return findExtreme(tokens) !== undefined
}

/** Returns true for a word that names one end of a scale. */
export function isExtremeWord(word: string): boolean {
  return LOW.has(word) || HIGH.has(word) || POLES.has(word) || COST_ADJECTIVES.has(word)
}

interface Extreme {
  readonly high: boolean
  /** The kind of scale: lower is better (cost), higher is better (quality), time, or unknown. */
  readonly pole?: 'cost' | 'quality' | 'time' | undefined
  /** The words after the extreme, which may name the field. */
  readonly words: readonly string[]
}

const LOW = new Set(
  'lowest smallest least fewest shortest lightest youngest nearest closest slowest thinnest narrowest minimum tiniest weakest coldest'.split(
    ' ',
  ),
)
const HIGH = new Set(
  'highest largest biggest greatest most longest heaviest tallest farthest furthest fastest widest maximum strongest top hottest'.split(
    ' ',
  ),
)
const POLES = new Map<string, { high: boolean; pole: 'cost' | 'quality' | 'time' }>([
  ['cheapest', { high: false, pole: 'cost' }],
  ['costliest', { high: true, pole: 'cost' }],
  ['dearest', { high: true, pole: 'cost' }],
  ['best', { high: true, pole: 'quality' }],
  ['finest', { high: true, pole: 'quality' }],
  ['worst', { high: false, pole: 'quality' }],
  ['newest', { high: true, pole: 'time' }],
  ['latest', { high: true, pole: 'time' }],
  ['recent', { high: true, pole: 'time' }],
  ['oldest', { high: false, pole: 'time' }],
  ['earliest', { high: false, pole: 'time' }],
])
const COST_ADJECTIVES = new Set(['expensive', 'costly', 'affordable', 'economical', 'inexpensive'])
const CHEAP_ADJECTIVES = new Set(['affordable', 'economical', 'inexpensive'])

function findExtreme(tokens: readonly Token[]): Extreme | undefined {
  for (const [index, { lower, kind }] of tokens.entries()) {
    if (kind !== 'word' || (tokens[index - 1]?.lower === 'at' && (lower === 'most' || lower === 'least'))) continue
    const words = tokens.slice(index + 1, index + 4).map((token) => token.stem)
    const next = tokens[index + 1]?.lower ?? ''
    const fixed = POLES.get(lower)
    if (fixed !== undefined) return { ...fixed, words }
    const high = HIGH.has(lower)
    if (!high && !LOW.has(lower)) continue
    if (COST_ADJECTIVES.has(next)) return { high: high !== CHEAP_ADJECTIVES.has(next), pole: 'cost', words }
    if (next !== 'recent') return { high, words }
  }
  return undefined
}

/**
 * Returns the field to compare: the one that the words name, or else the first one that the tool can limit, or else the first one with
 * numbers.
 */
function scaleField(rows: readonly Row[], { high, pole, words }: Extreme, offer: Offer | undefined): string | undefined {
  const fields = numericFields(rows)
  const named = fields.find((field) => wordsOfName(field).some((word) => words.includes(stem(word))))
  if (named !== undefined) return named
  const wantsLow = pole === undefined ? !high : pole === 'cost'
  const bounded = (bound: 'max' | 'min') =>
    fields.find((field) => offer?.parameters.some((parameter) => parameter.bound === bound && bounds(parameter.stems, field)))
  return (
    bounded(wantsLow ? 'max' : 'min') ?? bounded(wantsLow ? 'min' : 'max') ?? fields.find((field) => !isCount(field)) ?? fields[0]
  )
}

function bounds(parameterStems: readonly string[], field: string): boolean {
  return wordsOfName(field).some((word) => parameterStems.includes(stem(word)))
}

function isCount(field: string): boolean {
  return wordsOfName(field).some((word) => word === 'count' || word === 'number' || word === 'index')
}

function numericFields(rows: readonly Row[]): string[] {
  const fields = new Set(rows.slice(0, 20).flatMap((row) => Object.keys(row)))
  return [...fields].filter(
    (field) => !/(?:^|_)id$|Id$/.test(field) && rows.some((row) => valueAt(row, field) !== undefined && !isDate(row[field])),
  )
}

function dateField(rows: readonly Row[]): string | undefined {
  const fields = [...new Set(rows.slice(0, 20).flatMap((row) => Object.keys(row)))]
  return fields.find((field) => rows.some((row) => isDate(row[field]))) ?? undefined
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)
}

function valueAt(row: Row, field: string): number | undefined {
  const value = Object.hasOwn(row, field) ? row[field] : undefined
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const number = isDate(value)
    ? Date.parse(value)
    : /^[$€£]?\d{1,12}(?:\.\d{1,6})?$/.test(value)
      ? Number(value.replace(/[$€£]/, ''))
      : Number.NaN
  return Number.isNaN(number) ? undefined : number
}
