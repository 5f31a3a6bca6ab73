/** Caches a schema's results during one check, so that no value is checked twice against a schema that is referred to several times. */
import { isLong } from './equal.ts'

export class Results<Result> {
  readonly #seen = new Map<unknown, Map<unknown, Result>>()
  #longPlace: unknown
  readonly #long = new Map<unknown, Result>()

  /**
   * Returns the results at this place, by value. Of long strings, only the last one is cached, because a map is slow to tell long strings
   * apart.
   */
  at(place: unknown, data: unknown): Map<unknown, Result> {
    if (isLong(data)) {
      if (place !== this.#longPlace || !this.#long.has(data)) this.#long.clear()
      this.#longPlace = place
      return this.#long
    }
    const known = this.#seen.get(place)
    if (known !== undefined) return known
    const there = new Map<unknown, Result>()
    this.#seen.set(place, there)
    return there
  }

  clear(): void {
    this.#seen.clear()
    this.#long.clear()
  }
}
