/** Contracts for tool sources and tool resolvers, shared with the other packages. */
import type { Tool } from '../define/tool.ts'

/** Provides tools. Examples are a toolset, an MCP client and a plugin. An agent opens and closes its sources. */
export interface ToolSource<T extends Tool = Tool> {
  readonly name?: string | undefined
  /** Instructions for the model about the tools as a group. */
  readonly instructions?: string | undefined
  tools(): readonly T[] | Promise<readonly T[]>
  open?(): Promise<void>
  close?(): Promise<void>
  /** Calls the listener after the list of tools has changed. Returns a function that removes the listener. */
  onChange?(listener: () => void): () => void
}

/** True for an object with a `tools` method. */
export function isToolSource(value: unknown): value is ToolSource {
  return typeof value === 'object' && value !== null && typeof (value as Partial<ToolSource>).tools === 'function'
}

/** The key of the parts in a combined source. */
export const SOURCE_PARTS: unique symbol = Symbol.for('@x/tool-core/source-parts') as never

/**
 * A combination of tools and sources in which at least one source is lazy: it provides cards before it lists its tools. A registry adds
 * each part separately, so that a lazy part lists its tools only when one of them is resolved.
 */
export interface CombinedSource extends ToolSource {
  readonly [SOURCE_PARTS]: readonly (Tool | ToolSource)[]
}

/** True for a source with parts. */
export function isCombinedSource(value: unknown): value is CombinedSource {
  return isToolSource(value) && Array.isArray((value as Partial<CombinedSource>)[SOURCE_PARTS])
}

/** A map from names to tools. */
export type ToolMap<Name extends string = string> = ReadonlyMap<Name, Tool<Name>>

/** Finds and loads an agent's tools. */
export interface ToolResolver {
  /** Instructions for the model about the resolver's groups of tools. */
  readonly instructions?: readonly string[] | undefined
  /**
   * Returns the tools with these names. Without `names`, returns all tools. For an empty list, returns no tools. If some tools can't be returned,
   * rejects with one error that names the agent and contains every failure.
   */
  resolveFor(agent: string, names?: readonly string[]): Promise<ToolMap>
}
