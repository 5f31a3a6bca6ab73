/** Lists the names of an object's properties. Leaves out properties with the value `undefined`, which count as missing. */
import type { Take } from './equal.ts'

export class ObjectNames {
  readonly #take: Take
  #object: object | undefined
  #names: readonly string[] = []

  constructor(take: Take) {
    this.#take = take
  }

  /** Returns the names. Keeps those of the last object, because several keywords may need them. */
  of(object: object): readonly string[] {
    if (object !== this.#object) {
      this.#names = Object.keys(object).filter((name) => object[name as keyof object] !== undefined)
      this.#object = object
      this.#take(STEPS_OF_LISTING * this.#names.length)
    }
    return this.#names
  }

  forget(): void {
    this.#object = undefined
    this.#names = []
  }
}

const STEPS_OF_LISTING = 10
