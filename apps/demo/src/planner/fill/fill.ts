/** Fills a tool's arguments from a clause and from the results of earlier calls. */

import type { Clause } from '../clauses/clauses.ts'
import { hasExtreme, isExtremeWord } from '../clauses/superlatives.ts'
import type { Finding } from '../rows.ts'
import { effectOf, looks, type Offer } from '../tools/catalog.ts'
import type { Parameter } from '../tools/parameters.ts'
import { type Draft, unfilled } from './draft.ts'
import { fillChoices } from './fill-choices.ts'
import { fillPeriod } from './fill-dates.ts'
import { fillLists } from './fill-lists.ts'
import { fillNumbers, fillUnits } from './fill-numbers.ts'
import { fillPurpose, fillReason, fillTexts } from './fill-texts.ts'
import { valueFromFindings } from './references.ts'

export interface Filling {
  /** Arguments in the order of the schema. */
  readonly args: ReadonlyMap<string, unknown>
  /** Names of arguments whose value is certain, not just assigned by its position. */
  readonly sure: ReadonlySet<string>
  /** Required parameters without a value. */
  readonly missing: readonly Parameter[]
}

/** Fills the parameters for which the clause contains evidence. `inputs` contains further inputs of the task, by name. */
export function fillArguments(
  offer: Offer,
  clause: Clause,
  findings: readonly Finding[],
  inputs?: ReadonlyMap<string, string>,
): Filling {
  const { parameters } = offer
  const isFilter = parameters.some(
    ({ bound, type, description }) =>
      bound !== undefined || (type === 'integer' && looks(offer) && /\bhow many\b/i.test(description)),
  )
  const draft: Draft = {
    offer,
    clause: isFilter ? withoutExtremes(clause) : clause,
    args: new Map(),
    sure: new Set(),
    used: new Set(),
  }
  const isCareful = effectOf(offer) !== 'reads'
  for (const { name, type } of parameters) {
    const input = type === 'string' ? inputs?.get(name) : undefined
    if (input !== undefined) draft.args.set(name, input)
  }
  fillLists(draft, parameters)
  fillNumbers(draft, parameters)
  fillChoices(draft, parameters)
  fillUnits(draft, parameters)
  fillPeriod(draft, parameters)
  fillPurpose(draft, parameters)
  fillTexts(draft, parameters)
  fillObjects(draft, parameters)
  fillReason(draft, parameters)
  for (const parameter of missingOf(draft)) {
    const value = valueFromFindings(parameter, clause, findings, isCareful)
    if (value === undefined) continue
    draft.args.set(parameter.name, value)
    if (parameter.identifier) draft.sure.add(parameter.name)
  }
  fillCount(draft)
  const args = new Map(parameters.flatMap(({ name }) => (draft.args.has(name) ? [[name, draft.args.get(name)] as const] : [])))
  for (const { name, description } of parameters) {
    const value = args.get(name)
    if (typeof value === 'string' && isListed(value, description)) draft.sure.add(name)
  }
  return { args, sure: draft.sure, missing: missingOf(draft) }
}

/** Returns true for an example in quotation marks, and for an item of a list at the end of the description: "Color: Red, Green". */
function isListed(value: string, description: string): boolean {
  const list =
    description
      .split(': ')
      .at(-1)
      ?.split(/, | or /) ?? []
  return description.includes(`"${value}"`) || (list.length > 1 && list.includes(value))
}

function missingOf(draft: Draft): Parameter[] {
  return unfilled(draft, draft.offer.parameters).filter(({ required }) => required)
}

/** Sets a missing required count to 1 if the clause identifies an item by its id. */
function fillCount(draft: Draft): void {
  const [count, ...others] = missingOf(draft)
  const hasId = draft.offer.parameters.some(({ identifier, name }) => identifier && draft.args.has(name))
  if (count === undefined || others.length > 0 || !hasId || count.type !== 'integer') return
  if (count.least === 1 || COUNT.test(`${count.words.join(' ')} ${count.description}`)) draft.args.set(count.name, 1)
}

const COUNT = /\b(?:how many|number of|count|units|copies|pieces)\b/i

/** Fills a nested object like the arguments of a tool. Skips the object if a required value is missing. */
function fillObjects(draft: Draft, parameters: readonly Parameter[]): void {
  for (const { type, name, properties } of unfilled(draft, parameters)) {
    if (type !== 'object' || properties.length === 0) continue
    const { args, missing } = fillArguments({ ...draft.offer, parameters: properties }, draft.clause, [])
    if (args.size > 0 && missing.length === 0) draft.args.set(name, Object.fromEntries(args))
  }
}

/** Removes words such as "cheapest". They choose one of the filtered rows, so they aren't filters themselves. */
function withoutExtremes(clause: Clause): Clause {
  if (!hasExtreme(clause.tokens)) return clause
  const isKept = (index: number) => !isExtremeWord(clause.tokens[index]?.lower ?? '') || clause.tokens[index - 1]?.lower === 'at'
  return { ...clause, tokens: clause.tokens.filter((_, index) => isKept(index)) }
}
