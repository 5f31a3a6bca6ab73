/** Finds the count for a call in the clause before: "I'd like three lamps, please put them in the basket". */

import type { Clause } from '../clauses/clauses.ts'
import { findQuantities } from '../clauses/quantities.ts'
import type { Offer } from '../tools/catalog.ts'
import { effectOf } from '../tools/catalog.ts'
import { unitOf } from '../words/units.ts'
import { PRONOUNS } from '../words/words.ts'
import type { Filling } from './fill.ts'

/** Adds the count to the arguments, if the clause refers to the things of the clause before and has no number itself. */
export function withCarriedCount(filling: Filling, clause: Clause, before: Clause | undefined, offer: Offer): Filling {
  const refersBack = clause.tokens.some(({ lower }) => PRONOUNS.has(lower))
  if (before === undefined || !refersBack || effectOf(offer) === 'reads' || findQuantities(clause.tokens).length > 0)
    return filling
  const count = offer.parameters.find(
    ({ type, name, identifier, bound }) => type === 'integer' && !identifier && bound === undefined && !filling.args.has(name),
  )
  const counts = findQuantities(before.tokens).filter(({ bound, percent, index }) => {
    const [number, next] = [before.tokens[index], before.tokens[index + 1]]
    const isUnit = unitOf(next?.text ?? '') !== undefined || /[$€£]/.test(`${before.tokens[index - 1]?.text}${number?.text}`)
    return bound === undefined && !percent && !isUnit && next?.kind === 'word' && Number.isInteger(number?.number)
  })
  const [only, ...others] = counts
  if (count === undefined || only === undefined || others.length > 0) return filling
  const args = new Map([...filling.args, [count.name, only.value] as const])
  return { ...filling, args, missing: filling.missing.filter(({ name }) => name !== count.name) }
}
