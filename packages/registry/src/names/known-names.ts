/** Combines the names of all places that a registry searches into one list. */
import type { NamedEntry } from '../entries.ts'
import type { Place } from '../resolve/place.ts'
import { type FoundName, TolerantNames } from './tolerant-name.ts'

/**
 * Caches the names of each place. A table is read again when its version changes. A resolver has no version, so its `names()` is called at
 * each look-up, and the result is compared with the cached names. If the result is the same frozen array as before, the comparison is
 * skipped.
 */
export class KnownNames {
  readonly #places: readonly PlaceNames[]
  /** The name lists of the places from which `#list` was built. */
  #made: readonly (readonly string[])[] | undefined
  #list: readonly string[] = []
  #tolerant: { readonly list: readonly string[]; readonly names: TolerantNames } | undefined

  constructor(places: readonly Place[]) {
    this.#places = places.map((place) => new PlaceNames(place))
  }

  /** A frozen array of all names. It is replaced when something changes. */
  get list(): readonly string[] {
    const names = this.#places.map((place) => place.read())
    if (this.#made === undefined || names.some((list, index) => list !== this.#made?.[index])) {
      this.#list = Object.freeze([...new Set(names.flat())])
      this.#made = names
    }
    return this.#list
  }

  /** Resolves an alias to the tool's name and returns a tool name unchanged. Undefined for an unknown name. */
  nameOf(name: string): string | undefined {
    for (const names of this.#places) {
      names.read()
      const found = names.nameOf(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Returns the entry for a name without calling a resolver. Undefined if a resolver that lists the name comes first. */
  entryOf(name: string): NamedEntry | undefined {
    for (const names of this.#places) {
      const entry = names.place.known(name)
      if (entry !== undefined) return entry
      names.read()
      if (names.nameOf(name) !== undefined) return undefined
    }
    return undefined
  }

  /** Finds the tool for a name that a model wrote. */
  find(wrong: string): FoundName | undefined {
    const { list } = this
    if (this.#tolerant?.list !== list) {
      const spellings = this.#places.flatMap(({ place }) => [...place.spellings()])
      this.#tolerant = { list, names: new TolerantNames(spellings, (spelling) => this.#nameAsRead(spelling)) }
    }
    return this.#tolerant.names.find(wrong)
  }

  /** Like `nameOf`, without reading the names again. */
  #nameAsRead(name: string): string | undefined {
    for (const names of this.#places) {
      const found = names.nameOf(name)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The cached names of one place. */
class PlaceNames {
  readonly place: Place
  #version: number | undefined
  #given: Iterable<string> | undefined
  #names: readonly string[] = []
  #known: ReadonlySet<string> | undefined

  constructor(place: Place) {
    this.place = place
  }

  /** Returns the names. The array stays the same until something changes. */
  read(): readonly string[] {
    const version = this.place.version()
    if (version !== this.#version) {
      const given = this.place.names()
      // Only a frozen array is known to be unchanged.
      if (given !== this.#given || !isFrozenList(given)) this.#take(isFrozenList(given) ? given : [...given], version)
      this.#given = given
      this.#version = version
    }
    return this.#names
  }

  nameOf(name: string): string | undefined {
    // A resolver has no aliases.
    if (!isUnversioned(this.place.version())) return this.place.nameOf(name)
    this.#known ??= new Set(this.#names)
    return this.#known.has(name) ? name : undefined
  }

  #take(names: readonly string[], version: number): void {
    const before = this.#names
    if (isUnversioned(version) && names.length === before.length && names.every((name, index) => name === before[index])) return
    this.#names = names
    this.#known = undefined
  }
}

/** True for the version of a place that can't detect changes to its names. */
function isUnversioned(version: number): boolean {
  return Number.isNaN(version)
}

function isFrozenList(names: Iterable<string>): names is readonly string[] {
  return Array.isArray(names) && Object.isFrozen(names)
}
