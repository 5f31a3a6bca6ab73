/** Compares JSON values. Property names such as `toString` are safe. */

/** Receives the number of steps that a comparison takes. Throws to end the comparison. */
export type Take = (steps: number) => void

/**
 * Assigns a number to each value, so that equal values have the same number. The key of a list is made from the numbers of its items, and
 * each list is read only once until `forget` is called. Nested lists therefore take linear time.
 */
export class ValueNumbers {
  readonly #take: Take
  readonly #scalars = new Map<unknown, number>()
  readonly #texts = new Map<string, number>()
  readonly #known = new Map<object, number>()
  #last = 0

  constructor(take: Take = () => {}) {
    this.#take = take
  }

  forget(): void {
    // Even clearing an empty map allocates memory, and most checks have nothing to clear.
    if (this.#last === 0) return
    this.#last = 0
    for (const map of [this.#scalars, this.#texts, this.#known]) map.clear()
  }

  /** Returns the positions of the last two equal items, the later position first. Undefined if all items differ. */
  duplicatesIn(items: readonly unknown[]): readonly [number, number] | undefined {
    this.#take(STEPS_OF_AN_ITEM * items.length)
    const scalars = new Map<unknown, number>()
    const others = new Map<number, number>()
    for (let index = items.length - 1; index >= 0; index--) {
      const item = items[index]
      const isNumbered = isObject(item) || isLong(item)
      const key = isNumbered ? this.#numberOf(item) : item
      const seen: Map<unknown, number> = isNumbered ? others : scalars
      const earlier = seen.get(key)
      if (earlier !== undefined) return [earlier, index]
      seen.set(key, index)
    }
    return undefined
  }

  #numberOf(value: unknown): number {
    if (isLong(value)) return this.#numberIn(this.#texts, `"${this.#piecesOf(value)}`)
    if (!isObject(value)) return this.#numberIn(this.#scalars, value)
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const number = this.#numberIn(this.#texts, Array.isArray(value) ? `[${this.#numbersOf(value)}` : `{${this.#fieldsOf(value)}`)
    this.#known.set(value, number)
    return number
  }

  #numbersOf(list: readonly unknown[]): string {
    this.#take(STEPS_OF_A_PART * list.length)
    return list.map((item) => this.#numberOf(item)).join()
  }

  #fieldsOf(object: Readonly<Record<string, unknown>>): string {
    const entries = Object.entries(object)
    this.#take(2 * STEPS_OF_A_PART * entries.length)
    const fields = entries.map(([name, field]) => `${this.#numberOf(name)}:${this.#numberOf(field)}`)
    return fields.sort().join()
  }

  #piecesOf(text: string): string {
    this.#take(text.length / CHARACTERS_OF_A_STEP)
    const pieces: number[] = []
    for (let at = 0; at < text.length; at += MAX_HASHED)
      pieces.push(this.#numberIn(this.#scalars, text.slice(at, at + MAX_HASHED)))
    return pieces.join()
  }

  #numberIn<Key>(numbers: Map<Key, number>, key: Key): number {
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, ++this.#last)
    return this.#last
  }
}

const STEPS_OF_AN_ITEM = 10
/** Steps counted for each value in the key of a list or an object. */
const STEPS_OF_A_PART = 10
const CHARACTERS_OF_A_STEP = 8

/** Maximum length of a string that V8 hashes by its content. A map compares longer strings of equal length one by one. */
const MAX_HASHED = 16_000

export function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > MAX_HASHED
}

/** Compares two values until it finds a difference. */
export function isEqual(one: unknown, other: unknown, take: Take = () => {}): boolean {
  take(1)
  if (!isObject(one) || !isObject(other)) return one === other
  if (Array.isArray(one) || Array.isArray(other)) return areSameLists(one, other, take)
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name], take))
}

function areSameLists(one: unknown, other: unknown, take: Take): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  return one.every((item, index) => isEqual(item, other[index], take))
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
