/** Maps the names in one registry to its entries. A change is applied completely or not at all. */
import { isToolName, nearestNames } from '@x/tool-core'
import {
  forEachEntry,
  type Given,
  instructionsOf,
  type NamedEntry,
  namedEntriesOf,
  ownerOf,
  type RegistryEntry,
  toEntry,
} from '../entries.ts'
import { kindOf, RegistryError } from '../errors.ts'
import { isEmpty, isLazyToolset, type LazyToolset, membersOf } from '../load/lazy-toolset.ts'

/**
 * The entry of a name, and the origin of the entry. Kept in one object per name, because a program may register ten thousand names at once.
 */
interface Slot extends Given {
  readonly named: NamedEntry
}

type Unlisted = Given & { readonly entry: LazyToolset }

/** The toolsets that a table listens to, and those that have changed since the table read them. */
interface Followed {
  readonly all: WeakSet<LazyToolset>
  readonly stale: Set<LazyToolset>
  readonly listeners: Set<() => void>
}

export class NameTable {
  readonly #slots = new Map<string, Slot>()
  /** Tool names by alias. */
  readonly #aliases = new Map<string, string>()
  /** Names and aliases that contain capitals, by their lower-case form. Two names must not differ only in case. */
  readonly #capitals = new Map<string, string>()
  readonly #unlisted = new Map<string, Unlisted>()
  readonly #holderOf: (name: string) => string | undefined
  readonly #followed: Followed = { all: new WeakSet(), stale: new Set(), listeners: new Set() }
  /** For each toolset, the tool names that were removed or replaced in this table. A change to the toolset doesn't add them again. */
  readonly #dropped = new Map<LazyToolset, Set<string>>()
  #names: readonly string[] | undefined
  #calls = 0
  #version = 0

  /** `holderOf` returns the label of another place that provides a name, such as the parent registry. Error messages contain this label. */
  constructor(holderOf: (name: string) => string | undefined = () => undefined) {
    this.#holderOf = holderOf
  }

  /** The names in order of registration, as a frozen array. Each change replaces the array. */
  get names(): readonly string[] {
    this.#upToDate()
    this.#names ??= Object.freeze([...this.#slots.keys()])
    return this.#names
  }

  /** A version number. Each change increases it. */
  get version(): number {
    this.#upToDate()
    return this.#version
  }

