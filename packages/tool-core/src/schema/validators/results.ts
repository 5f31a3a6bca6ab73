/** Caches a schema's results during one check, so that no value is checked twice against a schema with several references to it. */
import { isLong } from './equal.ts'

export class Results<Result> {
  readonly #seen = new Map<unknown, Map<unknown, Result>>()
  #longPlace: unknown
  readonly #long = new Map<unknown, Result>()

  /**
   * Returns the cached results for a place. Their keys are the values. Only the last long string is cached, because a map compares long
   * strings slowly.
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
