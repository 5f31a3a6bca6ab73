/** Where tools come from: the contracts that the other packages share. */
import type { Tool } from '../define/tool.ts'

/** Anything that yields tools: a toolset, an MCP client, a plugin. An agent opens and closes the sources that it was given. */
export interface ToolSource<T extends Tool = Tool> {
  readonly name?: string | undefined
  /** Words for the model about the tools as a group. */
  readonly instructions?: string | undefined
  tools(): readonly T[] | Promise<readonly T[]>
  open?(): Promise<void>
  close?(): Promise<void>
}

export function isToolSource(value: unknown): value is ToolSource {
  return typeof value === 'object' && value !== null && typeof (value as Partial<ToolSource>).tools === 'function'
}

/** Tools by name, ready to be called. */
export type ToolMap<Name extends string = string> = ReadonlyMap<Name, Tool<Name>>

/** Finds and loads the tools of an agent: all that it knows, or only the named ones; for an empty list, none. */
export interface ToolResolver {
  /** Words for the model about the groups of tools that it knows. */
  readonly instructions?: readonly string[] | undefined
  /** Rejects with one error that holds every failure and names the agent. */
  resolveFor(agent: string, names?: readonly string[]): Promise<ToolMap>
}
