/** Finds the name of a thing in a clause, to search for the thing by it: "CityBuds" in "Add two CityBuds to my cart". */

import type { Clause } from '../clauses/clauses.ts'
import { findQuantities } from '../clauses/quantities.ts'
import { isCapital } from '../clauses/spans.ts'
import { isTextual } from '../fill/text-kinds.ts'
import { choosesRow } from '../rows.ts'
import { isVerb } from '../words/lexicon.ts'
import type { Token } from '../words/token.ts'
import { FUNCTION_WORDS, LIGHT_WORDS } from '../words/words.ts'
import type { Offer } from './catalog.ts'
import type { Parameter } from './parameters.ts'

/**
 * Returns the only name in a clause: its capitalized words, or else the only words in a row that the tool doesn't know.
 * Returns undefined for a clause that chooses by position or by an extreme, such as "the cheapest".
 */
export function nameIn(clause: Clause, offer: Offer): string | undefined {
  if (choosesRow(clause)) return undefined
  const proper = properRuns(clause)
  return textOfOnly(clause, proper.length > 0 ? proper : runsOf(clause, (index) => isForeign(clause.tokens, index, offer), false))
}

/** Returns the only capitalized name in a clause. */
export function properNameIn(clause: Clause): string | undefined {
  return textOfOnly(clause, properRuns(clause))
}

function properRuns(clause: Clause): Run[] {
  return runsOf(clause, (index) => isProper(clause, index), true)
}

function textOfOnly({ source, tokens }: Clause, [run, ...others]: readonly Run[]): string | undefined {
  return run === undefined || others.length > 0 ? undefined : source.slice(tokens[run.from]?.start, tokens[run.to]?.end)
}

/** Returns the text parameter of a search, if it is the only one. */
export function searchParameter({ parameters }: Offer): Parameter | undefined {
  const texts = parameters.filter(
    (parameter) =>
      parameter.type === 'string' && parameter.choices === undefined && !parameter.identifier && isTextual(parameter),
  )
  return texts.length === 1 && parameters.every((parameter) => !parameter.required || parameter === texts[0])
    ? texts[0]
    : undefined
}

interface Run {
  readonly from: number
  /** Position of the last word. */
  to: number
}

function runsOf({ tokens }: Clause, isPart: (index: number) => boolean, isJoined: boolean): Run[] {
  const runs: Run[] = []
  for (const index of tokens.keys()) {
    if (!isPart(index)) continue
    const last = runs.at(-1)
    const between = last === undefined ? [] : tokens.slice(last.to + 1, index)
    const isNext = between.length === 0 || (isJoined && between.length < 3 && between.every(({ lower }) => JOINERS.has(lower)))
    if (last !== undefined && isNext) last.to = index
    else runs.push({ from: index, to: index })
  }
  return runs
}

/** Small words inside a name: "Tiles of the South". */
const JOINERS = new Set(['a', 'by', 'for', 'of', 'the'])

/** Returns true for a capitalized word inside a sentence, and for a number right after one: "StudioLine 80". */
function isProper(clause: Clause, index: number): boolean {
  const token = clause.tokens[index]
  if (token === undefined || index === 0 || startsSentence(clause.source, token.start)) return false
  if (token.kind === 'word' && /^\p{Lu}/u.test(token.text) && token.text !== 'I') return true
  if (token.kind === 'id' && !/\d{3}/.test(token.text)) return isProper(clause, index - 1)
  return token.number !== undefined && !/^[$€£]/.test(token.text) && isProper(clause, index - 1)
}

function startsSentence(source: string, start: number): boolean {
  const before = source.slice(0, start).trimEnd()
  return before === '' || '.!?'.includes(before.slice(-1))
}

/** Returns true for a noun that neither the tool nor plain English accounts for. */
function isForeign(tokens: readonly Token[], index: number, { weights }: Offer): boolean {
  const token = tokens[index] as Token
  if (token.kind !== 'word' || weights.has(token.stem) || isVerb(token.lower) || isCapital(token)) return false
  return (
    !FUNCTION_WORDS.has(token.lower) &&
    !LIGHT_WORDS.has(token.lower) &&
    !findQuantities(tokens).some((one) => one.index === index)
  )
}
