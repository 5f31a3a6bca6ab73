/** The entries of one registry by name. A change is applied completely or not at all. */
import { isToolName, nearestNames } from '@x/tool-core'
import { type Given, instructionsOf, type NamedEntry, namedEntriesOf, ownerOf, type RegistryEntry } from '../entries.ts'
import { kindOf, RegistryError } from '../errors.ts'
import { isLazyToolset, type LazyToolset } from '../load/lazy-toolset.ts'

/** A name's entry and its origin. A single object, because ten thousand of them may be created at once. */
interface Slot extends Given {
  readonly named: NamedEntry
}

type Unlisted = Given & { readonly entry: LazyToolset }

export class NameTable {
  readonly #slots = new Map<string, Slot>()
  /** Tool names by alias. */
  readonly #aliases = new Map<string, string>()
  /** Names and aliases that contain capitals, by their lower-case form: names may not differ only in case. */
  readonly #capitals = new Map<string, string>()
  readonly #unlisted = new Map<string, Unlisted>()
  readonly #holderOf: (name: string) => string | undefined
  #names: readonly string[] | undefined
  #calls = 0
  #version = 0

  /** `holderOf` returns the place outside this table that has a name, for error messages. */
  constructor(holderOf: (name: string) => string | undefined = () => undefined) {
    this.#holderOf = holderOf
  }

  /** Names in order of registration. A frozen array, replaced when something changes. */
  get names(): readonly string[] {
    this.#names ??= Object.freeze([...this.#slots.keys()])
    return this.#names
  }

  /** Changes after each modification. */
  get version(): number {
    return this.#version
  }

