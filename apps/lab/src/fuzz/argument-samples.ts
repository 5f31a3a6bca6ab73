/** The texts that are given to the readers of arguments: written loosely, cut off, mutated and random, led by what was new so far. */
import { randomObject, randomValue } from './json-value.ts'
import { judgeCut, MISTAKES, type Mistake, writeLoosely } from './loose-json.ts'
import { mutate, randomText } from './mutate.ts'
import type { Random } from './random.ts'

export interface ArgumentSample {
  readonly text: string
  /** What is known beforehand; nothing of a text that was mutated. */
  readonly known?: Known
  /** Where the stream is cut: at places of this seed, or after every unit. */
  readonly cuts: number | 'units'
}

/** If there is a value, it is this one; or it lies within this one; or there must be none. */
export type Known = { readonly same: unknown } | { readonly within: unknown } | { readonly refused: true }

/** Texts that read in a new way are kept, and mutated further. */
const MOST_KEPT = 1000
const MOST_LENGTH = 1500

export class ArgumentSamples {
  readonly #corpus: readonly string[]
  readonly #kept: string[] = []
  readonly #behaviours = new Set<string>()

  constructor(corpus: readonly string[]) {
    this.#corpus = corpus.filter(({ length }) => length <= MOST_LENGTH)
  }

  next(random: Random): ArgumentSample {
    const cuts = random.chance(0.3) ? 'units' : random.below(2 ** 31)
    const kind = random.below(20)
    if (kind < 4) return { cuts, ...writeKnown(random) }
    if (kind < 7) return { cuts, ...cutKnown(random) }
    if (kind < 8) return { cuts, text: JSON.stringify(randomValue(random), null, random.pick([0, 0, 1, '\t'])) }
    if (kind < 10) return { cuts, text: randomText(random) }
    const text = mutate(this.#base(random), this.#base(random), random)
    return { cuts, text: random.chance(0.002) ? repeatPart(text, random) : text }
  }

  /** Tells how a text was read. */
  learn(text: string, behaviour: string): void {
    if (this.#behaviours.has(behaviour) || text.length > MOST_LENGTH) return
    this.#behaviours.add(behaviour)
    if (this.#kept.length < MOST_KEPT) this.#kept.push(text)
  }

  /** In how many ways texts were read. */
  get behaviours(): number {
    return this.#behaviours.size
  }

  #base(random: Random): string {
    const from = random.below(10)
    if (from < 4 && this.#kept.length > 0) return this.#kept[random.below(this.#kept.length)] as string
    if (from < 6 && this.#corpus.length > 0) return this.#corpus[random.below(this.#corpus.length)] as string
    return from < 9 ? JSON.stringify(randomObject(random)) : writeKnown(random).text
  }
}

/** A value with up to three mistakes that have one reading. */
export function writeKnown(random: Random): { readonly text: string; readonly known: Known } {
  const value = random.chance(0.8) ? randomObject(random) : [randomValue(random, 1), randomValue(random, 1)]
  const mistakes = new Set<Mistake>(Array.from({ length: random.below(4) }, () => random.pick(MISTAKES)))
  return { text: writeLoosely(value, mistakes, random), known: { same: value } }
}

/** JSON that ends too early. */
export function cutKnown(random: Random): { readonly text: string; readonly known: Known } {
  const value = random.chance(0.8) ? randomObject(random) : [randomValue(random, 1), randomValue(random, 1)]
  const json = JSON.stringify(value, null, random.pick([0, 0, 0, 1]))
  const length = 1 + random.below(json.length - 1)
  const known: Known = judgeCut(json, length) === 'inside' ? { refused: true } : { within: JSON.parse(json) }
  return { text: json.slice(0, length), known }
}

/** A large text: what is not linear takes long. */
function repeatPart(text: string, random: Random): string {
  const from = random.below(text.length + 1)
  const part = text.slice(from, from + 1 + random.below(12))
  const times = Math.floor(100_000 / (part.length + 1))
  return text.slice(0, from) + part.repeat(times) + (random.chance(0.5) ? text.slice(from) : '')
}
