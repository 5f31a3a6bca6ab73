/** Makes several steps of one whose clause lists values for a parameter that takes one of them. */
import { looks } from './catalog.ts'
import type { Clause } from './clauses.ts'
import { fillArguments } from './fill.ts'
import { numberLists } from './match-lists.ts'
import type { Phrase } from './phrase.ts'
import { findPhrases } from './phrases.ts'
import type { PlannedStep } from './plan.ts'

/** "A-1 and A-2", "5, 10 and 15", "in Oslo and Rome": a step for each value. */
export function oneForEach(step: PlannedStep): PlannedStep[] {
  const { clause, offer, hindrance } = step
  if (offer === undefined || hindrance !== undefined || offer.parameters.some(({ type }) => type === 'array')) return [step]
  const values = new Set(fillArguments(offer, clause, []).args.values())
  const row = [idRow(clause), numberRow(clause), looks(offer) ? properRow(clause) : []].find((spans) => isSpread(spans, values))
  if (row === undefined) return [step]
  return row.map((span) => ({
    clause: without(
      clause,
      row.filter((other) => other !== span),
    ),
    offer,
  }))
}

interface Span {
  readonly value: unknown
  readonly from: number
  readonly to: number
}

/** Several values of which the arguments of one call take one. */
function isSpread(spans: readonly Span[], values: ReadonlySet<unknown>): boolean {
  return spans.length > 1 && spans.filter(({ value }) => values.has(value)).length === 1
}

function without({ tokens, ...clause }: Clause, spans: readonly Span[]): Clause {
  return { ...clause, tokens: tokens.filter((_, index) => !spans.some(({ from, to }) => index >= from && index < to)) }
}

function idRow({ tokens }: Clause): Span[] {
  return tokens.flatMap(({ kind, text }, index) => (kind === 'id' ? [{ value: text, from: index, to: index + 1 }] : []))
}

function numberRow(clause: Clause): Span[] {
  const list = numberLists(clause)[0]
  if (list === undefined) return []
  return clause.tokens.flatMap(({ number }, index) => {
    return number !== undefined && index >= list.from && index < list.to ? [{ value: number, from: index, to: index + 1 }] : []
  })
}

/** The phrases with capitals that "and" and commas join. */
function properRow(clause: Clause): Span[] {
  const proper = findPhrases(clause, new Set()).filter((phrase) => phrase.proper)
  const isJoint = (from: number, to: number) =>
    to > from && to - from < 4 && clause.tokens.slice(from, to).every(({ lower }) => JOINTS.has(lower))
  const isNext = (phrase: Phrase, other: Phrase) => isJoint(phrase.to, other.from) || isJoint(other.to, phrase.from)
  return proper
    .filter((phrase) => proper.some((other) => isNext(phrase, other)))
    .map(({ text, from, to }) => ({ value: text, from, to }))
}

const JOINTS = new Set([',', 'and', '&', 'in', 'at', 'for'])
