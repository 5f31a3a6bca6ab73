/** Fills numbers and the units beside them. */

import { findQuantities } from '../clauses/quantities.ts'
import { bodyStart } from '../clauses/spans.ts'
import type { Parameter } from '../tools/parameters.ts'
import { stem } from '../words/stem.ts'
import type { Token } from '../words/token.ts'
import { FUNCTION_WORDS } from '../words/words.ts'
import { type Draft, take, unfilled } from './draft.ts'
import { matchNumbers, type NumberMatch } from './match-numbers.ts'

/** Fills the numeric parameters. Also marks the words of a number's limit and unit as used. */
export function fillNumbers(draft: Draft, parameters: readonly Parameter[]): void {
  const { tokens } = draft.clause
  const quantities = findQuantities(tokens).filter(({ index }) => !draft.used.has(index))
  for (const match of matchNumbers(unfilled(draft, parameters), quantities, tokens)) {
    draft.args.set(match.parameter.name, match.value)
    if (match.parameter.stems.includes(tokens[match.quantity.to]?.stem ?? '')) draft.sure.add(match.parameter.name)
    take(draft, startOf(match, tokens), endOf(match, tokens))
  }
  for (const { ranged, from, to } of quantities) if (ranged) take(draft, from, to)
}

/** Handles "4 inches": fills a parameter for a unit with the word after the numbers, if the same word follows all of them. */
export function fillUnits(draft: Draft, parameters: readonly Parameter[]): void {
  const { tokens } = draft.clause
  const units = new Set(
    findQuantities(tokens)
      .flatMap(({ index }) => (isContentWord(tokens[index + 1]) ? [tokens[index + 1] as Token] : []))
      .map(({ text }) => text),
  )
  const [unit = ''] = units
  if (units.size !== 1 || parameters.some(({ type, stems }) => type !== 'string' && stems.includes(stem(unit)))) return
  const taker = unfilled(draft, parameters).find(
    ({ type, choices, stems }) => type === 'string' && choices === undefined && stems.includes('unit'),
  )
  if (taker !== undefined) draft.args.set(taker.name, unit)
}

/** Returns the start of the range to mark. The range includes function words and the name of the parameter: "with a rate of at least 4". */
function startOf({ quantity, parameter }: NumberMatch, tokens: readonly Token[]): number {
  let from = quantity.from
  const belongs = (token: Token | undefined) =>
    token?.kind === 'word' && (FUNCTION_WORDS.has(token.lower) || parameter.stems.includes(token.stem))
  while (from - 1 >= bodyStart(tokens) && belongs(tokens[from - 1])) from--
  return from
}

/**
 * Returns the end of the range to mark. The range includes a unit if the unit ends its phrase, and follows a limit or occurs in the schema.
 */
function endOf({ quantity, parameter }: NumberMatch, tokens: readonly Token[]): number {
  const [unit, following] = [tokens[quantity.to], tokens[quantity.to + 1]]
  if (unit === undefined || !isContentWord(unit)) return quantity.to
  const isLast = following === undefined || following.kind === 'sign' || FUNCTION_WORDS.has(following.lower)
  const isKnown = parameter.descriptionStems.has(unit.stem) || parameter.stems.includes(unit.stem)
  return isLast && (quantity.bound !== undefined || isKnown) ? quantity.to + 1 : quantity.to
}

function isContentWord(token: Token | undefined): boolean {
  return token?.kind === 'word' && !FUNCTION_WORDS.has(token.lower)
}
