/** The planner's sentences: thoughts, questions and failures. */

import type { Hindrance } from './clauses/intents.ts'
import type { Obstacle } from './obstacles.ts'
import type { PlannedCall } from './plan.ts'
import { capitalised, closed, rowText, shortened } from './result-text.ts'
import type { Row } from './rows.ts'
import type { Offer } from './tools/catalog.ts'
import type { Parameter } from './tools/parameters.ts'

/** Writes the text beside the calls of a turn. */
export function thought(calls: readonly PlannedCall[]): string {
  const reasons = [...new Set(calls.map(({ reason }) => `"${shortened(reason, 120)}"`))]
  return `The request asks for ${reasons.join(' and ')}; calling ${calls.map(({ offer }) => offer.name).join(', ')}.`
}

/** Writes the sentence about a failed call. It consists of the error message only, which already has a subject. */
export function failure(message: string): string {
  const rejected = /^Error: The approver rejected this call\b[^.]*\.(?: \w+: (.*))?/s.exec(message)
  if (rejected !== null)
    return `This wasn't approved, so nothing was changed.${rejected[1] === undefined ? '' : ` ${closed(rejected[1])}`}`
  return closed(capitalised(shortened(message.replace(/^Error: (?:"[^"\n]{1,200}" failed: )?/, ''), 300)))
}

export function notRun(name: string): string {
  return `The call to ${name} returned no result.`
}

export function noTool(clause: string): string {
  return `None of the available tools fits "${shortened(clause, 160)}", so nothing was called for it.`
}

/** Explains why a part of the request changed nothing. */
export function notDone(clause: string, hindrance: Hindrance, { name }: Offer): string {
  return `"${shortened(clause, 160)}" ${hindrance === 'undone' ? `asks for something that ${name} doesn't do` : REASONS[hindrance]}, so nothing was changed.`
}

const REASONS = {
  negated: 'says what not to do',
  conditional: 'depends on a condition',
  question: 'is a question',
  report: "isn't a request",
}

/** Explains which part of a request a call would get wrong. */
export function notTaken(clause: string, { kind, text }: Obstacle, { name }: Offer): string {
  if (kind === 'unknown')
    return `"${shortened(text, 60)}" in "${shortened(clause, 160)}" isn't understood, so ${name} wasn't called.`
  return `To do "${shortened(clause, 160)}", ${name} would need ${NEEDS[kind]} "${shortened(text, 60)}", so nothing was changed.`
}

const NEEDS = {
  share: "a number, and this planner can't compute the share",
  unit: 'the number in its own unit instead of that of',
  dropped: "an argument that it doesn't have for",
}

/** Writes the sentence about the row that an extreme refers to. */
export function chosenRow(word: string, row: Row): string {
  return closed(`The ${word} is ${rowText(row, 0)}`)
}

/** Writes the sentence for an extreme if no field of the rows is about it. */
export function noScale(word: string): string {
  return `The results don't show which one is the ${word}.`
}

export function missingValue(
  missing: readonly Parameter[],
  { name }: Offer,
  clause: string,
  candidates: readonly string[] = [],
): string {
  const more = candidates.length > MOST_ROWS ? `, and ${candidates.length - MOST_ROWS} more` : ''
  const question =
    candidates.length > 0
      ? `Which of these is meant: ${candidates.slice(0, MOST_ROWS).join(', ')}${more}?`
      : `What should ${missing.length > 1 ? 'they' : 'it'} be?`
  return `To do "${shortened(clause, 160)}", ${name} also needs ${missing.map(thingOf).join(' and ')}. ${question}`
}

/** Returns the start of the parameter's description: "the id of the lamp". Returns the parameter's name if it has no description. */
function thingOf({ description, words }: Parameter): string {
  const text = /^[^:;,.(]{3,80}/.exec(description)?.[0].trim() ?? words.join(' ')
  const said = /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
  return /^(?:what|when|where|which|who|why|how|a|an|the)\b/.test(said) ? said : `the ${said}`
}

export const NOTHING_CHANGED = 'So nothing was changed.'

export function nothingCalled(name: string): string {
  return `Nothing called "${shortened(name, 160)}" was found.`
}

export const NO_ANSWER =
  'This is a planner for development, not a language model. It can only call tools, and no available tool can answer this.'

const MOST_ROWS = 10