  /** The names, followed by the aliases. */
  get spellings(): readonly string[] {
    return [...this.#slots.keys(), ...this.#aliases.keys()]
  }

  /** The lazy toolsets whose tool names are not known yet. */
  get unlisted(): readonly LazyToolset[] {
    return [...this.#unlisted.values()].map(({ entry }) => entry)
  }

  /** The names of all toolsets, imported or not. */
  get toolsets(): ReadonlySet<string> {
    const all = new Set<string>(this.#unlisted.keys())
    for (const { named, entry } of this.#slots.values()) if (entry !== named && entry.name !== undefined) all.add(entry.name)
    return all
  }

  get hasUnlisted(): boolean {
    return this.#unlisted.size > 0
  }

  /** The instructions of all toolsets, each once. */
  get instructions(): readonly string[] {
    const all = new Set<string>()
    for (const slot of this.#slots.values()) {
      const words = instructionsOf(slot)
      if (words !== undefined) all.add(words)
    }
    return [...all]
  }

  /** Returns the instructions of a tool's toolset. Accepts a name or an alias. */
  instructionsFor(name: string): string | undefined {
    const slot = this.#slots.get(name) ?? this.#slots.get(this.#aliases.get(name) ?? name)
    return slot && instructionsOf(slot)
  }

  /** Returns the entry for a name or an alias. */
  get(name: string): NamedEntry | undefined {
    return (this.#slots.get(name) ?? this.#slots.get(this.#aliases.get(name) ?? name))?.named
  }

  /** Adds all entries or throws. An entry that is already there under its own name is skipped. */
  add(given: readonly RegistryEntry[], where: string): void {
    if (!Array.isArray(given)) {
      const words = `${where}: entries must be an array, got ${kindOf(given)}. Write ${where}([tool]).`
      throw new RegistryError('invalid_entry', words)
    }
    const entries: readonly RegistryEntry[] = [...given]
    // First, everything that runs user code, because that code may use this table.
    const brought = entries.map((entry, position) => namedEntriesOf(entry, position, where))
    const call = where === 'createRegistry' ? undefined : ++this.#calls
    this.#change(() => {
      for (let position = 0; position < entries.length; position++) {
        const entry = entries[position] as RegistryEntry
        const named = brought[position]
        if (!Array.isArray(named))
          this.#put({ named: named as NamedEntry, entry, position, where, call, registry: undefined }, where)
        else this.#putAll(named, { entry, position, where, call }, where)
      }
    })
  }

  /** Adds the entries and aliases of other tables. For a name in several tables, the first one wins. */
  addFrom(tables: readonly NameTable[], registry: string): void {
    const seen = new Set<string>()
    this.#change(() => {
      for (const table of tables) {
        for (const [name, slot] of table.#slots) if (!seen.has(name)) this.#put({ ...slot, registry }, 'merge')
        for (const [alias, target] of table.#aliases) if (!seen.has(alias)) this.#putAlias(alias, target, 'merge', registry)
        for (const [toolset, given] of table.#unlisted) {
          if (!seen.has(`${toolset}_*`)) this.#putUnlisted({ ...given, registry }, 'merge')
        }
        for (const spelling of table.spellings) seen.add(spelling)
        for (const toolset of table.#unlisted.keys()) seen.add(`${toolset}_*`)
      }
    })
  }

  /** Adds the tools of a lazy toolset once they are known. */
  list(toolset: LazyToolset, entries: readonly NamedEntry[]): void {
    const given = this.#unlisted.get(toolset.name)
    if (given?.entry !== toolset) return
    this.#change(() => this.#putAll(entries, given, `lazyToolset("${toolset.name}")`))
    this.#unlisted.delete(toolset.name)
  }

  /** Replaces the entry with the same name. */
  replace(entry: RegistryEntry, where: string): void {
    const given: Given = { entry, position: 0, where }
    const all = [namedEntriesOf(entry, 0, where)].flat()
    if (all.length === 0 || new Set(all.map(({ name }) => name.toLowerCase())).size < all.length) {
      throw new RegistryError(
        'invalid_entry',
        `${where}: ${ownerOf(given)} must provide at least one tool, and each tool must have its own name.`,
      )
    }
    for (const { name } of all) if (!this.#slots.has(name)) throw this.#unknown(name, where)
    for (const named of all) this.#slots.set(named.name, { named, ...given })
    this.#changed()
  }

  /** Removes an alias, or an entry with its aliases. Returns false for an unknown name. */
  remove(name: string): boolean {
    if (!this.#slots.delete(name) && !this.#aliases.delete(name)) return this.#unlisted.delete(name)
    this.#capitals.delete(name.toLowerCase())
    for (const [alias, target] of this.#aliases) if (target === name) this.remove(alias)
    this.#changed()
    return true
  }

  clear(): void {
    for (const all of this.#maps()) all.clear()
    this.#changed()
  }

  alias(alias: string, target: string, where: string): void {
    if (!isToolName(alias))
      throw new RegistryError(
        'invalid_entry',
        `${where}: ${JSON.stringify(alias)} is not a valid tool name. Use letters, digits and "_".`,
      )
    if (typeof target !== 'string')
      throw new RegistryError(
        'invalid_entry',
        `${where}: the name of the tool must be a string, got ${kindOf(target)}. Write registry.alias("alias", "name").`,
      )
    const name = this.get(target)?.name
    if (name === undefined) throw this.#unknown(target, where)
    this.#putAlias(alias, name, where)
    this.#changed()
  }

  /** Applies all or nothing: new keys are at the end of each map, so they can be removed again. */
  #change(put: () => void): void {
    const sizes = this.#maps().map(({ size }) => size)
    try {
      put()
    } catch (error) {
      for (const [index, all] of this.#maps().entries()) {
        for (const key of [...all.keys()].slice(sizes[index])) all.delete(key)
      }
      throw error
    }
    this.#changed()
  }

  #putAll(all: readonly NamedEntry[], given: Given, by: string): void {
    for (const named of all) this.#put({ ...given, named }, by)
    if (isLazyToolset(given.entry) && given.entry.names === undefined) this.#putUnlisted(given as Unlisted, by)
  }

  /** `by` is the method that adds it, for error messages. */
  #put(slot: Slot, by: string): void {
    const { named } = slot
    const taken = this.#takenAs(named.name)
    if (taken === undefined) {
      this.#slots.set(named.name, slot)
      this.#spell(named.name)
    } else if (this.#slots.get(taken)?.named !== named) throw this.#conflict(by, taken, named.name, ownerOf(slot))
  }

  #putAlias(alias: string, target: string, by: string, registry?: string): void {
    const taken = this.#takenAs(alias)
    if (taken === undefined) {
      this.#aliases.set(alias, target)
      this.#spell(alias)
    } else if (taken !== alias || this.#aliases.get(alias) !== target) {
      const of = registry === undefined ? '' : ` of registry "${registry}"`
      throw this.#conflict(by, taken, alias, `an alias of "${target}"${of}`)
    }
  }

  #putUnlisted(given: Unlisted, by: string): void {
    const { entry } = given
    const earlier = this.#unlisted.get(entry.name)
    if (earlier === undefined) this.#unlisted.set(entry.name, given)
    else if (earlier.entry !== entry) {
      const words = `${by}: ${ownerOf(earlier)} and ${ownerOf(given)} have the same name. Remove or rename one of them.`
      throw new RegistryError('duplicate_tool_name', words)
    }
  }

  /** Returns the existing name or alias that is equal, or differs only in case. */
  #takenAs(name: string): string | undefined {
    const folded = name.toLowerCase()
    return this.#slots.has(folded) || this.#aliases.has(folded) ? folded : this.#capitals.get(folded)
  }

  #spell(name: string): void {
    const folded = name.toLowerCase()
    if (folded !== name) this.#capitals.set(folded, name)
  }

  #maps(): readonly Map<string, unknown>[] {
    return [this.#slots, this.#aliases, this.#capitals, this.#unlisted]
  }

  #changed(): void {
    this.#names = undefined
    this.#version++
  }

  #unknown(name: string, where: string): RegistryError {
    const holder = this.#holderOf(name)
    if (holder !== undefined) {
      const fix = 'Change it there, or register a tool with that name here, which then takes precedence.'
      return new RegistryError(
        'not_found',
        `${where}: "${name}" is not an entry of this registry. It belongs to ${holder}. ${fix}`,
      )
    }
    const [nearest] = nearestNames(name, this.names, 1)
    const hint = nearest === undefined ? 'Register it first.' : `Did you mean "${nearest}"?`
    return new RegistryError('not_found', `${where}: no entry is named ${JSON.stringify(name)}. ${hint}`)
  }

  #conflict(by: string, taken: string, name: string, owner: string): RegistryError {
    const slot = this.#slots.get(taken)
    const first = slot === undefined ? `an alias of "${this.#aliases.get(taken)}"` : ownerOf(slot)
    const names = taken === name ? `the name "${name}"` : `names that differ only in case, "${taken}" and "${name}"`
    const isReplaceable = by === 'register' && slot !== undefined && taken === name
    const fix = isReplaceable ? 'Remove or rename one of them, or use replace.' : 'Remove or rename one of them.'
    return new RegistryError('duplicate_tool_name', `${by}: ${first} and ${owner} both use ${names}. ${fix}`)
  }
}
