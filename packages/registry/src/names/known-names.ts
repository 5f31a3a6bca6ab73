/** The names of all places of a registry, as one list. */
import type { NamedEntry } from '../entries.ts'
import type { Place } from '../resolve/place.ts'
import { type FoundName, TolerantNames } from './tolerant-name.ts'

/**
 * The names of a list are read again when it has changed. Those of a resolver with `names()` are asked for at each look-up, since
 * nobody tells when they change, and compared with what it said before; only where they differ is anything made again. A frozen
 * list that is the same as before is not even compared.
 */
export class KnownNames {
  readonly #places: readonly PlaceNames[]
  /** Of each place, as the list was made of them. */
  #made: readonly (readonly string[])[] | undefined
  #list: readonly string[] = []
  #tolerant: { readonly list: readonly string[]; readonly names: TolerantNames } | undefined

  constructor(places: readonly Place[]) {
    this.#places = places.map((place) => new PlaceNames(place))
  }

  /** One frozen list until something changes. */
  get list(): readonly string[] {
    const names = this.#places.map((place) => place.read())
    if (this.#made === undefined || names.some((list, index) => list !== this.#made?.[index])) {
      this.#list = Object.freeze([...new Set(names.flat())])
      this.#made = names
    }
    return this.#list
  }

  /** The name behind an alias, or the name itself; undefined for neither. */
  nameOf(name: string): string | undefined {
    for (const names of this.#places) {
      names.read()
      const found = names.nameOf(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** What is known of a name without asking a resolver; nothing where a resolver comes first that knows it. */
  entryOf(name: string): NamedEntry | undefined {
    for (const names of this.#places) {
      const entry = names.place.known(name)
      if (entry !== undefined) return entry
      names.read()
      if (names.nameOf(name) !== undefined) return undefined
    }
    return undefined
  }

  /** What a model's name means. */
  find(wrong: string): FoundName | undefined {
    const { list } = this
    if (this.#tolerant?.list !== list) {
      const spellings = this.#places.flatMap(({ place }) => [...place.spellings()])
      this.#tolerant = { list, names: new TolerantNames(spellings, (spelling) => this.#nameAsRead(spelling)) }
    }
    return this.#tolerant.names.find(wrong)
  }

  /** For several questions about one list. */
  #nameAsRead(name: string): string | undefined {
    for (const names of this.#places) {
      const found = names.nameOf(name)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The names of one place, as they were read last. */
class PlaceNames {
  readonly place: Place
  #version: number | undefined
  #given: Iterable<string> | undefined
  #names: readonly string[] = []
  #known: ReadonlySet<string> | undefined

  constructor(place: Place) {
    this.place = place
  }

  /** Another list after each change. */
  read(): readonly string[] {
    const version = this.place.version()
    if (version !== this.#version) {
      const given = this.place.names()
      // Only a list that cannot change needs no second look.
      if (given !== this.#given || !isFrozenList(given)) this.#take(isFrozenList(given) ? given : [...given], version)
      this.#given = given
      this.#version = version
    }
    return this.#names
  }

  nameOf(name: string): string | undefined {
    // A resolver has no aliases.
    if (!isUntold(this.place.version())) return this.place.nameOf(name)
    this.#known ??= new Set(this.#names)
    return this.#known.has(name) ? name : undefined
  }

  #take(names: readonly string[], version: number): void {
    const before = this.#names
    if (isUntold(version) && names.length === before.length && names.every((name, index) => name === before[index])) return
    this.#names = names
    this.#known = undefined
  }
}

/** Of a place that cannot say whether its names have changed. */
function isUntold(version: number): boolean {
  return Number.isNaN(version)
}

function isFrozenList(names: Iterable<string>): names is readonly string[] {
  return Array.isArray(names) && Object.isFrozen(names)
}
