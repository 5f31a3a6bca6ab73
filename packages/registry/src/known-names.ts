/** The names of all places of a registry, as one list. */
import type { NamedEntry } from './entries.ts'
import type { Place } from './place.ts'
import { type FoundName, TolerantNames } from './tolerant-name.ts'

export class KnownNames {
  readonly #places: readonly Place[]
  #versions: readonly number[] = []
  #list: readonly string[] = []
  #tolerant: { readonly list: readonly string[]; readonly names: TolerantNames } | undefined

  constructor(places: readonly Place[]) {
    this.#places = places
  }

  /** One frozen list until something changes. */
  get list(): readonly string[] {
    const versions = this.#places.map((place) => place.version())
    const isSame = this.#versions.length > 0 && versions.every((version, index) => version === this.#versions[index])
    if (!isSame) {
      this.#versions = versions
      this.#list = Object.freeze([...new Set(this.#places.flatMap((place) => [...place.names()]))])
    }
    return this.#list
  }

  /** The name behind an alias, or the name itself; undefined for neither. */
  nameOf(name: string): string | undefined {
    for (const place of this.#places) {
      const found = place.nameOf(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** What is known of a name without asking a resolver; nothing where a resolver comes first that knows it. */
  entryOf(name: string): NamedEntry | undefined {
    for (const place of this.#places) {
      const entry = place.known(name)
      if (entry !== undefined || place.nameOf(name) !== undefined) return entry
    }
    return undefined
  }

  /** What a model's name means. */
  find(wrong: string): FoundName | undefined {
    const { list } = this
    if (this.#tolerant?.list !== list) {
      const spellings = this.#places.flatMap((place) => [...place.spellings()])
      this.#tolerant = { list, names: new TolerantNames(spellings, (spelling) => this.nameOf(spelling)) }
    }
    return this.#tolerant.names.find(wrong)
  }
}
