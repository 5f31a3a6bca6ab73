/** Parses the results of earlier calls as rows, and chooses the row that a clause refers to. */

import type { Clause } from './clauses/clauses.ts'
import { hasExtreme, superlativeOf } from './clauses/superlatives.ts'
import { isObject, parseJson } from './json.ts'
import type { Offer } from './tools/catalog.ts'
import { stem, stemsOf, wordsOfName } from './words/stem.ts'
import type { Token } from './words/token.ts'
import { FUNCTION_WORDS, numberOfWord, PRONOUNS, placeOfWord } from './words/words.ts'

export type Row = Readonly<Record<string, unknown>>

/** A result of an earlier call: its text, its data and its rows. */
export interface Finding {
  readonly text: string
  readonly data: unknown
  readonly rows: readonly Row[]
  /** The row that the clause referred to. */
  readonly focus?: Row | undefined
  readonly offer?: Offer | undefined
  /** The text that the agent puts above the result of the call. */
  readonly remark?: string | undefined
}

/** Parses the text of a result. */
export function readFinding(text: string, offer: Offer | undefined): Finding {
  const edited = parseJson(text) === undefined ? EDITED.exec(text) : null
  const value = parseJson(edited === null ? text : text.slice(edited[0].length))
  const data = value === undefined ? text : value
  return {
    text,
    data,
    rows: rowsOf(data, 0),
    ...(offer !== undefined && { offer }),
    ...(edited !== null && value !== undefined && { remark: edited[1] ?? '' }),
  }
}

/** The line that the agent writes above the result of a call with edited arguments. */
const EDITED = /^([^\n{]{1,200}): \{[^\n]*\}\n/

/**
 * Returns the row that the clause refers to by an extreme, by words or by position. A pronoun or "any" refers to the row in focus, which is
 * the first row by default. If `isCareful` is true, only a singular pronoun refers to that row.
 */
export function chooseRow({ tokens }: Clause, { rows, focus = rows[0], offer }: Finding, isCareful = false): Row | undefined {
  const place = ordinalIn(tokens)
  if (place !== undefined && rows.at(place) === undefined) return undefined
  if (rows.length < 2) return rows[0]
  const superlative = superlativeOf(tokens, rows, offer)
  if (superlative !== undefined) return superlative
  const named = namedRow(
    tokens.filter(({ lower }) => placeOfWord(lower) === undefined).map(({ stem }) => stem),
    rows,
  )
  if (named !== undefined) return named
  if (place !== undefined) return rows.at(place)
  const isAny = tokens.some(({ lower }) => (isCareful ? SINGULAR.has(lower) : ANY.has(lower) || PRONOUNS.has(lower)))
  return isAny ? focus : undefined
}

/** Returns the position in the list that an ordinal such as "second" names. */
function ordinalIn(tokens: readonly Token[]): number | undefined {
  return tokens.map(({ lower }) => placeOfWord(lower)).find((place) => place !== undefined)
}

/** Returns true if the clause chooses one of several rows, by position or by an extreme. */
export function choosesRow({ tokens }: Clause): boolean {
  return ordinalIn(tokens) !== undefined || hasExtreme(tokens)
}

const ANY = new Set(['a', 'an', 'any', 'some', 'one'])
const SINGULAR = new Set(['it', 'its', 'this', 'that'])
const DEEPEST = 3

/** Returns the first list of objects, or else the object itself. */
function rowsOf(data: unknown, depth: number): readonly Row[] {
  if (Array.isArray(data)) return data.filter(isObject).slice(0, 1000)
  if (!isObject(data) || depth > DEEPEST) return []
  for (const value of Object.values(data)) {
    if (Array.isArray(value)) return value.filter(isObject).slice(0, 1000)
  }
  const inner = Object.values(data).filter(isObject)
  return inner.length === 1 && Object.keys(data).length <= 2 ? rowsOf(inner[0], depth + 1) : [data]
}

/** Returns the row that shares the most words with the clause. Returns undefined if this is true of several rows. */
function namedRow(stems: readonly string[], rows: readonly Row[]): Row | undefined {
  const said = new Set(stems.filter((word) => word.length > 1 && !FUNCTION_WORDS.has(word) && numberOfWord(word) === undefined))
  const texts = rows.map(
    (row) =>
      new Set(
        Object.values(row).flatMap((value) =>
          typeof value === 'string' ? [...stemsOf(value), ...wordsOfName(value).map(stem)] : [],
        ),
      ),
  )
  const scores = texts.map((words) => [...said].filter((word) => words.has(word)).length)
  const best = Math.max(...scores)
  return best > 0 && scores.filter((score) => score === best).length === 1 ? rows[scores.indexOf(best)] : undefined
}
