/** Weighs the terms of a card with BM25F, according to where they occur. */
import { argumentsOf, type CardArgument, type ToolCard } from './card.ts'
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
 * How BM25F weighs a part of a card (Robertson, Zaragoza and Taylor, CIKM 2004). `weight` is the weight of a term in a part with the
 * `usual` number of terms. `byLength`, from 0 to 1, determines how much this weight falls in a longer part.
 *
 * Lengths are compared with constants, not with the average of the collection. A term's weight therefore depends only on its own tool, and
 * adding a tool doesn't change the weights of others. The values were tuned on the development halves of three public collections (BFCL,
 * Seal-Tools, MetaTool). Small changes to the values have little effect on the results.
 */
interface Part {
  readonly weight: number
  readonly byLength: number
  readonly usual: number
  /** True if pairs of adjacent terms count too. */
  readonly hasPairs?: boolean
  texts(card: ReadCard): readonly string[]
}

/** A card whose arguments have been read, so that no part has to read them again. */
type ReadCard = Omit<ToolCard, 'arguments'> & { readonly arguments: readonly CardArgument[] }

const NAME: Part = { weight: 2.6, byLength: 0.5, usual: 3, hasPairs: true, texts: ({ name }) => [name] }

const PARTS: readonly Part[] = [
  NAME,
  { weight: 0.9, byLength: 0.6, usual: 10, hasPairs: true, texts: ({ description = '' }) => [description] },
  { weight: 0.5, byLength: 0.8, usual: 5, texts: (card) => card.arguments.map(({ name }) => name) },
  { weight: 0.35, byLength: 0.6, usual: 20, texts: (card) => card.arguments.map(({ description = '' }) => description) },
  // Few tools accept the same value, so a query that contains the value probably means one of them.
  { weight: 5, byLength: 0.5, usual: 4, texts: (card) => card.arguments.flatMap(({ values = [] }) => values) },
  { weight: 0.35, byLength: 0.5, usual: 3, texts: ({ category = '', tags = [] }) => [category, ...tags] },
]

/** The parameter k1 of BM25. With a lower value, repeated occurrences of a term count less. */
const SATURATION = 0.4
/** Maximum number of terms to read from one part. */
const MAX_TERMS = 4_096

/** Returns the weights of all stems in a card and of all pairs of adjacent stems. Each weight is below 1.5. */
export function termsOf(card: ToolCard, stem: (word: string) => string): CardTerms {
  const terms = new Map<string, CardTerm>()
  const pairs = new Map<string, Map<string, CardTerm>>()
  const read = { ...card, arguments: argumentsOf(card) }
  for (const part of PARTS) {
    const found = readPart(part, read, stem)
    const each = part.weight / (1 - part.byLength + (part.byLength * found.length) / part.usual)
    for (const term of found) addTo(terms, term, each, part === NAME)
    if (part.hasPairs) addPairs(pairs, found, each)
  }
  for (const list of [terms, ...pairs.values()]) for (const term of list.values()) saturate(term)
  return { terms, pairs }
}

/** Adds the pairs of adjacent stems in a part. A repeated pair counts once per part. */
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

function readPart(part: Part, card: ReadCard, stem: (word: string) => string): readonly string[] {
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
