/** The search index. It stores cards, and finds those that best match a query. */
import { macrotask } from '@x/tool-core'
import { assertCard, type ToolCard } from './card.ts'
import { addPacked, PART, type Postings } from './postings.ts'
import { ReadCards } from './read-cards.ts'
import { Scores } from './scores.ts'
import type { Meaning, Term } from './vocabulary.ts'
import { wordsOf } from './words.ts'

export interface ToolIndex {
  readonly size: number
  /** Adds a card, or replaces the card with the same name. Throws a `RegistryError` with code `invalid_entry` for an invalid card. */
  add(card: ToolCard): void
  /** Removes a card. Returns false for an unknown name. */
  remove(name: string): boolean
  /**
   * Returns the cards that share a term with the query, best match first. Ties are sorted by name. If the query has more than 8,000
   * characters, only the first 4,000 and the last 4,000 are read.
   */
  search(query: string, options?: SearchOptions): readonly SearchHit[]
}

export interface SearchOptions {
  /** Maximum number of hits. Default: 8. */
  readonly limit?: number | undefined
  readonly filter?: ((card: ToolCard) => boolean) | undefined
}

export interface SearchHit {
  readonly name: string
  /** Higher is better. Only scores of the same search can be compared. */
  readonly score: number
  readonly card: ToolCard
}

/** Creates an index. The first search reads the cards. The results don't depend on the order of the cards. */
export function createToolIndex(cards: Iterable<ToolCard> = []): ToolIndex {
  const index = new BM25FIndex()
  for (const card of cards) index.add(card)
  return index
}

/** Number of cards to read per task. Reading this many takes about 1 ms, and more than ten times as long before the code is optimized. */
const SLICE = 25
/** Number of new cards that a search reads itself. */
const FEW = 250
/** Limit of rounds in which a search reads ahead. A change begins another round. */
const ROUNDS = 3

/** Weight of a pair of query terms that are also adjacent in a tool's name or description. */
const PAIR = 0.35
/** Maximum weight of a term that only resembles a query term. */
const SIMILAR = 0.55
/** Weight of a word family. It counts if the query and the tool each contain a word of the family. */
const FAMILY = 0.32
/** Bonus for a query that contains all terms of the tool's name. */
const WHOLE_NAME = 0.3

/** Upper limit of a score, relative to the sum of the scores of its terms. */
const MOST = 1 + WHOLE_NAME
/** Lower than the score of any match, so one comparison skips a tool that doesn't match. */
const ABOVE_NOTHING = 1e-30

export class BM25FIndex implements ToolIndex {
  readonly #cards = new Map<string, ToolCard>()
  readonly #unread = new Set<string>()
  readonly #read = new ReadCards()
  #scores: Scores | undefined
  #searches = 0

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
    if (typeof query !== 'string') throw new TypeError(`search: query must be a string, got ${typeof query}.`)
    if (!(limit >= 0)) throw new RangeError(`search: limit must be a number of 0 or more, got ${limit}.`)
    this.#readSome(Infinity)
    this.#read.weigh()
    // A filter may run another search, which must not share the scores of this one.
    const scores = this.#borrowScores()
    this.#score(query, scores)
    const hits = this.#best(scores, limit, filter)
    scores.clear()
    this.#scores = scores
    return hits
  }

  /**
   * Reads many new cards in slices and weighs many terms in parts, so that ten thousand tools don't block the event loop. `search` does a
   * little work itself, and also what is left if the cards change all the time.
   */
  async readAhead(): Promise<void> {
    for (let round = 0; round < ROUNDS && this.#isFarBehind(); round++) {
      while (this.#unread.size > 0) {
        await macrotask()
        this.#readSome(SLICE)
      }
      const weighing = this.#read.weighing()
      do await macrotask()
      while (!weighing.next().done)
      await macrotask()
    }
  }

  #isFarBehind(): boolean {
    const { size, isWeighed } = this.#read
    const isStale = !isWeighed || this.#unread.size > 0
    return this.#unread.size > FEW || (isStale && size > PART)
  }

  #readSome(most: number): void {
    let left = most
    for (const name of this.#unread) {
      if (left-- <= 0) return
      this.#read.add(this.#cards.get(name) as ToolCard)
      this.#unread.delete(name)
    }
  }

  #borrowScores(): Scores {
    const scores = this.#scores
    this.#scores = undefined
    return scores !== undefined && scores.sums.length >= this.#read.slots.length ? scores : new Scores(this.#read.slots.length)
  }

  /** Adds the scores of all query terms. The time is proportional to the length of the posting lists. */
  #score(query: string, scores: Scores): void {
    this.#searches++
    const meanings = wordsOf(query).map((word) => this.#read.vocabulary.meaning(word))
    for (const { term } of meanings) if (term !== undefined) this.#countTerm(term, 1, scores)
    let before: Meaning | undefined
    for (const meaning of meanings) {
      for (const { term, similarity } of meaning.near) this.#countTerm(term, SIMILAR * similarity, scores)
      for (const family of meaning.families) this.#count(family, FAMILY, scores)
      const pair = before?.term?.pairs?.get(meaning.stem)
      if (pair !== undefined) this.#count(pair, PAIR, scores)
      before = meaning
    }
  }

  /** Adds the weights of a term to the scores. Returns false if this search has already added them. */
  #count(postings: Postings, strength: number, scores: Scores): boolean {
    if (postings.countedIn === this.#searches) return false
    postings.countedIn = this.#searches
    addPacked(this.#read.packed, postings, postings.rarity * strength, scores.sums)
    return true
  }

  #countTerm(term: Term, strength: number, scores: Scores): void {
    if (this.#count(term, strength, scores)) scores.addNamed(term.named, term.rarity * strength)
  }

  #best({ sums, named }: Scores, limit: number, filter: SearchOptions['filter']): SearchHit[] {
    const { slots, nameRarities } = this.#read
    const hits: SearchHit[] = []
    const most = Math.floor(limit)
    let least = ABOVE_NOTHING
    for (let place = 0; place < sums.length; place++) {
      const sum = sums[place] as number
      if (sum * MOST < least) continue
      const inName = named[place] as number
      const score = inName === 0 ? sum : sum * (1 + (WHOLE_NAME * inName) / (nameRarities[place] as number))
      if (score < least) continue
      const card = slots[place]?.card
      if (card === undefined || (filter !== undefined && !filter(card))) continue // The filter may have removed the card.
      insert(hits, { name: card.name, score, card }, most)
      if (hits.length === most) least = hits[most - 1]?.score ?? Infinity
    }
    return hits
  }
}

function isBefore(a: SearchHit, b: SearchHit): boolean {
  return a.score > b.score || (a.score === b.score && a.name < b.name)
}

/** Inserts a hit, and keeps the list sorted and within the limit. */
function insert(hits: SearchHit[], hit: SearchHit, limit: number): void {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(hits[middle] as SearchHit, hit)) low = middle + 1
    else high = middle
  }
  if (low === limit) return
  hits.splice(low, 0, hit)
  if (hits.length > limit) hits.pop()
}
