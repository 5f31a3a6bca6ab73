/** The base of all wrappers: derives a source from another one, and its tools one by one. */
import {
  holdSource,
  isCombinedSource,
  isTool,
  isToolSource,
  SOURCE_PARTS,
  type Tool,
  ToolError,
  type ToolSource,
} from '@x/tool-core'
import { shown } from '../option.ts'
import { type Change, hasCards, lazyMembers } from './lazy.ts'

/** The tools that a source lists, as a union of types. */
export type SourceTool<Source extends ToolSource> = Awaited<ReturnType<Source['tools']>>[number]

/** The names of the tools that a source lists. */
export type SourceName<Source extends ToolSource> = SourceTool<Source>['name']

/** A source whose `tools()` returns `Listing`: a list, or a promise of one. */
export interface DerivedSource<Listing extends readonly Tool[] | Promise<readonly Tool[]>> extends ToolSource, AsyncDisposable {
  tools(): Listing
}

/** A list with other tools than the source's. It's a promise if `tools()` of the source returns one. */
export type ListingOf<Source extends ToolSource, T extends Tool> = Relisted<ReturnType<Source['tools']>, T>
export type Relisted<Listing, T extends Tool> = Listing extends Promise<unknown> ? Promise<readonly T[]> : readonly T[]

/**
 * Returns a source with a different list of tools. The other members of the original source are read only when they are used, because some
 * sources have instructions only after they are opened. Wrappers of the same source open and close it once.
 */
export function deriveSource(wrapper: string, source: ToolSource, change: Change): ToolSource {
  if (!isToolSource(source)) {
    throw new ToolError(
      'invalid_definition',
      `${wrapper}: the source has no tools() method. Pass a toolset or another tool source. For plain tools, use combine(…) first.`,
    )
  }
  const changed = (tools: readonly Tool[]) => {
    change.check?.(tools)
    return change.tools(tools)
  }
  const list = () => {
    const listing = listTools(wrapper, source)
    return isPromise(listing) ? listing.then(changed) : changed(listing)
  }
  // Names can be checked only against the tools of all parts together, so a wrapper with a `check` has no parts.
  const parts =
    isCombinedSource(source) && change.check === undefined
      ? source[SOURCE_PARTS].map((part) => deriveSource(wrapper, isTool(part) ? { tools: () => [part] } : part, change))
      : undefined
  const lazy = hasCards(source) ? lazyMembers(source, change, async () => list()) : undefined
  return Object.freeze({
    get name() {
      return lazy !== undefined && source.name !== undefined && change.sourceName ? change.sourceName(source.name) : source.name
    },
    get instructions() {
      return source.instructions
    },
    tools: list,
    ...(source.onChange !== undefined && { onChange: (listener: () => void) => source.onChange?.(listener) ?? (() => {}) }),
    ...lazy,
    ...(parts !== undefined && { [SOURCE_PARTS]: parts }),
    ...(hasLifecycle(source) ? lifecycleOf(holdSource(source)) : NOTHING_TO_CLOSE),
  })
}

/** A disposer that does nothing, for sources without `close`. */
export const NOTHING_TO_CLOSE: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} }

/** Adds the disposer that `await using` calls, so that the source is closed at the end of the block. */
export function lifecycleOf({ open, close }: Lifecycle): Lifecycle & AsyncDisposable {
  return { open, close, [Symbol.asyncDispose]: close }
}

interface Lifecycle {
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

export function hasLifecycle({ open, close }: ToolSource): boolean {
  return open !== undefined || close !== undefined
}

/** Lists a source's tools, and checks that each of them is a tool. */
export function listTools(wrapper: string, source: ToolSource): readonly Tool[] | Promise<readonly Tool[]> {
  const listing: unknown = source.tools()
  const check = (list: unknown): readonly Tool[] => {
    if (Array.isArray(list) && list.every(isTool)) return list
    const got = Array.isArray(list) ? 'a list with an entry that is not a tool' : shown(list)
    const owner = source.name === undefined ? 'a source' : `"${source.name}"`
    throw new ToolError(
      'invalid_definition',
      `${wrapper}: tools() of ${owner} must return a list of tools, got ${got}. Create them with defineTool.`,
    )
  }
  return isPromise(listing) ? listing.then(check) : check(listing)
}

export function isPromise(listing: unknown): listing is Promise<readonly Tool[]> {
  return typeof (listing as Partial<Promise<unknown>> | null | undefined)?.then === 'function'
}

/** Derives each tool only once, so that a source returns the same tools each time. */
export function oncePerTool(derive: (tool: Tool) => Tool): (tool: Tool) => Tool {
  const derived = new WeakMap<Tool, Tool>()
  return (tool) => {
    const known = derived.get(tool) ?? derive(tool)
    derived.set(tool, known)
    return known
  }
}
