/** Fills string parameters with pairs, parts between commas, phrases, or the subject of the clause. */

import type { Clause } from '../clauses/clauses.ts'
import { findPair } from '../clauses/pairs.ts'
import type { Phrase } from '../clauses/phrase.ts'
import { findPhrases } from '../clauses/phrases.ts'
import { reasonStart } from '../clauses/reasons.ts'
import { bodyStart, stretch, textOf } from '../clauses/spans.ts'
import { looks, type Offer, WEIGHTS } from '../tools/catalog.ts'
import type { Parameter } from '../tools/parameters.ts'
import { isVerb } from '../words/lexicon.ts'
import type { Token } from '../words/token.ts'
import { DETERMINERS, FUNCTION_WORDS, LIGHT_WORDS, OWN_WORDS, PREPOSITIONS } from '../words/words.ts'
import { type Draft, take, unfilled } from './draft.ts'
import { matchTexts } from './match-texts.ts'
import { subjectOf, withoutEcho } from './subject.ts'
import { isDirected, isForPurpose, isForReason, isTextual, isTimely } from './text-kinds.ts'

/** Fills the string parameters that have no list of choices. */
export function fillTexts(draft: Draft, parameters: readonly Parameter[]): void {
  const texts = unfilled(draft, parameters).filter(
    ({ type, choices }) => (type === 'string' || type === 'any') && choices === undefined,
  )
  if (fillPair(draft, texts.filter(isNeeded))) return
  if (!fillRow(draft, texts)) fillRow(draft, texts.filter(isNeeded))
  fillInfinitive(draft, unfilled(draft, texts).filter(isNeeded))
  const open = unfilled(draft, texts)
  const needed = open.filter(isNeeded)
  const only =
    needed.length === 1
      ? needed[0]
      : looks(draft.offer) && parameters.every(({ required }) => !required)
        ? open.find(isTextual)
        : undefined
  const { clause, offer, used, args, sure } = draft
  for (const { parameter, phrase, text, isSure } of matchTexts(open, findPhrases(clause, used), clause, offer, only)) {
    args.set(parameter.name, text)
    if (isSure) sure.add(parameter.name)
    take(draft, phrase.from, phrase.to)
  }
  if (only === undefined || args.has(only.name)) return
  const phrases = findPhrases(clause, used)
    .filter((phrase) => only.required || isSearchText(clause, phrase, offer))
    .map((phrase) => (only.required ? phrase : withoutEcho(phrase, offer, clause)))
  const subject = subjectOf(clause, phrases, offer, only.required && isTextual(only))
  if (subject !== '') args.set(only.name, subject)
}

function isNeeded({ required, identifier }: Parameter): boolean {
  return required && !identifier
}

/**
 * Returns true if a search may look for this phrase. Returns false for ids, dates, things of the user ("which of my friends"), words
 * without content ("new"), and things that the tool isn't about ("a restaurant near the concert").
 */
function isSearchText({ tokens: all }: Clause, { kind, tokens, from, to }: Phrase, { weights }: Offer): boolean {
  const thing = all.slice(to + 1, to + 4).find(({ lower }) => !DETERMINERS.has(lower))
  const isElsewhere = PREPOSITIONS.has(all[to]?.lower ?? '') && (weights.get(thing?.stem ?? '') ?? 0) >= WEIGHTS.choice
  return (
    (kind === 'word' || kind === 'quote') &&
    !isElsewhere &&
    !OWN_WORDS.has(all[from - 1]?.lower ?? '') &&
    !tokens.every(({ lower }) => LIGHT_WORDS.has(lower))
  )
}

/** Fills two strings from "Remember that X is Y", where Y is the value and X its name. */
function fillPair({ clause, args }: Draft, needed: readonly Parameter[]): boolean {
  const [label, content] = needed
  if (needed.length !== 2 || label === undefined || content === undefined) return false
  if (needed.some((parameter) => parameter.codes.size > 0 || isDirected(parameter))) return false
  const pair = findPair(clause)
  if (pair === undefined) return false
  args.set(label.name, pair.label)
  args.set(content.name, pair.content)
  return true
}

/** Fills the string for a purpose with the words after the last "for": "for the new roof". */
export function fillPurpose(draft: Draft, parameters: readonly Parameter[]): void {
  const { clause, args, used } = draft
  const { tokens } = clause
  const place = tokens.findLastIndex(({ lower }, index) => lower === 'for' && !used.has(index) && index > bodyStart(tokens))
  const taker = unfilled(draft, parameters).find(isForPurpose)
  if (place < 0 || taker === undefined) return
  const rest = tokens.findIndex(
    ({ lower, kind }, index) => index > place + 1 && (kind === 'sign' || (PREPOSITIONS.has(lower) && lower !== 'of')),
  )
  const end = rest < 0 ? tokens.length : rest
  const text = stretch(clause, place + 1, end)
  const isNumber = tokens.slice(place + 1, end).some(({ number }) => number !== undefined)
  if (text === '' || isNumber) return
  args.set(taker.name, text)
  take(draft, place, end)
}

