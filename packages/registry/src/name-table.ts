/** The entries of one registry under their names, changed as a whole or not at all. */
import { isToolName, nearestNames } from '@x/tool-core'
import { type Given, instructionsOf, type NamedEntry, namedEntriesOf, ownerOf, type RegistryEntry } from './entries.ts'
import { RegistryError } from './errors.ts'
import { isLazyToolset, type LazyToolset } from './lazy-toolset.ts'

/** A name that is taken: by an entry, or by an alias of one. */
type Slot =
  | { readonly name: string; readonly entry: NamedEntry; readonly given: Given }
  | { readonly name: string; readonly entry: undefined; readonly target: string }

/** An entry, and what stands behind its names. */
interface Brought {
  readonly given: Given
  readonly entries: NamedEntry | readonly NamedEntry[]
}

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
    const brought: Brought[] = []
    for (let position = 0; position < entries.length; position++) {
      const given = { entry: entries[position] as RegistryEntry, position, where }
      brought.push({ given, entries: namedEntriesOf(given) })
    }
    this.#put(brought, where)
  }

  /** Adds the entries of another table, as its own; its aliases stay behind. */
  addFrom(other: NameTable, registry: string): void {
    const listed = [...other.#slots.values()].flatMap((slot): Brought[] =>
      slot.entry === undefined ? [] : [{ given: { ...slot.given, registry }, entries: slot.entry }],
    )
    const unlisted = [...other.#unlisted.values()].map((given): Brought => ({ given: { ...given, registry }, entries: [] }))
    this.#put([...listed, ...unlisted], 'merge')
  }

  /** What an unlisted toolset turned out to bring. */
  list(toolset: LazyToolset, entries: readonly NamedEntry[]): void {
    const given = this.#unlisted.get(toolset.name)
    if (given?.entry !== toolset) return
    this.#put([{ given, entries }], `lazyToolset("${toolset.name}")`)
    this.#unlisted.delete(toolset.name)
  }

  /** Puts an entry in the place of the one with its name. */
  replace(entry: RegistryEntry, where: string): void {
    const given: Given = { entry, position: 0, where }
    const entries = [namedEntriesOf(given)].flat()
    if (entries.length === 0 || new Set(entries.map(({ name }) => name.toLowerCase())).size < entries.length) {
      throw new RegistryError('invalid_entry', `${where}: ${ownerOf(given)} must bring tools, each of another name.`)
    }
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

  /** Puts all or nothing. Nobody else's code runs in between. */
  #put(brought: readonly Brought[], where: string): void {
    const fresh: string[] = []
    const unlisted: string[] = []
    try {
      for (const { given, entries } of brought) {
        if (!Array.isArray(entries)) this.#putOne(entries as NamedEntry, given, where, fresh)
        else for (const entry of entries) this.#putOne(entry, given, where, fresh)
        if (isLazyToolset(given.entry) && given.entry.names === undefined) this.#putUnlisted(given.entry, given, where, unlisted)
      }
    } catch (error) {
      for (const folded of fresh) this.#slots.delete(folded)
      for (const name of unlisted) this.#unlisted.delete(name)
      throw error
    }
    this.#changed()
  }

  #putOne(entry: NamedEntry, given: Given, where: string, fresh: string[]): void {
    const { name } = entry
    const folded = name.toLowerCase()
    const earlier = this.#slots.get(folded)
    if (earlier === undefined) {
      this.#slots.set(folded, { name, entry, given })
      fresh.push(folded)
    } else if (earlier.entry !== entry) throw duplicate(where, earlier, name, given)
  }

  #putUnlisted(entry: LazyToolset, given: Given, where: string, unlisted: string[]): void {
    const earlier = this.#unlisted.get(entry.name)
    if (earlier?.entry === entry) return
    if (earlier !== undefined) {
      const words = `${where}: ${ownerOf(earlier)} and ${ownerOf(given)} have one name. Leave one out, or rename one.`
      throw new RegistryError('duplicate_tool_name', words)
    }
    this.#unlisted.set(entry.name, { ...given, entry })
    unlisted.push(entry.name)
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
