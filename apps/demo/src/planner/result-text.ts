/** Writes the result of a call as text for a reader. */
import { isObject } from './json.ts'
import { amountText, currencyOf } from './money.ts'
import type { Finding, Row } from './rows.ts'
import { effectOf } from './tools/catalog.ts'
import { isVerb, pastOf } from './words/lexicon.ts'
import { wordsOfName } from './words/stem.ts'

/** Writes the text about a result: a sentence, or a list with a line for each row. */
export function resultText(name: string, { data, offer, remark }: Finding): string {
  if (typeof data === 'string') return closed(capitalised(data))
  const done = offer !== undefined && effectOf(offer) === 'acts' ? doneText(name) : undefined
  const flag = done === undefined ? undefined : flagText(data)
  if (flag !== undefined) return flag
  const text = Array.isArray(data) ? listText(nounOf(name), data) : isObject(data) ? objectText(withoutFlag(data, done)) : ''
  const shown = text === '' ? (isEmpty(data) ? '' : valueText(data, 0)) : text
  const sentences = [done, remark, shown === '' && done === undefined ? 'nothing was found' : shown]
  return sentences.flatMap((one) => (one === undefined || one === '' ? [] : [closed(capitalised(one))])).join(' ')
}

/** Formats the name of a tool as a completed action: "Added to basket" for `add_to_basket`. */
function doneText(name: string): string {
  const words = wordsOfName(name)
  const verb = Math.max(0, words.findIndex(isVerb))
  const object = verb + 1 < words.length ? words.slice(verb + 1) : words.slice(0, verb)
  return [pastOf(words[verb] ?? ''), ...object].join(' ')
}

/** Formats an object with a single boolean, e.g. as "Not removed". */
function flagText(data: unknown): string | undefined {
  const [only, ...others] = isObject(data) ? Object.entries(data) : []
  if (only === undefined || others.length > 0 || typeof only[1] !== 'boolean') return undefined
  const words = wordsOfName(only[0]).join(' ')
  return closed(capitalised(only[1] ? words : `not ${words}`))
}

/** Omits a field that only repeats what was done, such as `removed: true`. */
function withoutFlag(data: Row, done = ''): Row {
  return Object.fromEntries(
    Object.entries(data).filter(([field, value]) => value !== true || !done.startsWith(wordsOfName(field).join(' '))),
  )
}

/** Returns the words after the verb in a tool's name, which name the things that it lists. */
function nounOf(name: string): string {
  const words = wordsOfName(name)
  const verb = words.findIndex(isVerb)
  return verb < 0 ? '' : words.slice(verb + 1).join(' ')
}

