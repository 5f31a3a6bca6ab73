/** Finds words that matter in a clause but that a call doesn't account for. */
import type { Clause } from './clauses/clauses.ts'
import { isPredicate } from './clauses/predicates.ts'
import { asksWhatIs } from './clauses/questions.ts'
import { isExtremeWord } from './clauses/superlatives.ts'
import { effectOf, type Offer } from './tools/catalog.ts'
import { daysAround, daysOf, toIsoDate } from './words/dates.ts'
import { areSynonyms, isAsking, isVerb, verbGroups, verbOfPhrase } from './words/lexicon.ts'
import { stem, stemsOf } from './words/stem.ts'
import type { Token } from './words/token.ts'
import { unitOf } from './words/units.ts'
import { DETERMINERS, FUNCTION_WORDS, LIGHT_WORDS, PRONOUNS, placeOfWord, WISHES } from './words/words.ts'

/**
 * Returns the position of a word that is neither a word of the tool nor a part of its arguments. `held` contains the words of the
 * arguments. An acting tool must account for every word that matters, and a reading tool for at least half of them. These don't matter:
 * function words, courtesies, numbers, units, words that choose a row, and remarks such as "I moved".
 */
export function unknownWordIn(
  clause: Clause,
  offer: Offer,
  held: ReadonlySet<unknown>,
  certain: ReadonlySet<unknown>,
  isStrict = false,
): number | undefined {
  const { tokens } = clause
  const stems = stemsIn(held)
  const remarks = remarksIn(tokens)
  const relevant = [...tokens.keys()].filter((index) => matters(tokens, index) && !remarks.has(index))
  const unknown = relevant.filter((index) => !isKnown(tokens, index, offer, stems) && !holdsDate(held, tokens[index]?.text ?? ''))
  if (effectOf(offer) !== 'reads') return unknown[0]
  const value = tokens.findIndex(({ kind, number }, index) =>
    kind === 'number' ? !held.has(number) : kind !== 'word' && unknown.includes(index),
  )
  if (value >= 0) return value
  if (unknown.length * (isStrict ? relevant.length + 1 : 3) > relevant.length) return unknown[0]
  if (asksWhatIs(clause)) return undefined
  const own = stemsIn(certain)
  const isEvidence = (index: number) => {
    const { stem: said, lower, text } = tokens[index] as Token
    return (
      offer.weights.has(said) ||
      own.has(said) ||
      holdsDate(certain, text) ||
      stemsOf(toIsoDate(text) ?? lower).some((part) => own.has(part))
    )
  }
  const isMeasured = (index: number) => isExtremeWord(tokens[index - 1]?.lower ?? '') && isEvidence(index)
  return relevant.length === 0 || relevant.some(isEvidence) || [...tokens.keys()].some(isMeasured)
    ? undefined
    : (relevant.find((index) => !isAsking((tokens[index] as Token).stem)) ?? relevant[0])
}

function stemsIn(values: ReadonlySet<unknown>): ReadonlySet<string> {
  return new Set([...values].flatMap((value) => (typeof value === 'string' ? stemsOf(value) : [])))
}

function matters(tokens: readonly Token[], index: number): boolean {
  const { kind, lower, text, number } = tokens[index] as Token
  if (kind === 'sign' || kind === 'number' || number !== undefined || lower === 'today') return false
  if (kind !== 'word') return true
  if (FUNCTION_WORDS.has(lower) || LIGHT_WORDS.has(lower) || WISHES.has(lower) || PRONOUNS.has(lower)) return false
  // An extreme and the word after it, as in "the best rated", choose a row.
  return (
    !isExtremeWord(lower) &&
    !isExtremeWord(tokens[index - 1]?.lower ?? '') &&
    placeOfWord(lower) === undefined &&
    unitOf(text) === undefined
  )
}

function isKnown(tokens: readonly Token[], index: number, offer: Offer, stems: ReadonlySet<string>): boolean {
  const { kind, lower, stem: own, text } = tokens[index] as Token
  const { weights, nameStems, parameters, verbs, nameGroups, descriptionGroups } = offer
  if (kind !== 'word')
    return [toIsoDate(text) ?? text, text].some((one) => stemsOf(one).every((part) => stems.has(part) || weights.has(part)))
  if (weights.has(own) || stemsOf(lower).every((part) => stems.has(part)) || isAsking(own) || isPredicate(tokens, index))
    return true
  if (parameters.some((parameter) => parameter.codes.has(lower) || parameter.stems.includes(own))) return true
  const [before, next] = [tokens[index - 1], tokens[index + 1]]
  if (nameStems.includes(stem(`${lower}${next?.lower}`)) || nameStems.includes(stem(`${before?.lower}${lower}`))) return true
  // In "my electricity bill", the first noun only describes a word of the tool.
  if (
    next !== undefined &&
    nameStems.includes(next.stem) &&
    (DETERMINERS.has(before?.lower ?? '') || (!isVerb(lower) && !isVerb(before?.lower ?? '')))
  )
    return true
  const following = tokens.slice(index + 1, index + 5).map((token) => token.lower)
  const verb = IRREGULAR.get(lower) ?? stem(verbOfPhrase(lower, following) ?? lower)
  if (isAsking(verb)) return true
  const senses = verbGroups(verb)
  if (senses.some((group) => nameGroups.has(group) || descriptionGroups.has(group)) || verbs.has(verb)) return true
  return senses.length > 0 && [...weights.keys()].some((word) => areSynonyms(verb, word))
}

/** Returns true if the values contain the first or last day of the date, or the day before or after it. */
function holdsDate(held: ReadonlySet<unknown>, text: string): boolean {
  const days = daysOf(text)
  return days !== undefined && [...Object.values(days), ...Object.values(daysAround(days))].some((day) => held.has(day))
}

/** Returns the positions of sentences about the user that ask for nothing: "I moved", "I have called already". */
function remarksIn(tokens: readonly Token[]): ReadonlySet<number> {
  const positions = new Set<number>()
  let start = 0
  for (let end = 0; end <= tokens.length; end++) {
    if (end < tokens.length && tokens[end]?.text !== '.') continue
    const sentence = tokens.slice(start, end)
    const isAboutUser = SPEAKERS.has(sentence[0]?.lower ?? '')
    const isPast = sentence.some(({ kind, lower }) => kind === 'word' && /..ed$/.test(lower))
    if (isAboutUser && isPast && !sentence.some(({ lower }) => isVerb(lower) && !FUNCTION_WORDS.has(lower)))
      for (let index = start; index < end; index++) positions.add(index)
    start = end + 1
  }
  return positions
}

const SPEAKERS: ReadonlySet<string> = new Set(['i', 'we'])

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  'owe settle,sent send,bought buy,told tell,kept keep,written write,held hold'
    .split(',')
    .map((line) => line.split(' ').map(stem) as [string, string]),
)
