/** The entries of one registry under their names, changed as a whole or not at all. */
import { isToolName, nearestNames } from '@x/tool-core'
import { type Given, instructionsOf, type NamedEntry, namedEntriesOf, ownerOf, type RegistryEntry } from '../entries.ts'
import { RegistryError } from '../errors.ts'
import { isLazyToolset, type LazyToolset } from '../load/lazy-toolset.ts'

/** What stands behind a name, and how it came. One object, because ten thousand of them are made at once. */
interface Slot extends Given {
  readonly named: NamedEntry
}

type Unlisted = Given & { readonly entry: LazyToolset }

export class NameTable {
  readonly #slots = new Map<string, Slot>()
  /** The name behind each alias. */
  readonly #aliases = new Map<string, string>()
  /** The names and aliases with capitals, by their lower case: no two may differ only in that. */
  readonly #capitals = new Map<string, string>()
  readonly #unlisted = new Map<string, Unlisted>()
  readonly #holderOf: (name: string) => string | undefined
  #names: readonly string[] | undefined
  #calls = 0
  #version = 0

  /** `holderOf`: where else a name is found, as an error names it. */
  constructor(holderOf: (name: string) => string | undefined = () => undefined) {
    this.#holderOf = holderOf
  }

  /** In the order of registration; one frozen list until something changes. */
  get names(): readonly string[] {
    this.#names ??= Object.freeze([...this.#slots.keys()])
    return this.#names
  }

  /** Another number after each change. */
  get version(): number {
    return this.#version
  }

  /** The names, and behind them the aliases. */
  get spellings(): readonly string[] {
    return [...this.#slots.keys(), ...this.#aliases.keys()]
  }

  /** The toolsets whose tools are not known yet. */
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

  /** Of each toolset that has something to say to a model, once. */
  get instructions(): readonly string[] {
    const all = new Set<string>()
    for (const slot of this.#slots.values()) {
      const words = instructionsOf(slot)
      if (words !== undefined) all.add(words)
    }
    return [...all]
  }

  /** Of the toolset that brought a tool, by the name or an alias. */
  instructionsFor(name: string): string | undefined {
    const slot = this.#slots.get(name) ?? this.#slots.get(this.#aliases.get(name) ?? name)
    return slot && instructionsOf(slot)
  }

  /** By the name or an alias. */
  get(name: string): NamedEntry | undefined {
    return (this.#slots.get(name) ?? this.#slots.get(this.#aliases.get(name) ?? name))?.named
  }

  /** Adds all or throws. The same entry under its own name again is no second one. */
  add(given: readonly RegistryEntry[], where: string): void {
    if (!Array.isArray(given)) throw new RegistryError('invalid_entry', `${where}: entries must be a list: ${where}([tool]).`)
    const entries: readonly RegistryEntry[] = [...given]
    // First whatever runs code of others, which may use this table.
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

  /** Adds what the tables hold as its own, with the aliases. What an earlier one has of a name goes before a later one. */
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

  /** What an unlisted toolset turned out to bring. */
  list(toolset: LazyToolset, entries: readonly NamedEntry[]): void {
    const given = this.#unlisted.get(toolset.name)
    if (given?.entry !== toolset) return
    this.#change(() => this.#putAll(entries, given, `lazyToolset("${toolset.name}")`))
    this.#unlisted.delete(toolset.name)
  }

  /** Puts an entry in the place of the one with its name. */
  replace(entry: RegistryEntry, where: string): void {
    const given: Given = { entry, position: 0, where }
    const all = [namedEntriesOf(entry, 0, where)].flat()
    if (all.length === 0 || new Set(all.map(({ name }) => name.toLowerCase())).size < all.length) {
      throw new RegistryError('invalid_entry', `${where}: ${ownerOf(given)} must bring tools, each of another name.`)
    }
    for (const { name } of all) if (!this.#slots.has(name)) throw this.#unknown(name, where)
    for (const named of all) this.#slots.set(named.name, { named, ...given })
    this.#changed()
  }

  /** An alias alone, or an entry with its aliases. False when there is none of that name. */
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
    if (!isToolName(alias)) throw new RegistryError('invalid_entry', `${where}: ${JSON.stringify(alias)} is no legal name.`)
    if (typeof target !== 'string')
      throw new RegistryError(
        'invalid_entry',
        `${where}: the name of the tool must be a text. Write registry.alias("alias", "name").`,
      )
    const name = this.get(target)?.name
    if (name === undefined) throw this.#unknown(target, where)
    this.#putAlias(alias, name, where)
    this.#changed()
  }

  /** All of it or nothing: what is put is at the end of its map, so it can be taken off again. */
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

  /** `by`: the method that puts it, which an error names. */
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
      const words = `${by}: ${ownerOf(earlier)} and ${ownerOf(given)} have one name. Leave one out, or rename one.`
      throw new RegistryError('duplicate_tool_name', words)
    }
  }

  /** The name or alias that is the same, or differs only in case. */
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
      const fix = 'Do it there, or register a tool of that name here, which comes before that one.'
      return new RegistryError('not_found', `${where}: "${name}" is no entry of this registry itself. ${holder} has it. ${fix}`)
    }
    const [nearest] = nearestNames(name, this.names, 1)
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    return new RegistryError('not_found', `${where}: there is no entry ${JSON.stringify(name)}.${hint}`)
  }

  #conflict(by: string, taken: string, name: string, owner: string): RegistryError {
    const slot = this.#slots.get(taken)
    const first = slot === undefined ? `an alias of "${this.#aliases.get(taken)}"` : ownerOf(slot)
    const names = taken === name ? `the name "${name}"` : `names that differ only in case, "${taken}" and "${name}"`
    const isReplaceable = by === 'register' && slot !== undefined && taken === name
    const fix = isReplaceable ? 'Leave one out, rename one, or use replace.' : 'Leave one out, or rename one.'
    return new RegistryError('duplicate_tool_name', `${by}: ${first} and ${owner} both bring ${names}. ${fix}`)
  }
}
