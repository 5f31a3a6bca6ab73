/** Fills the two ends of a period from one date: "in September 2027", "on 10 July 2027", "after 1 May 2027". */

import type { Parameter } from '../tools/parameters.ts'
import { daysAround, daysOf } from '../words/dates.ts'
import { type Draft, take, unfilled } from './draft.ts'
import { directionOf, isTimely } from './text-kinds.ts'

/** Fills a parameter for the first day and one for the last day if the clause contains a single date. */
export function fillPeriod(draft: Draft, parameters: readonly Parameter[]): void {
  const { tokens } = draft.clause
  const [place, ...others] = [...tokens.keys()].filter((index) => tokens[index]?.kind === 'date')
  if (place === undefined || others.length > 0 || draft.used.has(place)) return
  const ends = unfilled(draft, parameters).filter((parameter) => isTimely(parameter) && parameter.type === 'string')
  const [first, last] = ['from', 'to'].map((end) => ends.find((parameter) => directionOf(parameter) === end))
  const days = daysOf(tokens[place]?.text ?? '')
  if (first === undefined || last === undefined || days === undefined) return
  const before = tokens[place - 1]?.lower ?? ''
  if (before === 'of' || before === 'between') return
  if (!ENDING.has(before)) set(draft, first, before === 'after' ? daysAround(days).after : days.first)
  if (!STARTING.has(before)) set(draft, last, before === 'before' ? daysAround(days).before : days.last)
  take(draft, place, place + 1)
}

const STARTING = new Set(['after', 'from', 'since'])
const ENDING = new Set(['before', 'by', 'until', 'till', 'to'])

function set({ args, sure }: Draft, { name }: Parameter, day: string): void {
  args.set(name, day)
  sure.add(name)
}
