/** Combines the names from all places that a registry searches into one list. */
import type { NamedEntry } from '../entries.ts'
import type { Place } from '../resolve/place.ts'
import { type FoundName, TolerantNames } from './tolerant-name.ts'

/**
 * Caches the names of each place. Reads a table again only when its version changes. A resolver has no version, so `names()` is called at
 * each look-up and compared with the cached names. If it returns the same frozen array as before, no comparison is needed.
 */
export class KnownNames {
  readonly #places: readonly PlaceNames[]
  /** The names of each place when the current list was built. */
  #made: readonly (readonly string[])[] | undefined
  #list: readonly string[] = []
  #tolerant: { readonly list: readonly string[]; readonly names: TolerantNames } | undefined

  constructor(places: readonly Place[]) {
    this.#places = places.map((place) => new PlaceNames(place))
  }

  /** A frozen array of all names. A change replaces the array. */
  get list(): readonly string[] {
    const names = this.#places.map((place) => place.read())
    if (this.#made === undefined || names.some((list, index) => list !== this.#made?.[index])) {
      this.#list = Object.freeze([...new Set(names.flat())])
      this.#made = names
    }
    return this.#list
  }

  /** Returns the tool's name for an alias, and a tool's name unchanged. Undefined for an unknown name. */
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

  /** Finds the tool that a model meant by a name. */
  find(wrong: string): FoundName | undefined {
    const { list } = this
    if (this.#tolerant?.list !== list) {
      const spellings = this.#places.flatMap(({ place }) => [...place.spellings()])
      this.#tolerant = { list, names: new TolerantNames(spellings, (spelling) => this.#nameAsRead(spelling)) }
    }
    return this.#tolerant.names.find(wrong)
  }

  /** Like `nameOf`, but uses the cached names. */
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

  /** Returns the names. The array stays the same until a name changes. */
  read(): readonly string[] {
    const version = this.place.version()
    if (version !== this.#version) {
      const given = this.place.names()
      // Any other array may have changed since the last look-up.
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

/** True if the place can't detect changes to its names. */
function isUnversioned(version: number): boolean {
  return Number.isNaN(version)
}

function isFrozenList(names: Iterable<string>): names is readonly string[] {
  return Array.isArray(names) && Object.isFrozen(names)
}
