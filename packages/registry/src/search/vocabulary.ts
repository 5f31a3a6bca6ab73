/** The terms of an index: which tools hold each, and what a word that somebody asks with can mean. */
import { type Postings, rarityOf } from './postings.ts'
import { stemOf } from './stem.ts'

/** A stem, and the tools that hold it. */
export interface Term extends Postings {
  readonly text: string
  /** Slots of the tools that have it in their name. */
  readonly named: number[]
  rarity: number
  /** Stems that follow this one somewhere. */
  pairs: Map<string, Pair> | undefined
}

/** A stem and the one after it, and the tools that hold them so. */
export interface Pair extends Postings {
  readonly first: Term
  readonly second: string
}

export interface Meaning {
  readonly stem: string
  /** Absent when no tool holds it. */
  readonly term: Term | undefined
  /** Terms that begin alike, most similar first. */
  readonly near: readonly NearTerm[]
}

export interface NearTerm {
  readonly term: Term
  /** Below 1: the share of the characters that the two beginnings have in common. */
  readonly similarity: number
}

/** Terms that begin so far alike may be forms of one word: `finance` and `financial`, `rent` and `rental`. */
const SHARED_START = 4
const MAX_NEAR = 4
/** Words kept with what was found for them; then the memory is emptied. */
const MAX_KNOWN = 20_000

export class Vocabulary {
  readonly #terms = new Map<string, Term>()
  readonly #byStart = new Map<string, Set<Term>>()
  readonly #stems = new Map<string, string>()
  readonly #meanings = new Map<string, Meaning>()

  stem(word: string): string {
    return remembered(this.#stems, word, () => stemOf(word))
  }

  meaning(word: string): Meaning {
    return remembered(this.#meanings, word, () => {
      const stem = this.stem(word)
      return { stem, term: this.#terms.get(stem), near: this.#findNear(stem) }
    })
  }

  /** The term of a stem; made when there is none, for a tool to be added to it. */
  open(stem: string): Term {
    const known = this.#terms.get(stem)
    if (known !== undefined) return known
    const term: Term = { text: stem, slots: [], weights: [], named: [], rarity: 0, pairs: undefined }
    this.#terms.set(stem, term)
    this.#forgetMeanings()
    if (hasForms(stem)) this.#alike(stem).add(term)
    return term
  }

  openPair(first: Term, second: string): Pair {
    first.pairs ??= new Map()
    const known = first.pairs.get(second)
    if (known !== undefined) return known
    const pair: Pair = { first, second, slots: [], weights: [] }
    first.pairs.set(second, pair)
    return pair
  }

  /** Forgets a term that no tool holds any more. */
  close(term: Term): void {
    this.#terms.delete(term.text)
    this.#forgetMeanings()
    if (!hasForms(term.text)) return
    const alike = this.#alike(term.text)
    alike.delete(term)
    if (alike.size === 0) this.#byStart.delete(startOf(term.text))
  }

  /** Weighs every term anew, for so many tools in all. */
  weigh(tools: number): void {
    for (const term of this.#terms.values()) term.rarity = rarityOf(term, tools)
  }

  #forgetMeanings(): void {
    if (this.#meanings.size > 0) this.#meanings.clear()
  }

  #alike(stem: string): Set<Term> {
    return remembered(this.#byStart, startOf(stem), () => new Set<Term>(), Infinity)
  }

  #findNear(stem: string): readonly NearTerm[] {
    const near: NearTerm[] = []
    for (const term of (hasForms(stem) && this.#byStart.get(startOf(stem))) || []) {
      const similarity = similarityOf(stem, term.text)
      if (term.text === stem || similarity < (near[MAX_NEAR - 1]?.similarity ?? 0)) continue
      near.push({ term, similarity })
      near.sort((a, b) => b.similarity - a.similarity || (a.term.text < b.term.text ? -1 : 1))
      if (near.length > MAX_NEAR) near.pop()
    }
    return near
  }
}

/** A number has none. */
function hasForms(stem: string): boolean {
  return stem.length >= SHARED_START && !/\p{N}/u.test(stem)
}

function startOf(stem: string): string {
  return stem.slice(0, SHARED_START)
}

function similarityOf(a: string, b: string): number {
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return (2 * shared) / (a.length + b.length)
}

function remembered<Value>(known: Map<string, Value>, key: string, find: () => Value, most = MAX_KNOWN): Value {
  const earlier = known.get(key)
  if (earlier !== undefined) return earlier
  if (known.size >= most) known.clear()
  const found = find()
  known.set(key, found)
  return found
}
