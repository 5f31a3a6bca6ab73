/** Wraps a lazy source, which has cards before it lists its tools, such as an MCP client. A registry treats the wrapper like the source. */
import { isCombinedSource, isTool, type Tool, type ToolSource } from '@x/tool-core'

/** The members of `LazySource` in `@x/registry` that wrappers use. */
export interface CardedSource extends ToolSource {
  readonly name: string
  cards(): readonly Named[]
  tool?(name: string): Promise<Tool | undefined>
  readonly loadTimeoutMs?: number | undefined
}

export interface Named {
  readonly name: string
}

/** How a wrapper changes the tools of its source. */
export interface Change {
  /** Throws `invalid_definition` if a name passed to the wrapper isn't the name of one of the source's tools. */
  check?: ((known: readonly Named[]) => void) | undefined
  /** Changes tools. With `decidesByTool`, it leaves some out. */
  tools(tools: readonly Tool[]): readonly Tool[]
  /** Returns the new name of a tool, or undefined if the tool is left out. Default: the names don't change. */
  name?: ((name: string) => string | undefined) | undefined
  /** True if the wrapper selects by the tools themselves, not by their names. It then has no cards before the first listing. */
  readonly decidesByTool?: boolean | undefined
  /** Returns the new name of the source, which is the prefix of its tools' names. Default: unchanged. */
  sourceName?: ((name: string) => string) | undefined
}

/** True for a source with cards, and for a combination that contains one. */
export function isLazy(source: ToolSource): boolean {
  return hasCards(source) || isCombinedSource(source)
}

export function hasCards(source: ToolSource): source is CardedSource {
  return typeof (source as Partial<CardedSource>).cards === 'function'
}

/** Returns the members of a wrapper that a registry uses. */
export function lazyMembers(source: CardedSource, change: Change, list: () => Promise<readonly Tool[]>) {
  const named = new CardNames(source, change.name ?? ((name) => name))
  const listed = change.decidesByTool === true ? new ListedCards(source, list) : undefined
  let checked: readonly Named[] | undefined
  return {
    loadTimeoutMs: source.loadTimeoutMs,
    cards: () => (listed ?? named).cards(),
    ...(listed !== undefined && { tools: () => listed.tools() }),
    onChange: (listener: () => void) => (listed ?? source).onChange?.(listener) ?? (() => {}),
    async tool(name: string): Promise<Tool | undefined> {
      const before = named.before(name)
      const tool = before === undefined ? undefined : await source.tool?.(before)
      if (!isTool(tool)) return undefined
      const cards = source.cards()
      if (cards !== checked) change.check?.(cards)
      checked = cards
      return change.tools([tool])[0]
    },
  }
}

/** The cards of a source under their new names. The card of an unchanged tool stays the same object. */
class CardNames {
  readonly #source: CardedSource
  readonly #rename: (name: string) => string | undefined
  readonly #renamed = new WeakMap<Named, Named>()
  #read: readonly Named[] = []
  #cards: readonly Named[] = []
  #before: ReadonlyMap<string, string> = new Map()

  constructor(source: CardedSource, rename: (name: string) => string | undefined) {
    this.#source = source
    this.#rename = rename
  }

  cards(): readonly Named[] {
    const cards = this.#source.cards()
    if (cards === this.#read) return this.#cards
    const before = new Map<string, string>()
    this.#cards = cards.flatMap((card) => {
      const name = this.#rename(card.name)
      if (name === undefined) return []
      before.set(name, card.name)
      const renamed = this.#renamed.get(card) ?? (name === card.name ? card : Object.freeze({ ...card, name }))
      this.#renamed.set(card, renamed)
      return [renamed]
    })
    this.#before = before
    this.#read = cards
    return this.#cards
  }

  /** Returns the source's name for a tool. */
  before(name: string): string | undefined {
    this.cards()
    return this.#before.get(name)
  }
}

/** The cards of the tools that were in the last listing. Lists the tools again after each change of the source. */
class ListedCards {
  readonly #source: CardedSource
  readonly #list: () => Promise<readonly Tool[]>
  readonly #listeners = new Set<() => void>()
  #stop: (() => void) | undefined
  #cards: readonly Named[] = []

  constructor(source: CardedSource, list: () => Promise<readonly Tool[]>) {
    this.#source = source
    this.#list = list
  }

  cards(): readonly Named[] {
    return this.#cards
  }

  async tools(): Promise<readonly Tool[]> {
    const tools = await this.#list()
    const names = new Set(tools.map(({ name }) => name))
    const cards = this.#source.cards().filter(({ name }) => names.has(name))
    if (cards.length === this.#cards.length && cards.every((card, index) => card === this.#cards[index])) return tools
    this.#cards = Object.freeze(cards)
    for (const listener of this.#listeners) listener()
    return tools
  }

  /** Keeps the earlier list if the source can't be listed. The source reports another change once it can. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#stop ??= this.#source.onChange?.(() => void this.tools().catch(() => {}))
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = undefined
    }
  }
}
