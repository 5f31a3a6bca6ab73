/** Determines the kind of text that a parameter takes, and how well the kind and the preposition of a phrase match it. */

import type { Phrase } from '../clauses/phrase.ts'
import type { Parameter } from '../tools/parameters.ts'
import { toIsoDate } from '../words/dates.ts'
import { areSynonyms } from '../words/lexicon.ts'
import { stem } from '../words/stem.ts'

/** Returns true for a parameter that takes free text rather than a name. */
export function isTextual({ words, descriptionStems }: Parameter): boolean {
  return (
    words.some((word) => TEXTS.has(word) || areSynonyms(stem(word), SEEK)) ||
    [...descriptionStems].slice(0, 5).some((word) => TEXTS.has(word) || areSynonyms(word, SEEK))
  )
}

const SEEK = stem('seek')
const TEXTS = new Set([
  'text',
  'keyword',
  'term',
  'phrase',
  'sentence',
  'content',
  'messag',
  'message',
  'question',
  'topic',
  'prompt',
  'string',
  'subject',
])

/** Returns true for a parameter that takes a time. */
export function isTimely({ words, format = '' }: Parameter): boolean {
  return format.startsWith('date') || format === 'time' || words.some((word) => TIMES.has(word))
}

const TIMES = new Set(['date', 'time', 'datetime', 'when', 'at', 'on'])

/** Returns true for a parameter that takes a reason: "Why it is returned". */
export function isForReason({ description }: Parameter): boolean {
  return /^why\b/i.test(description)
}

/** Returns true for a parameter that takes a purpose: "What it is for". */
export function isForPurpose({ description, required }: Parameter): boolean {
  return !required && /^what (?:it|this) is for\b/i.test(description)
}

/** Returns true for a parameter that names a source or a destination. */
export function isDirected(parameter: Parameter): boolean {
  return directionOf(parameter) !== undefined
}

/** Returns true for a parameter that takes a location, by its words or by an example such as "Paris, France". */
function isPlace({ stems, descriptionStems, description }: Parameter): boolean {
  return PLACES.some((word) => stems.includes(word) || descriptionStems.has(word)) || /\p{Lu}\p{Ll}+, \p{Lu}/u.test(description)
}

const PLACES = ['where', 'located', 'place', 'area', 'region', 'near'].map(stem)

const PLACE_PREPOSITIONS = new Set(['in', 'at', 'near', 'around', 'within', 'across'])

const DIRECTIONS: readonly (readonly [string, ReadonlySet<string>])[] = [
  ['from', new Set(['from', 'source', 'origin', 'start', 'starting', 'begin', 'sender', 'base', 'old'])],
  ['to', new Set(['to', 'destination', 'dest', 'end', 'ending', 'recipient', 'receiver', 'into', 'new', 'goal'])],
]

const SAME = new Map([
  ['into', 'to'],
  ['towards', 'to'],
  ['between', 'from'],
])

/** Returns the direction that a word of the name expresses, or else the preposition at the end of the description. */
export function directionOf({ words, description }: Parameter): string | undefined {
  const named = DIRECTIONS.find(([, names]) => words.some((word) => names.has(word)))?.[0]
  const last = /^[^:;.,(]{0,200}\b(from|to|into)(?:[:;.,)]|$)/i.exec(description.trimEnd())?.[1]?.toLowerCase()
  return named ?? (last === 'into' ? 'to' : last)
}

/** Scores how well the kind of a phrase matches the parameter's name, format and description. */
export function kindScore(parameter: Parameter, { kind, proper }: Phrase): number {
  const words = KIND_WORDS.get(kind)
  const wants = (names: readonly string[]) =>
    names.some((name) => parameter.words.includes(name) || parameter.format?.startsWith(name) === true)
  const mentions = (names: readonly string[]) => names.some((name) => parameter.descriptionStems.has(name))
  if (kind === 'date' && isTimely(parameter)) return 5
  if (words !== undefined) return wants(words) ? 5 : mentions(words.slice(0, 2)) ? 2 : parameter.required ? -0.7 : -1.5
  if (kind === 'number') return parameter.identifier ? 2 : wants(['number', 'code', 'version']) ? 1 : -1.8
  if (kind === 'quote') return parameter.identifier ? 0.5 : parameter.required ? (isTextual(parameter) ? 3.5 : 2) : 1
  if (parameter.identifier || parameter.format === 'email' || parameter.format === 'uri') return -4
  const isDate = parameter.format?.startsWith('date') === true || wants(['date', 'datetime'])
  if (isDate) return proper ? -5 : -0.5
  return 0
}

const KIND_WORDS = new Map([
  ['date', ['date', 'datetime', 'when']],
  ['time', ['time', 'datetime', 'when']],
  ['email', ['email', 'recipient', 'to']],
  ['url', ['url', 'uri', 'link', 'site', 'page', 'path', 'file', 'directory', 'folder']],
  ['id', ['id', 'number', 'code', 'reference', 'identifier']],
  ['formula', ['function', 'expression', 'equation', 'formula']],
])

/** Scores how well the preposition before a phrase matches the parameter. */
export function prepositionScore(parameter: Parameter, { preposition = '', proper }: Phrase): number {
  const own = directionOf(parameter)
  const said = SAME.get(preposition) ?? preposition
  const isDirection = said === 'from' || said === 'to'
  if (own !== undefined) return said === own ? 3 : isDirection ? -3 : -0.5
  if (isDirection) return -0.3
  if (PLACE_PREPOSITIONS.has(preposition) && proper) return isPlace(parameter) ? 2 : -0.5
  return preposition === '' ? 0 : proper ? 0.8 : 0.3
}

/** Converts a written-out date to ISO format if the schema asks for it. Returns undefined if that isn't possible, as for "tomorrow". */
export function dateFor({ format, description }: Parameter, text: string): string | undefined {
  const wantsIso = format?.startsWith('date') === true || /yyyy-mm-dd|iso/i.test(description)
  return wantsIso && !/^\d{4}-/.test(text) ? toIsoDate(text) : text
}
