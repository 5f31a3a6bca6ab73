/** Splits a step if its clause lists several values for a parameter that takes only one. */
import type { Clause } from './clauses/clauses.ts'
import { fillArguments } from './fill/fill.ts'
import { type ChoiceMatch, matchChoice } from './fill/match-choices.ts'
import { parallelClauses } from './parallels.ts'
import type { PlannedStep } from './plan.ts'
import { effectOf, type Offer } from './tools/catalog.ts'
import { examplesIn } from './tools/parameters.ts'
import { DETERMINERS } from './words/words.ts'

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
  const all = parts.length > 0 ? parts : listedClauses(clause, offer)
  return all.length > 0 ? all.map((part) => ({ clause: part, offer, isPart: true })) : [step]
}

/** Returns one clause for each choice or example of a parameter in a list such as "lamps or chairs", if the tool only reads. */
function listedClauses({ tokens, ...clause }: Clause, offer: Offer): Clause[] {
  if (effectOf(offer) !== 'reads') return []
  for (const parameter of offer.parameters) {
    const matches = [...(parameter.choices ?? examplesIn(parameter.description)), ...parameter.codes.keys()].flatMap(
      (choice) => matchChoice({ ...parameter, choices: [choice] }, tokens) ?? [],
    )
    const places = [...new Map(matches.map((match) => [match.from, match])).values()].sort((one, other) => one.from - other.from)
    const isJoined = ({ from }: ChoiceMatch, index: number) => {
      const between = tokens.slice(places[index - 1]?.to, from)
      return index === 0 || (between.length > 0 && between.every(({ lower }) => JOINTS.has(lower) || DETERMINERS.has(lower)))
    }
    const [first, last] = [places[0], places.at(-1)]
    if (first === undefined || last === undefined || first === last || !places.every(isJoined)) continue
    return places.map(({ from, to }) => ({
      ...clause,
      tokens: [...tokens.slice(0, first.from), ...tokens.slice(from, to), ...tokens.slice(last.to)],
    }))
  }
  return []
}

const JOINTS = new Set([',', 'and', '&', 'or', 'also', 'in'])
