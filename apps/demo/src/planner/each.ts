/** Splits a step if its clause lists several values for a parameter that takes only one. */
import { fillArguments } from './fill/fill.ts'
import { parallelClauses } from './parallels.ts'
import type { PlannedStep } from './plan.ts'

/** Returns one step for each value in a list such as "A-1 and A-2", "5, 10 and 15" or "in Oslo and Rome". */
export function oneForEach(step: PlannedStep): PlannedStep[] {
  const { clause, offer, hindrance } = step
  if (offer === undefined || hindrance !== undefined || offer.parameters.some(({ type }) => type === 'array')) return [step]
  const values = new Set(fillArguments(offer, clause, []).args.values())
  const ids = clause.tokens.filter(({ kind }) => kind === 'id')
  const takesOne = ids.length > 1 && ids.filter(({ text }) => values.has(text)).length === 1
  const parts = takesOne
    ? ids.map((id) => ({ ...clause, tokens: clause.tokens.filter((token) => token === id || token.kind !== 'id') }))
    : parallelClauses(clause, offer, values)
  return parts.length > 0 ? parts.map((part) => ({ clause: part, offer, isPart: true })) : [step]
}
