/** The search index of tools: cards in, names by how well they fit a question out. */
import { assertCard, type ToolCard } from './card.ts'
import { rarityOf } from './postings.ts'
import { ReadCards } from './read-cards.ts'
import { Scores } from './scores.ts'
import type { Meaning, Pair, Term } from './vocabulary.ts'
import { wordsOf } from './words.ts'

export interface ToolIndex {
  readonly size: number
  /** Puts a card in the place of one of the same name. Throws `RegistryError` with code `invalid_entry` for what is no card. */
  add(card: ToolCard): void
  /** False when there is none of that name. */
  remove(name: string): boolean
  /**
   * The cards that share a term with the query, best first; equal ones by their names. The query may be any text: of more than
   * 8,000 characters the first and the last 4,000 are read.
   */
  search(query: string, options?: SearchOptions): readonly SearchHit[]
}

export interface SearchOptions {
  /** 8 unless told. */
  readonly limit?: number | undefined
  readonly filter?: ((card: ToolCard) => boolean) | undefined
}

export interface SearchHit {
  readonly name: string
  /** Compares hits of one search; more is better. */
  readonly score: number
  readonly card: ToolCard
}

/**
 * Creates an index. Nothing is read of a card before the first search. The order in which cards were added has no effect on
 * what is found.
 */
export function createToolIndex(cards: Iterable<ToolCard> = []): ToolIndex {
  const index = new BM25FIndex()
  for (const card of cards) index.add(card)
  return index
}

/** What a term of the query that follows the one before it also in a tool's name or description adds. */
const PAIR = 0.3
/** What a term that is only similar counts, at most. */
const SIMILAR = 0.5
/** What a name adds to the score when all its terms are in the query. */
const WHOLE_NAME = 0.4

class BM25FIndex implements ToolIndex {
  readonly #cards = new Map<string, ToolCard>()
  readonly #unread = new Set<string>()
  readonly #read = new ReadCards()
  #scores: Scores | undefined

  get size(): number {
    return this.#cards.size
  }

  add(card: ToolCard): void {
    assertCard(card)
    this.remove(card.name)
    this.#cards.set(card.name, card)
    this.#unread.add(card.name)
  }

  remove(name: string): boolean {
    if (!this.#cards.delete(name)) return false
    if (!this.#unread.delete(name)) this.#read.remove(name)
    return true
  }

  search(query: string, { limit = 8, filter }: SearchOptions = {}): readonly SearchHit[] {
    if (typeof query !== 'string') throw new TypeError(`search: query must be a text, got ${typeof query}.`)
    if (!(limit >= 0)) throw new RangeError(`search: limit must be a number of 0 or more, got ${limit}.`)
    this.#readNew()
    // A filter may search as well: it finds no scores to borrow then, and takes its own.
    const scores = this.#borrowScores()
    this.#score(query, scores)
    const hits = this.#best(scores, limit, filter)
    scores.clear()
    this.#scores = scores
    return hits
  }

  #readNew(): void {
    for (const name of this.#unread) this.#read.add(this.#cards.get(name) as ToolCard)
    this.#unread.clear()
    this.#read.weigh()
  }

  #borrowScores(): Scores {
    const scores = this.#scores
    this.#scores = undefined
    return scores !== undefined && scores.sums.length >= this.#read.slots.length ? scores : new Scores(this.#read.slots.length)
  }

  /** Costs what the lists of the query's terms are long. */
  #score(query: string, scores: Scores): void {
    const { terms, pairs } = this.#match(query)
    for (const [term, strength] of terms) {
      scores.add(term, term.rarity * strength)
      scores.addNamed(term.named, term.rarity * strength)
    }
    for (const pair of pairs) scores.add(pair, rarityOf(pair, this.size) * PAIR)
  }

  #best({ sums, named, found, size }: Scores, limit: number, filter: SearchOptions['filter']): SearchHit[] {
    const hits: SearchHit[] = []
    let least = 0
    for (let index = 0; index < size; index++) {
      const place = found[index] as number
      const slot = this.#read.slots[place]
      if (slot === undefined) continue // the filter removed it
      const { card, nameRarity } = slot
      const inName = named[place] as number
      const sum = sums[place] as number
      const score = inName === 0 ? sum : sum * (1 + (WHOLE_NAME * inName) / nameRarity)
      if (score < least || (filter !== undefined && !filter(card))) continue
      insert(hits, { name: card.name, score, card }, limit)
      if (hits.length >= limit) least = hits.at(-1)?.score ?? Infinity
    }
    return hits
  }

  /** What the query means: terms, each with what it counts, and those that follow each other. */
  #match(query: string): { terms: ReadonlyMap<Term, number>; pairs: ReadonlySet<Pair> } {
    const meanings = wordsOf(query).map((word) => this.#read.vocabulary.meaning(word))
    const terms = new Map<Term, number>()
    const pairs = new Set<Pair>()
    for (const { term } of meanings) if (term !== undefined) terms.set(term, 1)
    let before: Meaning | undefined
    for (const meaning of meanings) {
      for (const { term, similarity } of meaning.near) if (!terms.has(term)) terms.set(term, SIMILAR * similarity)
      const pair = before?.term?.pairs?.get(meaning.stem)
      if (pair !== undefined) pairs.add(pair)
      before = meaning
    }
    return { terms, pairs }
  }
}

function isBefore(a: SearchHit, b: SearchHit): boolean {
  return a.score > b.score || (a.score === b.score && a.name < b.name)
}

/** Keeps the list in order and within the limit. */
function insert(hits: SearchHit[], hit: SearchHit, limit: number): void {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(hits[middle] as SearchHit, hit)) low = middle + 1
    else high = middle
  }
  hits.splice(low, 0, hit)
  if (hits.length > limit) hits.length = Math.floor(limit)
}
