/** The entries of one registry under their names, changed as a whole or not at all. */
import { isToolName, nearestNames } from '@x/tool-core'
import { type Given, instructionsOf, type NamedEntry, namedEntriesOf, ownerOf, type RegistryEntry } from './entries.ts'
import { RegistryError } from './errors.ts'
import { isLazyToolset, type LazyToolset } from './lazy-toolset.ts'

/** A name that is taken: by an entry, or by an alias of one. */
type Slot =
  | { readonly name: string; readonly entry: NamedEntry; readonly given: Given }
  | { readonly name: string; readonly entry: undefined; readonly target: string }

export class NameTable {
  /** By the lower case of their names: no two may differ only in that. */
  readonly #slots = new Map<string, Slot>()
  readonly #unlisted = new Map<string, Given & { readonly entry: LazyToolset }>()
  #names: readonly string[] | undefined
  #version = 0

  /** In the order of registration; one frozen list until something changes. */
  get names(): readonly string[] {
    this.#names ??= Object.freeze([...this.#slots.values()].flatMap(({ name, entry }) => (entry === undefined ? [] : [name])))
    return this.#names
  }

  /** Another number after each change. */
  get version(): number {
    return this.#version
  }

  /** The names and the aliases. */
  get spellings(): readonly string[] {
    return [...this.#slots.values()].map(({ name }) => name)
  }

  /** The toolsets whose tools are not known yet. */
  get unlisted(): readonly LazyToolset[] {
    return [...this.#unlisted.values()].map(({ entry }) => entry)
  }

  /** Of each toolset that has something to say to a model, once. */
  get instructions(): readonly string[] {
    const all = new Set<string>()
    for (const slot of this.#slots.values()) {
      const words = slot.entry === undefined ? undefined : instructionsOf(slot.given)
      if (words !== undefined) all.add(words)
    }
    return [...all]
  }

  /** By the name or an alias. */
  get(name: string): NamedEntry | undefined {
    const slot = this.#slotOf(name)
    return slot === undefined || slot.entry !== undefined ? slot?.entry : this.#slotOf(slot.target)?.entry
  }

  /** Adds all or throws. The same entry under its own name again is no second one. */
  add(entries: readonly RegistryEntry[], where: string): void {
    if (!Array.isArray(entries)) throw new RegistryError('invalid_entry', `${where}: entries must be a list: ${where}([tool]).`)
    this.#change(where, (put) => {
      for (let position = 0; position < entries.length; position++) {
        const given = { entry: entries[position] as RegistryEntry, position, where }
        put(namedEntriesOf(given), given)
      }
    })
  }

  /** Adds the entries of another table, as its own. */
  addFrom(other: NameTable, registry: string): void {
    this.#change('merge', (put) => {
      for (const slot of other.#slots.values()) if (slot.entry !== undefined) put(slot.entry, { ...slot.given, registry })
      for (const given of other.#unlisted.values()) put([], { ...given, registry })
    })
  }

  /** What an unlisted toolset turned out to bring. */
  list(toolset: LazyToolset, entries: readonly NamedEntry[]): void {
    const given = this.#unlisted.get(toolset.name)
    if (given?.entry !== toolset) return
    this.#change(`lazyToolset("${toolset.name}")`, (put) => put(entries, given))
    this.#unlisted.delete(toolset.name)
  }

  /** Puts an entry in the place of the one with its name. */
  replace(entry: RegistryEntry, where: string): void {
    const given: Given = { entry, position: 0, where }
    const entries = [namedEntriesOf(given)].flat()
    for (const { name } of entries) if (this.#slotOf(name)?.entry === undefined) throw this.#unknown(name, where)
    for (const one of entries) this.#slots.set(one.name.toLowerCase(), { name: one.name, entry: one, given })
    this.#changed()
  }

  /** False when there is none of that name. Its aliases go with it. */
  remove(name: string): boolean {
    if (this.#slotOf(name)?.entry === undefined) return this.#unlisted.delete(name)
    this.#slots.delete(name.toLowerCase())
    for (const [folded, slot] of this.#slots) if (slot.entry === undefined && slot.target === name) this.#slots.delete(folded)
    this.#changed()
    return true
  }

  clear(): void {
    this.#unlisted.clear()
    this.#slots.clear()
    this.#changed()
  }

  alias(alias: string, target: string, where: string): void {
    if (!isToolName(alias)) throw new RegistryError('invalid_entry', `${where}: ${JSON.stringify(alias)} is no legal name.`)
    if (this.#slotOf(target)?.entry === undefined) throw this.#unknown(target, where)
    const taken = this.#slots.get(alias.toLowerCase())
    if (taken !== undefined && (taken.entry !== undefined || taken.name !== alias || taken.target !== target)) {
      throw new RegistryError('duplicate_tool_name', `${where}: the name "${taken.name}" is taken.`)
    }
    this.#slots.set(alias.toLowerCase(), { name: alias, entry: undefined, target })
    this.#changed()
  }

  /** Keeps what `work` puts, or nothing when it throws. */
  #change(where: string, work: (put: (entries: NamedEntry | readonly NamedEntry[], given: Given) => void) => void): void {
    const fresh: string[] = []
    const unlisted: string[] = []
    const putOne = (entry: NamedEntry, given: Given) => {
      const folded = entry.name.toLowerCase()
      const earlier = this.#slots.get(folded)
      if (earlier === undefined) {
        this.#slots.set(folded, { name: entry.name, entry, given })
        fresh.push(folded)
      } else if (earlier.entry !== entry) throw duplicate(where, earlier, entry.name, given)
    }
    try {
      work((entries, given) => {
        if (Array.isArray(entries)) for (const entry of entries) putOne(entry, given)
        else putOne(entries as NamedEntry, given)
        if (!isLazyToolset(given.entry) || given.entry.names !== undefined || this.#unlisted.has(given.entry.name)) return
        this.#unlisted.set(given.entry.name, given as Given & { readonly entry: LazyToolset })
        unlisted.push(given.entry.name)
      })
    } catch (error) {
      for (const folded of fresh) this.#slots.delete(folded)
      for (const name of unlisted) this.#unlisted.delete(name)
      throw error
    }
    this.#changed()
  }

  #slotOf(name: string): Slot | undefined {
    const slot = typeof name === 'string' ? this.#slots.get(name.toLowerCase()) : undefined
    return slot?.name === name ? slot : undefined
  }

  #changed(): void {
    this.#names = undefined
    this.#version++
  }

  #unknown(name: string, where: string): RegistryError {
    const [nearest] = nearestNames(name, this.names, 1)
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    return new RegistryError('not_found', `${where}: there is no entry ${JSON.stringify(name)}.${hint}`)
  }
}

function duplicate(where: string, earlier: Slot, name: string, given: Given): RegistryError {
  const first = earlier.entry === undefined ? `an alias of "${earlier.target}"` : ownerOf(earlier.given)
  const names = earlier.name === name ? `the name "${name}"` : `names that differ only in case, "${earlier.name}" and "${name}"`
  return new RegistryError(
    'duplicate_tool_name',
    `${where}: ${first} and ${ownerOf(given)} both bring ${names}. Leave one out, or rename one.`,
  )
}
