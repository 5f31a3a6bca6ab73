/** The search of a registry. The first search creates the index, which then follows the registry's changes. */
import { isTool, macrotask, type Tool } from '@x/tool-core'
import type { NamedEntry } from '../entries.ts'
import { RegistryError } from '../errors.ts'
import type { Place } from '../resolve/place.ts'
import { cardOf, type ToolCard } from './card.ts'
import { fuseRanks } from './fusion.ts'
import { BM25FIndex, type SearchHit, type SearchOptions } from './tool-index.ts'

export type { SearchHit } from './tool-index.ts'

/**
 * A second ranking of the cards, for example by embeddings. Returns the names of the matching cards, best first. The search combines it
 * with the ranking of the index by reciprocal rank.
 */
export type ToolRanker = (query: string, cards: readonly ToolCard[]) => readonly string[] | Promise<readonly string[]>

export interface RegistrySearchOptions extends SearchOptions {
  readonly rank?: ToolRanker | undefined
}

/** Number of hits of the index to combine with a ranker's names. */
const FUSED = 100
const DEFAULT_LIMIT = 8
/** Number of tools to look up per task, which takes a few milliseconds. */
const SLICE = 1_000

export class RegistrySearch {
  readonly #places: readonly Place[]
  readonly #toolOf: (entry: NamedEntry) => Tool | undefined
  #index: BM25FIndex | undefined
  readonly #cards = new Map<string, ToolCard>()
  #versions: readonly number[] = []
  /** The running update, if any. */
  #updating: Promise<void> | undefined
  /** The card of each tool. For an entry whose tool isn't loaded, the card of the entry. */
  readonly #made = new WeakMap<object, ToolCard>()

  /** `toolOf` returns the loaded tool of a lazy entry. */
  constructor(places: readonly Place[], toolOf: (entry: NamedEntry) => Tool | undefined) {
    this.#places = places
    this.#toolOf = toolOf
  }

  async search(
    query: string,
    { rank, limit = DEFAULT_LIMIT, filter }: RegistrySearchOptions = {},
  ): Promise<readonly SearchHit[]> {
    const index = await this.#upToDate()
    await index.readAhead()
    if (rank === undefined) return index.search(query, { limit, filter })
    if (!(limit >= 0)) throw new RangeError(`search: limit must be a number of 0 or more, got ${limit}.`)
    if (typeof rank !== 'function') throw new TypeError(`search: rank must be a function, got ${typeof rank}.`)
    const byIndex = index.search(query, { limit: FUSED, filter }).map(({ name }) => name)
    const cards = [...this.#cards.values()].filter((card) => filter?.(card) ?? true)
    const byRanker = await rank(query, cards)
    if (!Array.isArray(byRanker)) {
      throw new TypeError(
        `search: rank must return an array of names, best first, got ${byRanker === null ? 'null' : typeof byRanker}.`,
      )
    }
    const allowed = new Map<string, ToolCard>()
    for (const card of cards) allowed.set(card.name, card)
    const stranger = byRanker.find((name) => !allowed.has(name))
    if (stranger !== undefined) {
      throw new RegistryError(
        'not_found',
        `search: rank returned ${JSON.stringify(stranger)}, which is not the name of a card passed to it. Return only names of those cards.`,
      )
    }
    return fuseRanks([byIndex, byRanker])
      .slice(0, limit)
      .map(({ name, score }) => ({ name, score, card: allowed.get(name) as ToolCard }))
  }

  /** Replaces the card of a lazy tool once it is loaded. */
  learn(entry: NamedEntry, tool: Tool): void {
    if (this.#index === undefined || !this.#cards.has(tool.name)) return
    // Another entry may have replaced this one during the import.
    const isThere = this.#places.find((place) => place.nameOf(tool.name) !== undefined)?.known(tool.name) === entry
    if (isThere) this.#add(this.#index, cardOf(tool))
  }

  async #upToDate(): Promise<BM25FIndex> {
    this.#index ??= new BM25FIndex()
    // The search that updates the index reports its own failure.
    while (this.#updating !== undefined) await this.#updating.catch(() => {})
    const versions = this.#placeVersions()
    if (versions.every((version, position) => version === this.#versions[position])) return this.#index
    this.#updating = this.#update(this.#index, versions)
    try {
      await this.#updating
    } finally {
      this.#updating = undefined
    }
    return this.#index
  }

  /** Updates the index in slices. If the registry changes meanwhile, updates it again without a pause. */
  async #update(index: BM25FIndex, before: readonly number[]): Promise<void> {
    for (const _slice of this.#follow(index)) await macrotask()
    const after = this.#placeVersions()
    const isSame = after.every((version, position) => Object.is(version, before[position]))
    if (!isSame) for (const _slice of this.#follow(index));
    this.#versions = after
  }

  #placeVersions(): readonly number[] {
    return this.#places.map((place) => place.version())
  }

  /** Passes only the changes to the index, so that a change to one tool doesn't rebuild an index of ten thousand tools. */
  *#follow(index: BM25FIndex): Generator<void> {
    const names = new Set<string>()
    // A resolver's list may change between the slices.
    const lists = this.#places.map((place) => ({ place, listed: [...place.names()] }))
    // If several places have a name, the first place wins.
    for (const { place, listed } of lists) {
      for (const name of listed) {
        if (names.has(name)) continue
        names.add(name)
        if (names.size % SLICE === 0) yield
        const entry = place.known(name)
        const card = entry === undefined ? this.#bare(name) : this.#cardOf(entry)
        if (this.#cards.get(name) !== card) this.#add(index, card)
      }
    }
    for (const name of this.#cards.keys()) {
      if (names.has(name)) continue
      index.remove(name)
      this.#cards.delete(name)
    }
  }

  #add(index: BM25FIndex, card: ToolCard): void {
    index.add(card)
    this.#cards.set(card.name, card)
  }

  #cardOf(entry: NamedEntry): ToolCard {
    const tool = isTool(entry) ? entry : this.#toolOf(entry)
    const key = tool ?? entry
    let card = this.#made.get(key)
    if (card === undefined) {
      card = tool !== undefined ? cardOf(tool) : (!isTool(entry) && entry.card) || { name: entry.name }
      this.#made.set(key, card)
    }
    return card
  }

  /** Returns a card for a tool from a resolver. Only the tool's name is known. */
  #bare(name: string): ToolCard {
    return this.#cards.get(name) ?? { name }
  }
}