function listText(noun: string, items: readonly unknown[], currency?: string): string {
  if (items.length === 0) return noun === '' ? 'nothing was found' : `no ${noun} were found`
  const texts = items.map((item) => itemText(item, currency))
  const shown = shortList(texts)
  const rest = items.length - shown.length
  const [only] = shown
  if (items.length === 1 && only !== undefined && isObject(items[0])) return only
  const title = `${items.length} ${counted(noun === '' ? 'results' : noun, items.length)}`
  if (!shown.some((text) => text.includes(': '))) return `${title}: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  return [`${title}:`, ...shown.map((text) => `- ${text}`), ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')
}

function counted(noun: string, count: number): string {
  return count === 1 ? noun.replace(/s$/, '') : noun
}

function itemText(item: unknown, currency: string | undefined): string {
  return isObject(item) ? rowText(item, 0, currency) : valueText(item, 1, currency)
}

/** Formats an object. A single list is shown as the list, followed by the other fields. A single field is shown as its value. */
function objectText(data: Row): string {
  const fields = Object.entries(data)
  const [list, second] = fields.filter(([, value]) => Array.isArray(value))
  if (list !== undefined && second === undefined && !fields.some(([, value]) => isObject(value) && !Array.isArray(value))) {
    const [name, items] = list
    const others = fields.filter(([field]) => field !== name)
    const rest = fieldTexts(Object.fromEntries(others), 0).join(', ')
    if (titleOf(data) === undefined) {
      const text = listText(wordsOfName(name).join(' '), items as readonly unknown[], currencyOf(data))
      return rest === '' ? text : `${closed(text)}${text.includes('\n') ? '\n' : ' '}${capitalised(rest)}`
    }
  }
  const [only] = fields
  if (fields.length !== 1 || only === undefined || isEmpty(only[1])) return rowText(data, 0)
  if (typeof only[1] === 'string') return only[1]
  const words = wordsOfName(only[0]).join(' ')
  return typeof only[1] === 'number' && words.endsWith('ed') ? `${only[1]} ${words}` : `the ${words} is ${valueText(only[1], 1)}`
}

const MOST_ROWS = 10
const MOST_NAMES = 20
/** Average length of a short text in UTF-16 code units. */
const SHORT = 25
const MOST_FIELDS = 12

/** Formats a value. `currency` comes from the enclosing object. */
function valueText(value: unknown, depth: number, currency?: string): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) {
    const shown = value.map((item) => itemText(item, currency))
    const texts = shortList(shown)
    const rest = value.length - texts.length
    return `${texts.join(value.some(isObject) ? '; ' : ', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  }
  if (isObject(value)) return depth > 2 ? shortened(JSON.stringify(value), 200) : rowText(value, depth, currency)
  return typeof value === 'string' ? (dateText(value) ?? shortened(value, 1000)) : String(value)
}

/** Keeps the first few texts, and more of them if they are short, such as names. */
function shortList(texts: readonly string[]): readonly string[] {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const isShort = length < texts.length * SHORT
  const most = isShort ? MOST_NAMES : MOST_ROWS
  // "And 1 more" would take as much space as the text itself.
  return texts.slice(0, texts.length === most + 1 ? texts.length : most)
}

const TITLES = new Set(['name', 'title', 'label', 'text'])
const IDS = new Set(['id', 'code', 'number'])

/** Returns the field that names a row. */
function titleOf(row: Row): readonly [string, string] | undefined {
  return endingIn(row, TITLES) ?? endingIn(row, IDS)
}

function endingIn(row: Row, words: ReadonlySet<string>): readonly [string, string] | undefined {
  const field = Object.keys(row).find((one) => typeof row[one] === 'string' && words.has(wordsOfName(one).at(-1) ?? ''))
  return field === undefined ? undefined : [field, row[field] as string]
}

/** Formats a row as "Name (id): field value, field value". */
export function rowText(row: Row, depth: number, currency?: string): string {
  const title = titleOf(row)
  if (title === undefined) return fieldTexts(row, depth + 1, currency).join(', ')
  const { [title[0]]: _, ...rest } = row
  const id = IDS.has(wordsOfName(title[0]).at(-1) ?? '') ? undefined : endingIn(rest, IDS)
  const others = Object.fromEntries(Object.entries(rest).filter(([field]) => field !== id?.[0]))
  const name = `${shortened(title[1], 200)}${id === undefined ? '' : ` (${shortened(id[1], 200)})`}`
  const { description, ...fields } = others
  const isApart = depth === 0 && typeof description === 'string' && description !== ''
  const texts = fieldTexts(isApart ? fields : others, depth + 1, currency)
  const text = texts.length > 0 ? `${name}: ${texts.join(', ')}` : name
  return isApart ? `${closed(text)} ${closed(shortened(description, 1000))}` : text
}

/**
 * Formats the fields of a row. Amounts are shown with their currency, which isn't listed as a separate field. Empty fields are omitted.
 */
function fieldTexts(row: Row, depth: number, outer?: string): string[] {
  const own = currencyOf(row)
  const currency = own ?? outer
  const entries = Object.entries(row)
    .filter(([, value]) => !isEmpty(value))
    .map(([field, value]) => ({ field, value, amount: amountText(field, value, currency) }))
  const isShown = own !== undefined && entries.some(({ amount }) => amount !== undefined)
  const fields = entries.filter(({ field }) => !(isShown && field === 'currency'))
  const texts = fields.slice(0, MOST_FIELDS).map(({ field, value, amount }) => {
    const separator = typeof value === 'object' || typeof value === 'boolean' ? ': ' : ' '
    const text = amount ?? valueText(value, depth + 1, currency)
    // A text that contains a comma would look like several fields.
    const isApart = typeof value === 'string' && text.includes(',')
    return `${wordsOfName(field).join(' ') || field}${separator}${isApart ? `"${text}"` : text}`
  })
  return fields.length > MOST_FIELDS ? [...texts, `and ${fields.length - MOST_FIELDS} more`] : texts
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

/** Formats an ISO date, or a time in UTC: `2026-11-05`, `2026-11-05 09:00`. Returns undefined for any other text. */
function dateText(text: string): string | undefined {
  const [isDate, time] = ISO_DATE.exec(text) ?? []
  if (isDate === undefined || Number.isNaN(Date.parse(text))) return undefined
  return time === undefined ? text : `${text.slice(0, 10)} ${time.slice(1, 6)}`
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z)?$/

export function closed(text: string): string {
  const trimmed = text.trim()
  const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1)
  return /[.!?]$/.test(trimmed) || trimmed === '' || last.startsWith('- ') ? trimmed : `${trimmed}.`
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function shortened(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