/** Fills the string for a reason, or else the only unfilled string if the reason starts with "because". */
export function fillReason(draft: Draft, parameters: readonly Parameter[]): void {
  const { clause, args } = draft
  const place = reasonStart(clause.tokens)
  if (place < 0) return
  const open = unfilled(draft, parameters).filter(
    ({ type, choices, identifier, format }) => type === 'string' && choices === undefined && !identifier && format === undefined,
  )
  const isOnly = open.length === 1 && clause.tokens[place - 1]?.lower === 'because'
  const taker = open.find(isForReason) ?? (isOnly ? open[0] : undefined)
  const text = textOf(clause.source, clause.tokens.slice(place)).replace(/[.!\s]+$/, '')
  if (taker !== undefined && text !== '') args.set(taker.name, text)
}

/** Fills a string with the task before the time: "call Tom" in "Remind me to call Tom tomorrow". */
function fillInfinitive(draft: Draft, needed: readonly Parameter[]): void {
  const { clause, args } = draft
  const { tokens } = clause
  const body = bodyStart(tokens)
  const start = tokens.findIndex(
    ({ lower }, index) =>
      index > body && tokens[index - 1]?.lower === 'to' && (isVerb(lower) || isFollowedByObject(tokens, index)),
  )
  const taker = needed.find((parameter) => !isDirected(parameter) && !isTimely(parameter))
  if (start < 0 || taker === undefined) return
  const stop = tokens.findIndex(({ kind }, index) => index > start && (kind === 'date' || kind === 'time' || kind === 'sign'))
  const end = stop < 0 ? tokens.length : stop
  args.set(taker.name, stretch(clause, start, end))
  const early = tokens.findIndex(({ kind }, index) => index >= body && index < start && (kind === 'date' || kind === 'time'))
  take(draft, early < 0 ? body : start, end)
}

/** Returns true for any verb before its object: "water the plants". */
function isFollowedByObject(tokens: readonly Token[], index: number): boolean {
  const { kind, lower, number } = tokens[index] as Token
  const isWord = kind === 'word' && number === undefined && !FUNCTION_WORDS.has(lower)
  return isWord && DETERMINERS.has(tokens[index + 1]?.lower ?? '')
}

const OPENERS = new Set(['at', 'in', 'to', 'is', ':', 'of', 'for', 'near', 'by'])

/**
 * Fills as many string parameters as there are parts between commas: "12 High Street, Springfield, Ohio". If there are fewer parts and the
 * last one is a code or they follow "in", the last parameters are filled.
 */
function fillRow(draft: Draft, texts: readonly Parameter[]): boolean {
  const plain = texts.filter(({ identifier, format }) => !identifier && format === undefined)
  const { clause, args } = draft
  const { tokens } = clause
  const commas = tokens.flatMap(({ text, kind }, index) => (text === ',' && kind === 'sign' ? [index] : []))
  if (plain.length < 2 || commas.length === 0 || plain.some(isDirected) || tokens.some(({ kind }) => kind === 'quote'))
    return false
  const [first, last] = [commas[0] ?? 0, commas.at(-1) ?? 0]
  const opener = tokens.findLastIndex(({ lower }, index) => index < first && OPENERS.has(lower))
  const start = opener < 0 ? bodyStart(tokens) - 1 : opener
  const rest = tokens.findIndex(
    ({ lower, kind, text }, index) => index > last + 1 && (kind === 'sign' || (FUNCTION_WORDS.has(lower) && !CODE.test(text))),
  )
  const end = rest < 0 ? tokens.length : rest
  const parts = [...commas, end].map((to, index) => stretch(clause, index === 0 ? start + 1 : (commas[index - 1] ?? 0) + 1, to))
  const isPlace = CODE.test(parts.at(-1) ?? '') || tokens[opener]?.lower === 'in'
  const areLast = isPlace && parts.length < plain.length && plain.every(({ required }) => !required)
  if (parts.length !== plain.length && !areLast) return false
  if (tokens.some((_, index) => index > start && index < end && draft.used.has(index))) return false
  if (parts.some((part) => part === '' || part.split(' ').length > 5 || /\b(?:and|from|to|for)\b/.test(part))) return false
  plain.slice(-parts.length).forEach(({ name }, index) => {
    args.set(name, parts[index])
    if (areLast) draft.sure.add(name)
  })
  take(draft, start + 1, end)
  return true
}

const CODE = /^\p{Lu}{2,3}$/u
