/** Gives the phrases of a clause to the text parameters of a tool. */
import type { Offer } from './catalog.ts'
import type { Clause } from './clauses.ts'
import { verbGroups } from './lexicon.ts'
import type { Parameter } from './parameters.ts'
import { type Phrase, stretch } from './phrases.ts'
import type { Token } from './token.ts'
import { COPULAS, FUNCTION_WORDS } from './words.ts'

export interface TextMatch {
  readonly parameter: Parameter
  readonly text: string
  readonly phrase: Phrase
}

/** The best assignment of phrases, by labels, prepositions, kinds, nearby words, and otherwise by order. */
export function matchTexts(parameters: readonly Parameter[], phrases: readonly Phrase[], clause: Clause, offer: Offer): TextMatch[] {
  const pairs = parameters.flatMap((parameter, place) =>
    phrases.map((phrase, rank) => ({ parameter, phrase, ...rate(parameter, phrase, clause, offer), place, rank })),
  )
  for (const pair of pairs) pair.score += pair.place === pair.rank ? 0.3 : 0
  pairs.sort((one, other) => other.score - one.score || one.rank - other.rank)
  const matches: TextMatch[] = []
  for (const { parameter, phrase, text, score } of pairs) {
    if (score < (parameter.required ? REQUIRED_SCORE : OPTIONAL_SCORE)) continue
    if (matches.some((match) => match.parameter === parameter || match.phrase === phrase)) continue
    matches.push({ parameter, phrase, text })
  }
  return matches
}

/** The longest stretch of a clause that says more than which tool is meant. */
export function subjectOf(clause: Clause, phrases: readonly Phrase[], offer: Offer): string {
  const own = phrases.filter((phrase) => echo(phrase, offer) < 1)
  const kept = own.length > 0 ? own : phrases
  const first = kept[0]
  if (first === undefined) return ''
  let last = first
  for (const phrase of kept.slice(1)) {
    const between = clause.tokens.slice(last.to, phrase.from)
    if (between.some((token) => token.kind === 'sign' && /[.;:!?]/.test(token.text)) || phrases.some((other) => other.from >= last.to && other.to <= phrase.from)) break
    if (between.some((token) => token.kind !== 'sign' && !FUNCTION_WORDS.has(token.lower))) break
    last = phrase
  }
  return stretch(clause, first.from, last.to)
}

const REQUIRED_SCORE = -2
const OPTIONAL_SCORE = 2.4

function rate(parameter: Parameter, phrase: Phrase, clause: Clause, offer: Offer): { score: number; text: string } {
  const { text, labelled } = withoutLabel(parameter, phrase, clause)
  if (text === '') return { score: -10, text }
  let score = labelled ? 4 : -2.5 * echo(phrase, offer)
  score += kindScore(parameter, phrase) + prepositionScore(parameter, phrase)
  if (phrase.proper) score += /\b[a-z ]+\b.*\b\p{Lu}\p{Ll}+/u.test(parameter.description) || parameter.words.includes('name') ? 1.2 : 0.5
  if (!labelled) score += contextScore(parameter, phrase, clause)
  return { score, text }
}

/** The share of a phrase's words that only say which tool is meant. */
function echo({ tokens, kind }: Phrase, { weights, nameStems }: Offer): number {
  if (kind !== 'word') return 0
  const weightOf = (token: Token) => (nameStems.includes(token.stem) ? 1 : (weights.get(token.stem) ?? 0) >= 1 || verbGroups(token.stem).length > 0 ? 0.8 : 0)
  return tokens.reduce((sum, token) => sum + (weights.get(token.stem) === undefined && verbGroups(token.stem).length === 0 ? 0 : weightOf(token) || 0.3), 0) / tokens.length
}

