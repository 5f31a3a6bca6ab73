/** Sources that describe their tools with cards before they list them, such as an MCP client. */
import { isTool, isToolSource, type Tool, type ToolSource } from '@x/tool-core'
import { RegistryError } from '../errors.ts'
import { assertCard, type ToolCard } from '../search/card.ts'
import { holdTo } from './deadline.ts'
import { LAZY_TOOLSET, type LazyToolset, toolsOf } from './lazy-toolset.ts'
import type { LoadOptions } from './load-options.ts'

/** A source that lists its tools only when one of them is resolved. Each tool name starts with `{name}_`. */
export interface LazySource extends ToolSource {
  readonly name: string
  /**
   * Returns the cards known so far, or an empty list before the first listing. An unchanged tool keeps the same card object. Loads nothing.
   */
  cards(): readonly ToolCard[]
  /** Loads a single tool. Default: takes the tool from `tools()`. */
  tool?(name: string): Promise<Tool | undefined>
  /**
   * Timeout for `tools` and `tool`, in milliseconds. `Infinity` if the source limits them itself. Default: the `loadTimeoutMs` of the registry.
   */
  readonly loadTimeoutMs?: number | undefined
}

export function isLazySource(value: unknown): value is LazySource {
  return isToolSource(value) && typeof (value as Partial<LazySource>).cards === 'function'
}

const toolsets = new WeakMap<LazySource, LazyToolset>()

/** Returns a lazy toolset for the source. All registries get the same object. */
export function toolsetOf(source: LazySource): LazyToolset {
  const known = toolsets.get(source) ?? new SourceToolset(source)
  toolsets.set(source, known)
  return known
}

class SourceToolset implements LazyToolset {
  readonly [LAZY_TOOLSET] = true
  readonly #source: LazySource
  #read: readonly ToolCard[] = []

  constructor(source: LazySource) {
    this.#source = source
    const { name, loadTimeoutMs = 0 } = source
    if (!(typeof loadTimeoutMs === 'number' && loadTimeoutMs >= 0))
      throw new RegistryError(
        'invalid_entry',
        `The source "${name}": loadTimeoutMs must be a number of milliseconds, got ${String(loadTimeoutMs)}.`,
      )
  }

  get name(): string {
    return this.#source.name
  }

  get names(): readonly string[] | undefined {
    const cards = this.cards()
    return cards.length === 0 ? undefined : cards.map(({ name }) => name)
  }

  get instructions(): string | undefined {
    return this.#source.instructions
  }

  cards(): readonly ToolCard[] {
    const cards = this.#source.cards()
    if (cards !== this.#read) for (const card of cards) assertCard(card)
    this.#read = cards
    return cards
  }

  onChange(listener: () => void): () => void {
    return this.#source.onChange?.(listener) ?? (() => {})
  }

  load(options?: LoadOptions): Promise<readonly Tool[]> {
    return this.#within(toolsOf(this.name, this.#source), options) as Promise<readonly Tool[]>
  }

  async loadOne(name: string, options?: LoadOptions): Promise<Tool | undefined> {
    if (this.#source.tool === undefined) return undefined
    const loaded = await this.#within(this.#source.tool(name), options)
    return isTool(loaded) && loaded.name === name ? loaded : undefined
  }

  async #within(
    loading: Promise<unknown>,
    { timeoutMs = Number.POSITIVE_INFINITY, onLoaded }: LoadOptions = {},
  ): Promise<unknown> {
    const began = onLoaded && performance.now()
    const { loadTimeoutMs } = this.#source
    const fix = loadTimeoutMs === undefined ? undefined : `Make the source "${this.name}" settle, or raise its loadTimeoutMs.`
    const loaded = await holdTo(loadTimeoutMs ?? timeoutMs, loading, { subject: `The source "${this.name}"`, fix })
    if (began !== undefined) onLoaded?.(performance.now() - began, this.name)
    return loaded
  }
}
