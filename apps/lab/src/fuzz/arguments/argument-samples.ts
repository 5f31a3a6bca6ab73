/**
 * Inputs for the argument parsers: loose JSON, truncated JSON, mutants and random text. Texts that lead to new kinds of results are
 * mutated further.
 */
import { randomObject, randomValue } from '../json-value.ts'
import { mutate, randomText } from '../mutate.ts'
import type { Random } from '../random.ts'
import { judgeCut, MISTAKES, type Mistake, writeLoosely } from './loose-json.ts'

export interface ArgumentSample {
  readonly text: string
  /** What is known about the value. Absent for mutated text. */
  readonly known?: Known
  /** Where the stream is split: at random places from this seed, or after every UTF-16 unit. */
  readonly cuts: number | 'units'
}

/** What is known about the value: it equals `same`, it is a part of `within`, or the text must be refused. */
export type Known = { readonly same: unknown } | { readonly within: unknown } | { readonly refused: true }

/** Maximum number of inputs with a new kind of result that are kept for further mutation. */
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

  /** Keeps the text if its kind of result is new. */
  learn(text: string, behaviour: string): void {
    if (this.#behaviours.has(behaviour) || text.length > MOST_LENGTH) return
    this.#behaviours.add(behaviour)
    if (this.#kept.length < MOST_KEPT) this.#kept.push(text)
  }

  /** Number of distinct kinds of results. */
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

/** Writes a value with up to three mistakes that leave it unambiguous. */
export function writeKnown(random: Random): { readonly text: string; readonly known: Known } {
  const value = random.chance(0.8) ? randomObject(random) : [randomValue(random, 1), randomValue(random, 1)]
  const mistakes = new Set<Mistake>(Array.from({ length: random.below(4) }, () => random.pick(MISTAKES)))
  return { text: writeLoosely(value, mistakes, random), known: { same: value } }
}

/** Writes a value as JSON and truncates it. */
export function cutKnown(random: Random): { readonly text: string; readonly known: Known } {
  const value = random.chance(0.8) ? randomObject(random) : [randomValue(random, 1), randomValue(random, 1)]
  const json = JSON.stringify(value, null, random.pick([0, 0, 0, 1]))
  const length = 1 + random.below(json.length - 1)
  const known: Known = judgeCut(json, length) === 'inside' ? { refused: true } : { within: JSON.parse(json) }
  return { text: json.slice(0, length), known }
}

/** Repeats a part, so that the text is large and takes long if parsing isn't linear. */
function repeatPart(text: string, random: Random): string {
  const from = random.below(text.length + 1)
  const part = text.slice(from, from + 1 + random.below(12))
  const times = Math.floor(100_000 / (part.length + 1))
  return text.slice(0, from) + part.repeat(times) + (random.chance(0.5) ? text.slice(from) : '')
}