/** "genre: fiction", "the genre is fiction", "fiction genre", "genre fiction". */
function withoutLabel(parameter: Parameter, phrase: Phrase, clause: Clause): { text: string; labelled: boolean } {
  const isLabel = (token: Token | undefined) => token !== undefined && token.kind === 'word' && parameter.stems.includes(token.stem)
  let [from, to] = [phrase.from, phrase.to]
  while (from < to && isLabel(clause.tokens[from]) && !(to - from === 1 && phrase.proper)) from++
  while (to > from && isLabel(clause.tokens[to - 1]) && !(to - from === 1 && phrase.proper)) to--
  if (from === to) return { text: '', labelled: false }
  const cut = from !== phrase.from || to !== phrase.to
  let before = from - 1
  while (before >= 0 && LINKS.has(clause.tokens[before]?.lower ?? '')) before--
  const labelled = cut || (before < from - 1 && isLabel(clause.tokens[before]))
  return { text: cut ? stretch(clause, from, to) : phrase.text, labelled }
}

const LINKS = new Set([...COPULAS, 'of', 'as', 'named', 'called', ':', 'the', 'a', 'an', 'to', 'titled'])
const KIND_WORDS = new Map([
  ['date', ['date', 'day', 'when', 'datetime', 'time']],
  ['time', ['time', 'hour', 'when', 'datetime']],
  ['email', ['email', 'mail', 'recipient', 'to', 'address']],
  ['url', ['url', 'uri', 'link', 'website', 'site', 'page', 'address']],
  ['id', ['id', 'number', 'code', 'reference', 'identifier']],
  ['formula', ['function', 'expression', 'equation', 'formula']],
])

function kindScore(parameter: Parameter, { kind }: Phrase): number {
  const words = KIND_WORDS.get(kind)
  const wants = (names: readonly string[]) => names.some((name) => parameter.words.includes(name) || parameter.format?.startsWith(name) === true)
  const mentions = (names: readonly string[]) => names.some((name) => parameter.descriptionStems.has(name))
  if (words !== undefined) return wants(words) ? 5 : mentions(words.slice(0, 2)) ? 2 : -1.5
  if (kind === 'number') return parameter.identifier ? 2 : wants(['number', 'code', 'year', 'version']) ? 1 : -1.8
  if (kind === 'quote') return parameter.identifier ? 0.5 : 2
  if (parameter.identifier || parameter.format === 'email' || parameter.format === 'uri') return -4
  return parameter.format?.startsWith('date') === true || wants(['date']) ? -1 : 0
}

const DIRECTIONS: readonly (readonly [string, ReadonlySet<string>])[] = [
  ['from', new Set(['from', 'source', 'origin', 'start', 'starting', 'begin', 'departure', 'sender', 'base', 'old'])],
  ['to', new Set(['to', 'target', 'destination', 'dest', 'end', 'ending', 'arrival', 'recipient', 'receiver', 'into', 'new', 'goal'])],
]

function prepositionScore({ words }: Parameter, { preposition }: Phrase): number {
  const own = DIRECTIONS.find(([, names]) => words.some((word) => names.has(word)))?.[0]
  const said = preposition === 'into' || preposition === 'towards' ? 'to' : preposition
  const isDirection = said === 'from' || said === 'to'
  if (own !== undefined) return said === own ? 3 : isDirection ? -3 : -0.5
  return isDirection ? -0.3 : preposition === undefined ? 0 : 0.3
}

/** Words near the phrase that name or describe the parameter. */
function contextScore({ stems, descriptionStems }: Parameter, { from, to }: Phrase, { tokens }: Clause): number {
  let score = 0
  for (const [offset, index] of [[1, from - 1], [2, from - 2], [3, from - 3], [1.5, to], [2.5, to + 1]] as const) {
    const token = tokens[index]
    if (token === undefined || token.kind !== 'word' || FUNCTION_WORDS.has(token.lower)) continue
    score = Math.max(score, (stems.includes(token.stem) ? 3 : descriptionStems.has(token.stem) ? 0.8 : 0) / offset)
  }
  return score
}
