/** A server's tools: the registry that contains them, its listing, and the tools that were created for calls. */
import { createRegistry, type RegistryEntry } from '@x/registry'
import { holdSource, isTool, isToolSource, type SourceHold, type Tool, type ToolSource } from '@x/tool-core'
import { Listing } from './definitions.ts'
import { isRegistry, notServable, type Servable, type ServedRegistry } from './servable.ts'

export class ServedTools {
  readonly #given: Servable
  readonly #sources: readonly SourceHold[]
  readonly #listeners = new Set<() => void>()
  /** Stops listening for changes of the registry or the source. */
  #stop: (() => void) | undefined
  #registry: Promise<ServedRegistry> | undefined
  #listing: Listing | undefined
  /** Tools created by factories. Cached, because a registry would create them again for each call. */
  readonly #created = new Map<string, Promise<Tool | undefined>>()

  /** Throws `invalid_option` for anything that can't be served. */
  constructor(given: Servable) {
    if (!Array.isArray(given) && !isRegistry(given) && !isToolSource(given)) throw notServable(given)
    this.#given = given
    const entries: readonly unknown[] = Array.isArray(given) ? given : [given]
    this.#sources = entries
      .filter((entry) => isToolSource(entry) && !isTool(entry) && !isRegistry(entry))
      .map((entry) => holdSource(entry as ToolSource))
  }

  /** Opens the sources on first use. If that fails, the next use tries again. */
  open(): Promise<ServedRegistry> {
    this.#registry ??= this.#start().catch((error) => {
      this.#registry = undefined
      throw error
    })
    return this.#registry
  }

  async listing(isSecond = false): Promise<Listing> {
    const opening = this.open()
    const registry = await opening
    // The source has changed since then, so its tools are listed again. Only once, because some sources report a change whenever they
    // are listed.
    if (this.#registry !== opening && !isSecond) return this.listing(true)
    this.#listing ??= new Listing(registry.cards())
    return this.#listing
  }

  /** Returns the tool with exactly this name, and imports it if it is lazy. Returns undefined for any other name. */
  async find(name: string): Promise<Tool | undefined> {
    const registry = await this.open()
    const registered = registry.get(name)
    if (registered?.tool !== undefined || registered === undefined) return registered?.tool
    if (registered.kind === 'factory') return this.#create(registry, name)
    const tool = (await registry.resolve(name)).values().next().value
    if (this.#listing?.isBare(name)) this.#changed()
    return tool
  }

  /** Calls the listener after the listing has changed. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #create(registry: ServedRegistry, name: string): Promise<Tool | undefined> {
    const known = this.#created.get(name)
    if (known !== undefined) return known
    const created = registry.resolve(name).then((tools) => tools.values().next().value)
    this.#created.set(name, created)
    created.catch(() => this.#created.delete(name))
    return created
  }

  async close(): Promise<void> {
    this.#stop?.()
    await Promise.all(this.#sources.map((source) => source.close()))
  }

  async #start(): Promise<ServedRegistry> {
    await Promise.all(this.#sources.map((source) => source.open()))
    const given = this.#given
    if (!isRegistry(given) && !Array.isArray(given) && !('cards' in given)) return this.#listOf(given as ToolSource)
    const registry = isRegistry(given) ? given : createRegistry([given].flat() as readonly RegistryEntry[])
    this.#follow(registry, () => this.#created.clear())
    return registry
  }

  /** Creates a registry for a source that has no cards. After a change, the source's tools are listed again. */
  async #listOf(source: ToolSource): Promise<ServedRegistry> {
    this.#follow(source, () => {
      this.#registry = undefined
    })
    return createRegistry([...(await source.tools())])
  }

  #follow(changing: Pick<ToolSource, 'onChange'>, forget: () => void): void {
    this.#stop ??= changing.onChange?.(() => {
      forget()
      this.#changed()
    })
  }

  #changed(): void {
    this.#listing = undefined
    for (const listener of this.#listeners) listener()
  }
}
