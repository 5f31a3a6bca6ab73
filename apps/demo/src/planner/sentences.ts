/** The planner's sentences: thoughts, observations, questions and failures. */

import type { Hindrance } from './clauses/intents.ts'
import type { PastCall } from './conversation.ts'
import { isObject, parseJson } from './json.ts'
import type { Obstacle } from './obstacles.ts'
import type { PlannedCall } from './plan.ts'
import type { Finding, Row } from './rows.ts'
import type { Offer } from './tools/catalog.ts'
import type { Parameter } from './tools/parameters.ts'
import { wordsOfName } from './words/stem.ts'

/** Writes the text beside the calls of a turn. */
export function thought(calls: readonly PlannedCall[]): string {
  const reasons = [...new Set(calls.map(({ reason }) => `"${shortened(reason, 120)}"`))]
  return `The request asks for ${reasons.join(' and ')}; calling ${calls.map(({ offer }) => offer.name).join(', ')}.`
}

/** Writes the sentence about a result. */
export function observation({ name, arguments: text }: PastCall, { data }: Finding): string {
  if (typeof data === 'string') return closed(data)
  const title = capitalised(wordsOfName(name).join(' '))
  const list = onlyList(data)
  if (list !== undefined) return listed(title, list, data as Row)
  if (isEmpty(data)) return `${title}: nothing was found.`
  if (!isObject(data) && !Array.isArray(data)) return closed(`${onlyArgument(text) ?? title}: ${plain(data)}`)
  return closed(`${title}: ${plain(data)}`)
}

/** Returns the only field of an object that is a list. Returns undefined if the object has several lists, or has objects as fields. */
function onlyList(data: unknown): readonly [string, readonly unknown[]] | undefined {
  if (!isObject(data)) return undefined
  const lists = Object.entries(data).flatMap(([field, value]) =>
    Array.isArray(value) ? [[field, value as readonly unknown[]] as const] : [],
  )
  const [list] = lists
  return lists.length === 1 &&
    list !== undefined &&
    Object.values(data).every((value) => Array.isArray(value) || !isObject(value))
    ? list
    : undefined
}

function listed(title: string, [name, items]: readonly [string, readonly unknown[]], data: Row): string {
  const rest = fieldTexts(
    Object.entries(data).filter(([field, value]) => field !== name && !isEmpty(value)),
    0,
  )
  const shown = items.length === 0 ? 'nothing was found' : plain(items)
  return closed(`${title}: ${shown}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`)
}

export function failure(name: string, message: string): string {
  return closed(`The call to ${name} failed: ${shortened(message, 300)}`)
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
    return `"${shortened(text, 60)}" in "${shortened(clause, 160)}" isn't understood, so ${name} wasn't called and nothing was changed.`
  return `To do "${shortened(clause, 160)}", ${name} would need ${NEEDS[kind]} "${shortened(text, 60)}", so nothing was changed.`
}

const NEEDS = {
  share: "a number, and this planner can't compute the share",
  unit: 'the number in its own unit instead of that of',
  dropped: "an argument that it doesn't have for",
}

/** Writes the sentence about the row that an extreme refers to. */
export function chosenRow(word: string, row: Row): string {
  return closed(`The ${word}: ${rowText(row, 0)}`)
}

export function missingValue(
  missing: readonly Parameter[],
  { name }: Offer,
  clause: string,
  candidates: readonly string[] = [],
): string {
  const names = missing.map(({ words }) => words.join(' ')).join(' and ')
  const more = candidates.length > MOST_ROWS ? `, and ${candidates.length - MOST_ROWS} more` : ''
  const question =
    candidates.length > 0
      ? `Which of these is meant: ${candidates.slice(0, MOST_ROWS).join(', ')}${more}?`
      : `What should ${missing.length > 1 ? 'they' : 'it'} be?`
  return `To do "${shortened(clause, 160)}" with ${name}, the ${names} ${missing.length > 1 ? 'are' : 'is'} missing. ${question}`
}

export const NO_ANSWER =
  'This is a planner for development, not a language model. It can only call tools, and no available tool can answer this.'

const MOST_ROWS = 10
const MOST_SHOWN = 100
/** Maximum length of a list in UTF-16 code units. */
const LONGEST_LIST = 1500
const MOST_FIELDS = 12

function plain(value: unknown, depth = 0): string {
  if (isEmpty(value)) return 'none'
  if (Array.isArray(value)) {
    const shown = shortList(
      value.slice(0, MOST_SHOWN).map((item) => (isObject(item) ? rowText(item, depth) : plain(item, depth + 1))),
    )
    return value.length > shown.length
      ? `${shown.join('; ')}; and ${value.length - shown.length} more`
      : shown.join(value.some(isObject) ? '; ' : ', ')
  }
  if (isObject(value))
    return depth > 2 ? shortened(JSON.stringify(value), 200) : fieldTexts(Object.entries(value), depth).join(', ')
  return shortened(String(value), 1000)
}

/** Keeps the first texts in any case, and further ones while the total is short. */
function shortList(texts: readonly string[]): readonly string[] {
  let room = LONGEST_LIST
  return texts.filter((text, index) => {
    room -= text.length
    return index < MOST_ROWS || room > 0
  })
}

const TITLES = new Set(['name', 'title', 'label', 'text'])
const IDS = new Set(['id', 'code', 'number'])

/** Formats a row as "Name (field: value, field: value)". */
function rowText(row: Row, depth: number): string {
  const entries = Object.entries(row)
  const ending = (words: ReadonlySet<string>) =>
    entries.find(([field, value]) => typeof value === 'string' && words.has(wordsOfName(field).at(-1) ?? ''))
  const title = ending(TITLES) ?? ending(IDS)
  const rest = fieldTexts(
    entries.filter((entry) => entry !== title),
    depth + 1,
  )
  if (title === undefined) return rest.join(', ')
  return rest.length > 0 ? `${shortened(String(title[1]), 200)} (${rest.join(', ')})` : shortened(String(title[1]), 200)
}

function fieldTexts(entries: readonly (readonly [string, unknown])[], depth: number): string[] {
  return entries
    .slice(0, MOST_FIELDS)
    .map(([field, value]) => `${wordsOfName(field).join(' ') || field}: ${plain(value, depth + 1)}`)
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0)
  )
}

function onlyArgument(text: string): string | undefined {
  const args = parseJson(text)
  const values = isObject(args) ? Object.values(args) : []
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined
}

function closed(text: string): string {
  const trimmed = text.trim()
  return /[.!?]$/.test(trimmed) || trimmed === '' ? trimmed : `${trimmed}.`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function shortened(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
