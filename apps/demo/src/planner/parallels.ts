/** Splits a clause with one verb and several sets of details ("move 2 from A to B, then 3 from C to D"). */

import type { Clause } from './clauses/clauses.ts'
import { isCapital } from './clauses/spans.ts'
import { fillArguments } from './fill/fill.ts'
import { looks, type Offer } from './tools/catalog.ts'
import type { Token } from './words/token.ts'
import { PREPOSITIONS } from './words/words.ts'

/** Returns one clause per set of details. Returns an empty list unless every set fills the same arguments of the tool. */
export function parallelClauses({ tokens, ...clause }: Clause, offer: Offer, whole: ReadonlySet<unknown>): Clause[] {
  const joints = tokens.flatMap((token, index) => (isJoint(token) && !isJoint(tokens[index - 1]) ? [index] : []))
  if (joints.length === 0 || joints.length > MOST_JOINTS) return []
  const starts = joints.map((joint) => tokens.findIndex((token, index) => index > joint && !isJoint(token)))
  const openingAt = (index: number) => openingOf(tokens[index], looks(offer))
  const opening = openingAt(starts[0] ?? -1)
  if (opening === undefined || starts.some((start) => openingAt(start) !== opening)) return []
  let first = tokens.slice(0, joints[0]).findLastIndex((_, index) => openingAt(index) === opening)
  while (opening === CAPITAL && openingAt(first - 1) === opening) first--
  if (first < 1 || tokens[first - 1]?.lower === 'between') return []
  const shared = tokens.slice(0, first)
  const parts = [first, ...starts].map((start, index) => ({
    ...clause,
    tokens: [...shared, ...tokens.slice(start, joints[index])],
  }))
  const fillings = parts.map((part) => fillArguments(offer, part, []))
  const names = new Set(fillings.map(({ args }) => [...args.keys()].join()))
  const same = fillings.filter(({ args }) => [...args.values()].every((value) => whole.has(value)))
  return fillings.every(({ missing }) => missing.length === 0) && names.size === 1 && same.length === 1 ? parts : []
}

const JOINTS = new Set([',', 'and', '&', 'also', 'then', 'plus'])
const MOST_JOINTS = 12
const CAPITAL = 'Aa'

function isJoint(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== 'quote' && JOINTS.has(token.lower)
}

/**
 * Returns what the first words of parallel parts must have in common: a preposition, a kind of value, or a capital letter if `mayBeName` is
 * true.
 */
function openingOf(token: Token | undefined, mayBeName: boolean): string | undefined {
  if (token === undefined || token.kind === 'sign') return undefined
  if (token.kind !== 'word') return token.kind
  if (mayBeName && isCapital(token)) return CAPITAL
  return PREPOSITIONS.has(token.lower) ? token.lower : undefined
}