  /** The names, followed by the aliases. */
  get spellings(): readonly string[] {
    this.#upToDate()
    return [...this.#slots.keys(), ...this.#aliases.keys()]
  }

  /** The lazy toolsets that haven't listed any tools yet. */
  get unlisted(): readonly LazyToolset[] {
    this.#upToDate()
    return [...this.#unlisted.values()].map(({ entry }) => entry)
  }

  /** The names of all toolsets, whether imported or not. */
  get toolsets(): ReadonlySet<string> {
    const all = new Set<string>(this.#unlisted.keys())
    for (const { named, entry } of this.#slots.values()) if (entry !== named && entry.name !== undefined) all.add(entry.name)
    return all
  }

  /** Returns the entry that added a name: a tool, or its toolset. */
  adderOf(name: string): RegistryEntry | undefined {
    return this.#slots.get(name)?.entry
  }

  /** The instructions of all toolsets, without repetitions. */
  get instructions(): readonly string[] {
    this.#upToDate()
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

  /** Calls the listener after each change, including changes to the tools of a toolset. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#followed.listeners.add(listener)
    return () => this.#followed.listeners.delete(listener)
  }

  /** Returns the entry for a name or an alias. */
  get(name: string): NamedEntry | undefined {
    this.#upToDate()
    return (this.#slots.get(name) ?? this.#slots.get(this.#aliases.get(name) ?? name))?.named
  }

  /** Adds all entries, or throws and adds none. Skips an entry that the table already has under the entry's own name. */
  add(given: readonly RegistryEntry[], where: string): void {
    if (!Array.isArray(given)) {
      const words = `${where}: entries must be an array, got ${kindOf(given)}. Write ${where}([tool]).`
      throw new RegistryError('invalid_entry', words)
    }
    const brought: (Omit<Slot, 'named'> & { readonly named: NamedEntry | readonly NamedEntry[] })[] = []
    const call = where === 'createRegistry' ? undefined : ++this.#calls
    // Calls user code before the change, because that code may use this table.
    let position = 0
    const bring = (entry: RegistryEntry) => {
      brought.push({ named: namedEntriesOf(entry, position, where), entry, position, where, call, registry: undefined })
    }
    for (; position < given.length; position++) forEachEntry(given[position] as RegistryEntry, bring)
    this.#change(() => {
      for (const one of brought) Array.isArray(one.named) ? this.#putAll(one.named, one, where) : this.#put(one as Slot, where)
    })
    if (this.#dropped.size > 0) for (const { entry } of brought) this.#dropped.delete(entry as LazyToolset)
  }

  /** Adds the entries and aliases of other tables. If several tables have a name, the first of them wins. */
  addFrom(tables: readonly NameTable[], registry: string): void {
    const seen = new Set<string>()
    this.#upToDate()
    this.#change(() => {
      for (const table of tables) {
        table.#upToDate()
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

  /** Adds the tools of a lazy toolset after they become known. A toolset without tools stays unlisted, because it may get some later. */
  list(toolset: LazyToolset, entries: readonly NamedEntry[]): void {
    const given = this.#unlisted.get(toolset.name)
    if (given?.entry !== toolset || entries.length === 0) return
    this.#change(() => this.#putAll(entries, given, listerOf(toolset)))
    this.#unlisted.delete(toolset.name)
  }

  /** Replaces the entry that has the same name. */
  replace(replacement: RegistryEntry, where: string): void {
    this.#upToDate()
    const entry = toEntry(replacement)
    const given: Given = { entry, position: 0, where }
    const all = [namedEntriesOf(entry, 0, where)].flat()
    if (all.length === 0 || new Set(all.map(({ name }) => name.toLowerCase())).size < all.length) {
      throw new RegistryError(
        'invalid_entry',
        `${where}: ${ownerOf(given)} must provide at least one tool, and each tool must have a different name.`,
      )
    }
    for (const { name } of all) if (!this.#slots.has(name)) throw this.#unknown(name, where)
    for (const named of all) {
      this.#drop(named.name)
      this.#slots.set(named.name, { named, ...given })
    }
    if (isLazyToolset(entry)) this.#follow(entry)
    this.#dropped.delete(entry as LazyToolset)
    this.#changed()
  }

  /** Removes an alias, or an entry and its aliases. Returns false for an unknown name. */
  remove(name: string): boolean {
    this.#upToDate()
    this.#drop(name)
    if (!this.#slots.delete(name) && !this.#aliases.delete(name) && !this.#unlisted.delete(name)) return false
    // A toolset may have the name of a tool that is written in another case.
    if (this.#capitals.get(name.toLowerCase()) === name) this.#capitals.delete(name.toLowerCase())
    for (const [alias, target] of this.#aliases) if (target === name) this.remove(alias)
    this.#changed()
    return true
  }

  clear(): void {
    for (const all of [...this.#maps(), this.#dropped]) all.clear()
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

  /** Applies a change completely or not at all. New keys are at the end of each map, so a rollback only has to remove them. */
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
    if (!isLazyToolset(given.entry)) return
    this.#follow(given.entry)
    if (isEmpty(given.entry)) this.#putUnlisted(given as Unlisted, by)
  }

  /** Adds a slot. `by` is the method that the user called; error messages name it. */
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

  /** Returns the existing name or alias that is equal to a name or differs from it only in case. */
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
    callAll(this.#followed.listeners)
  }

  #drop(name: string): void {
    const entry = this.#slots.get(name)?.entry
    if (isLazyToolset(entry)) this.#dropped.set(entry, (this.#dropped.get(entry) ?? new Set()).add(name))
  }

  /**
   * Listens to changes of a toolset. The listener holds only a weak reference to this table's state, because a toolset may outlive the
   * registries that contain it.
   */
  #follow(toolset: LazyToolset): void {
    if (this.#followed.all.has(toolset)) return
    this.#followed.all.add(toolset)
    const followed = new WeakRef(this.#followed)
    const stop = toolset.onChange?.(() => {
      const table = followed.deref()
      if (table === undefined) return stop?.()
      table.stale.add(toolset)
      callAll(table.listeners)
    })
  }

  #upToDate(): void {
    if (this.#followed.stale.size === 0) return
    const stale = [...this.#followed.stale]
    this.#followed.stale.clear()
    for (const toolset of stale) this.#listAgain(toolset)
  }

  /**
   * Replaces the tools of a toolset without changing its position. If another entry already has one of the new names, the toolset counts as
   * unlisted. The next look-up then lists the toolset again and fails with an error that names both owners.
   */
  #listAgain(toolset: LazyToolset): void {
    const before = [...this.#slots]
    const own = before.filter(([, { entry }]) => entry === toolset)
    const given = own[0]?.[1] ?? this.#unlisted.get(toolset.name)
    if (given?.entry !== toolset) return
    const position = own[0] === undefined ? before.length : before.indexOf(own[0])
    const rest = before.filter(([, { entry }]) => entry !== toolset)
    for (const [name] of own) {
      this.#slots.delete(name)
      this.#capitals.delete(name.toLowerCase())
    }
    this.#unlisted.delete(toolset.name)
    const dropped = this.#dropped.get(toolset)
    const members = membersOf(toolset).filter(({ name }) => dropped?.has(name) !== true)
    const { entry, where, call, registry } = given
    try {
      const again = { entry, position: given.position, where, call, registry }
      for (const named of members) this.#put({ ...again, named }, listerOf(toolset))
      if (isEmpty(toolset)) this.#putUnlisted(again as Unlisted, where)
    } catch {
      for (const { name } of members) {
        if (this.#slots.get(name)?.entry !== toolset) continue
        this.#slots.delete(name)
        this.#capitals.delete(name.toLowerCase())
      }
      this.#unlisted.set(toolset.name, given as Unlisted)
    }
    const added = [...this.#slots].slice(rest.length)
    this.#slots.clear()
    for (const [name, slot] of [...rest.slice(0, position), ...added, ...rest.slice(position)]) this.#slots.set(name, slot)
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

/** Returns the name of the function that lists a toolset, for error messages. */
function listerOf({ name }: LazyToolset): string {
  return `lazyToolset("${name}")`
}

/** Calls all listeners. If a listener throws, its error is rethrown in a microtask, so that it can't interrupt or undo the change. */
function callAll(listeners: Iterable<() => void>): void {
  for (const listener of listeners) {
    try {
      listener()
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}
