/** Fills arrays. */

import { findPhrases } from '../clauses/phrases.ts'
import { findQuantities } from '../clauses/quantities.ts'
import type { Parameter } from '../tools/parameters.ts'
import { type Draft, take, unfilled } from './draft.ts'
import { matchChoice } from './match-choices.ts'
import { type ListMatch, numberLists, textList } from './match-lists.ts'
import { subjectOf } from './subject.ts'

/** Fills each array if the clause contains a list for it. A required array may also get a single value. */
export function fillLists(draft: Draft, parameters: readonly Parameter[]): void {
  const rows = numberLists(draft.clause)
  for (const parameter of unfilled(draft, parameters)) {
    if (parameter.type !== 'array') continue
    const list = listFor(draft, parameter, rows)
    if (list === undefined) continue
    draft.args.set(parameter.name, list.values)
    take(draft, list.from, list.to)
  }
}

function listFor(draft: Draft, parameter: Parameter, rows: ListMatch[]): ListMatch | undefined {
  const { item, required } = parameter
  if (item?.type === 'integer' || item?.type === 'number') return rows.shift() ?? (required ? allNumbers(draft) : undefined)
  if (item?.choices !== undefined) return namedChoices(draft, item)
  if (item?.type !== 'string' && item?.type !== 'any') return undefined
  const list = textList(parameter, findPhrases(draft.clause, draft.used), draft.clause)
  return list ?? (required ? wholeSubject(draft) : undefined)
}

function allNumbers({ clause }: Draft): ListMatch | undefined {
  const quantities = findQuantities(clause.tokens).filter(({ exact }) => exact)
  const [first, last] = [quantities[0], quantities.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return { values: quantities.map(({ value }) => value), from: first.index, to: last.index + 1 }
}

function namedChoices({ clause }: Draft, item: Parameter): ListMatch | undefined {
  const values = (item.choices ?? []).filter((choice) => matchChoice({ ...item, choices: [choice] }, clause.tokens) !== undefined)
  return values.length > 0 ? { values, from: 0, to: 0 } : undefined
}

function wholeSubject({ clause, used, offer }: Draft): ListMatch | undefined {
  const text = subjectOf(clause, findPhrases(clause, used), offer)
  return text === '' ? undefined : { values: [text], from: 0, to: 0 }
}
