/** Stores the indexed cards in slots, and the terms that the cards contain. */
import type { ToolCard } from './card.ts'
import { termsOf } from './card-terms.ts'
import { addPosting, type Postings, packPostings, removePosting } from './postings.ts'
import { type Pair, type Term, Vocabulary } from './vocabulary.ts'

export interface Slot {
  readonly card: ToolCard
  readonly terms: readonly Term[]
  /** The terms that occur in the card's name. */
  readonly named: readonly Term[]
  readonly pairs: readonly Pair[]
  readonly families: readonly Postings[]
}

export class ReadCards {
  /** Cards by slot. The slot of a removed card is reused. */
  readonly slots: (Slot | undefined)[] = []
  /** For each slot, the sum of the rarities of the terms in the card's name. */
  readonly nameRarities: number[] = []
  /** All postings, as of the last call of `weigh`. */
  packed: Uint32Array = new Uint32Array()
  readonly vocabulary = new Vocabulary()
  readonly #places = new Map<string, number>()
  readonly #free: number[] = []
  #size = 0
  /** Increases with each change to the cards. */
  #version = 0
  /** The version that `packed` is for. */
  #weighed = 0

  /** Total length of all posting lists. */
  get size(): number {
    return this.#size
  }

  /** False if the cards have changed since the last call of `weigh`. */
  get isWeighed(): boolean {
    return this.#weighed === this.#version
  }

  add(card: ToolCard): void {
    const place = this.#free.pop() ?? this.slots.length
    const slot = { card, terms: [] as Term[], named: [] as Term[], pairs: [] as Pair[], families: [] as Postings[] }
    const { terms, pairs } = termsOf(card, (word) => this.vocabulary.stem(word))
    const families = new Map<Postings, number>()
    for (const [stem, { weight, isInName }] of terms) {
      const term = this.vocabulary.open(stem)
      addPosting(term, place, weight)
      slot.terms.push(term)
      for (const family of term.families) families.set(family, Math.max(weight, families.get(family) ?? 0))
      if (!isInName) continue
      term.named.push(place)
      slot.named.push(term)
    }
    for (const [first, seconds] of pairs) {
      for (const [second, { weight }] of seconds) {
        const pair = this.vocabulary.openPair(this.vocabulary.open(first), second)
        addPosting(pair, place, weight)
        slot.pairs.push(pair)
      }
    }
    for (const [family, weight] of families) {
      addPosting(family, place, weight)
      slot.families.push(family)
    }
    this.slots[place] = slot
    this.#places.set(card.name, place)
    this.#changed(sizeOf(slot))
  }

  remove(name: string): void {
    const place = this.#places.get(name)
    const slot = place === undefined ? undefined : this.slots[place]
    if (place === undefined || slot === undefined) return
    const { terms, named, pairs, families } = slot
    for (const family of families) removePosting(family, place)
    for (const pair of pairs) {
      removePosting(pair, place)
      if (pair.slots.length === 0) pair.first.pairs?.delete(pair.second)
    }
    for (const term of named) term.named.splice(term.named.indexOf(place), 1)
    for (const term of terms) {
      removePosting(term, place)
      if (term.slots.length === 0) this.vocabulary.close(term)
    }
    this.#places.delete(name)
    this.slots[place] = undefined
    this.#free.push(place)
    this.#changed(-sizeOf(slot))
  }

  #changed(postings: number): void {
    this.#size += postings
    this.#version++
  }

  /** Updates the rarities after a change, because each rarity depends on all cards. The posting lists stay the same. */
  weigh(): void {
    for (const _part of this.weighing());
  }

  /** Does the same in parts. Ends early if the cards change, or are weighed by another call. */
  *weighing(): Generator<void> {
    const version = this.#version
    if (this.#weighed === version) return
    for (const part of this.#weighParts()) {
      yield part
      if (this.#version !== version || this.#weighed === version) return
    }
    this.#weighed = version
  }

  *#weighParts(): Generator<void> {
    this.packed = yield* packPostings(this.vocabulary.postings(), this.#size, this.#places.size)
    for (const [place, slot] of this.slots.entries()) {
      if (place % NAMES === NAMES - 1) yield
      this.nameRarities[place] = sumOf(slot?.named ?? [])
    }
  }
}

/** Number of names to weigh without a pause. */
const NAMES = 5_000

function sizeOf({ terms, pairs, families }: Slot): number {
  return terms.length + pairs.length + families.length
}

function sumOf(terms: readonly Term[]): number {
  return terms.reduce((sum, { rarity }) => sum + rarity, 0)
}
