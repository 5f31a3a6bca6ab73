/** The terms of a card, each with the weight that its places in the card give it: BM25F. */
import type { ToolCard } from './card.ts'
import { wordsOf } from './words.ts'

export interface CardTerms {
  readonly terms: ReadonlyMap<string, CardTerm>
  readonly pairs: ReadonlyMap<string, ReadonlyMap<string, CardTerm>>
}

export interface CardTerm {
  weight: number
  isInName: boolean
}

/**
 * How BM25F reads a part of a card (Robertson, Zaragoza and Taylor, CIKM 2004): `weight` of a term there, for a part of the
 * `usual` number of terms; `byLength` is how far a longer part weighs less, from 0 to 1.
 *
 * Lengths are compared with constants, not with the average of the collection: so a term's weight in one tool depends on that
 * tool alone, and adding another changes none. The figures were chosen on the development halves of three public collections
 * (BFCL, Seal-Tools, MetaTool); around them the results change little.
 */
interface Part {
  readonly weight: number
  readonly byLength: number
  readonly usual: number
  /** Also counts terms that follow each other. */
  readonly hasPairs?: boolean
  texts(card: ToolCard): readonly string[]
}

const NAME: Part = { weight: 2.6, byLength: 0.5, usual: 3, hasPairs: true, texts: ({ name }) => [name] }

const PARTS: readonly Part[] = [
  NAME,
  { weight: 0.9, byLength: 0.6, usual: 10, hasPairs: true, texts: ({ description = '' }) => [description] },
  { weight: 0.5, byLength: 0.8, usual: 5, texts: (card) => argumentsOf(card).map(({ name }) => name) },
  { weight: 0.35, byLength: 0.6, usual: 20, texts: (card) => argumentsOf(card).map(({ description = '' }) => description) },
  // Who says a value that only some tools take, means one of those.
  { weight: 5, byLength: 0.5, usual: 4, texts: (card) => argumentsOf(card).flatMap(({ values = [] }) => values) },
  { weight: 0.35, byLength: 0.5, usual: 3, texts: ({ category = '', tags = [] }) => [category, ...tags] },
]

/** The k1 of BM25: how soon more of the same term stops to count. */
const SATURATION = 0.4
/** Terms read of one part. */
const MAX_TERMS = 4_096

/** Each stem of the card with its weight, which is below 1.5; and the same of stems that follow each other, by both. */
export function termsOf(card: ToolCard, stem: (word: string) => string): CardTerms {
  const terms = new Map<string, CardTerm>()
  const pairs = new Map<string, Map<string, CardTerm>>()
  for (const part of PARTS) {
    const found = readPart(part, card, stem)
    const each = part.weight / (1 - part.byLength + (part.byLength * found.length) / part.usual)
    for (const term of found) addTo(terms, term, each, part === NAME)
    if (part.hasPairs) addPairs(pairs, found, each)
  }
  for (const list of [terms, ...pairs.values()]) for (const term of list.values()) saturate(term)
  return { terms, pairs }
}

/** A pair counts once in each part. */
function addPairs(pairs: Map<string, Map<string, CardTerm>>, found: readonly string[], weight: number): void {
  const seen = new Set<string>()
  for (const [index, second] of found.entries()) {
    const first = found[index - 1]
    if (first === undefined || first === second || seen.has(`${first} ${second}`)) continue
    seen.add(`${first} ${second}`)
    const ofFirst = pairs.get(first) ?? new Map<string, CardTerm>()
    pairs.set(first, ofFirst)
    addTo(ofFirst, second, weight, false)
  }
}

function saturate(term: CardTerm): void {
  term.weight = (term.weight * (SATURATION + 1)) / (term.weight + SATURATION)
}

function readPart(part: Part, card: ToolCard, stem: (word: string) => string): readonly string[] {
  const terms: string[] = []
  for (const text of part.texts(card)) {
    for (const word of wordsOf(text)) terms.push(stem(word))
    if (terms.length > MAX_TERMS) return terms.slice(0, MAX_TERMS)
  }
  return terms
}

function addTo(terms: Map<string, CardTerm>, text: string, weight: number, isInName: boolean): void {
  const term = terms.get(text)
  if (term === undefined) terms.set(text, { weight, isInName })
  else {
    term.weight += weight
    term.isInName ||= isInName
  }
}

function argumentsOf({ arguments: list = [] }: ToolCard) {
  return list.map((argument) => (typeof argument === 'string' ? { name: argument } : argument))
}
