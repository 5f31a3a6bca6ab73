/** The terms of an index: which tools contain a term, and which terms resemble a word in a query. */
import { createPostings, type Postings } from './postings.ts'
import { stemOf } from './stem.ts'
import { FAMILY_COUNT, familiesOf } from './word-families.ts'

/** A stem, and the tools that contain it. */
export interface Term extends Postings {
  readonly text: string
  /** Slots of the tools that have this term in their name. */
  readonly named: number[]
  /** The word families of the term. Each lists the tools that contain any word of the family. */
  readonly families: readonly Postings[]
  /** The pairs that start with this stem. Each key is a second stem. */
  pairs: Map<string, Pair> | undefined
}

/** Two adjacent stems, and the tools that contain them. */
export interface Pair extends Postings {
  readonly first: Term
  readonly second: string
}

export interface Meaning {
  readonly stem: string
  /** The term for the stem. Undefined if no tool contains the stem. */
  readonly term: Term | undefined
  /** Terms with the same start, most similar first. */
  readonly near: readonly NearTerm[]
  readonly families: readonly Postings[]
}

export interface NearTerm {
  readonly term: Term
  /** The share of both stems' characters that belongs to their common prefix. Always below 1. */
  readonly similarity: number
}

/** Minimum length of a common prefix for two terms to count as forms of one word: `finance` and `financial`, `rent` and `rental`. */
const SHARED_START = 4
const MAX_NEAR = 4
const LEAST_SIMILARITY = 0.5
/** Maximum size of each cache. A full cache is cleared. */
const MAX_KNOWN = 20_000

export class Vocabulary {
  readonly #terms = new Map<string, Term>()
  readonly #families: readonly Postings[] = Array.from({ length: FAMILY_COUNT }, createPostings)
  readonly #byStart = new Map<string, Set<Term>>()
  readonly #stems = new Map<string, string>()
  readonly #meanings = new Map<string, Meaning>()

  stem(word: string): string {
    return remembered(this.#stems, word, stemOf)
  }

  meaning(word: string): Meaning {
    const known = this.#meanings.get(word)
    if (known !== undefined) return known
    const stem = this.stem(word)
    const term = this.#terms.get(stem)
    const meaning = { stem, term, near: this.#findNear(stem), families: term?.families ?? this.#familiesOf(stem) }
    if (this.#meanings.size >= MAX_KNOWN) this.#meanings.clear()
    this.#meanings.set(word, meaning)
    return meaning
  }

  /** Returns the term for a stem. Creates the term if it doesn't exist yet. */
  open(stem: string): Term {
    const known = this.#terms.get(stem)
    if (known !== undefined) return known
    const term = createTerm(stem, this.#familiesOf(stem))
    this.#terms.set(stem, term)
    this.#forgetMeanings()
    if (hasForms(stem)) remembered(this.#byStart, startOf(stem), () => new Set<Term>(), Infinity).add(term)
    return term
  }

  openPair(first: Term, second: string): Pair {
    first.pairs ??= new Map()
    const known = first.pairs.get(second)
    if (known !== undefined) return known
    const pair = { slots: [], weights: [], rarity: Number.NaN, start: 0, countedIn: 0, first, second }
    first.pairs.set(second, pair)
    return pair
  }

  /** Removes a term when no tool contains it any more. */
  close(term: Term): void {
    this.#terms.delete(term.text)
    this.#forgetMeanings()
    const alike = this.#byStart.get(startOf(term.text))
    alike?.delete(term)
    if (alike?.size === 0) this.#byStart.delete(startOf(term.text))
  }

  /** All postings. Pairs come last, because few searches read them. A generator, because a list would be long. */
  *postings(): Iterable<Postings> {
    yield* this.#families
    yield* this.#terms.values()
    for (const { pairs } of this.#terms.values()) if (pairs !== undefined) yield* pairs.values()
  }

  #forgetMeanings(): void {
    if (this.#meanings.size > 0) this.#meanings.clear()
  }

  #familiesOf(stem: string): readonly Postings[] {
    const numbers = familiesOf(stem)
    return numbers.length === 0 ? NONE : numbers.map((number) => this.#families[number] as Postings)
  }

  #findNear(stem: string): readonly NearTerm[] {
    const alike = hasForms(stem) ? this.#byStart.get(startOf(stem)) : undefined
    if (alike === undefined) return NONE
    const near: NearTerm[] = []
    for (const term of alike) {
      const similarity = similarityOf(stem, term.text)
      if (similarity < LEAST_SIMILARITY || term.text === stem) continue
      let at = near.length
      while (at > 0 && isNearer(similarity, term, near[at - 1] as NearTerm)) at--
      if (at === MAX_NEAR) continue
      near.splice(at, 0, { term, similarity })
      if (near.length > MAX_NEAR) near.pop()
    }
    return near
  }
}

/**
 * Creates a term with all of its properties, and with a double as its `rarity`, because engines optimize objects whose shape never changes.
 */
function createTerm(text: string, families: readonly Postings[]): Term {
  return { slots: [], weights: [], rarity: Number.NaN, start: 0, countedIn: 0, text, named: [], families, pairs: undefined }
}

const NONE: readonly never[] = []

function isNearer(similarity: number, { text }: Term, other: NearTerm): boolean {
  return similarity > other.similarity || (similarity === other.similarity && text < other.term.text)
}

/** True if a stem may have other forms. False for a short stem and for a number. No stem mixes letters and digits. */
function hasForms(stem: string): boolean {
  return stem.length >= SHARED_START && !/^\p{N}/u.test(stem)
}

function startOf(stem: string): string {
  return stem.slice(0, SHARED_START)
}

/** Returns the similarity of two stems that start alike. */
function similarityOf(a: string, b: string): number {
  let shared = SHARED_START
  const most = Math.min(a.length, b.length)
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++
  return (2 * shared) / (a.length + b.length)
}

function remembered<Value>(known: Map<string, Value>, key: string, find: (key: string) => Value, most = MAX_KNOWN): Value {
  const earlier = known.get(key)
  if (earlier !== undefined) return earlier
  if (known.size >= most) known.clear()
  const found = find(key)
  known.set(key, found)
  return found
}
