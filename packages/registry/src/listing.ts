/** What a registry says of its entries. */
import { isTool, type Tool } from '@x/tool-core'
import type { NamedEntry } from './entries.ts'
import { isToolFactory } from './load/factory.ts'
import type { Listed, Registered } from './registry.ts'

/** The tool that a lazy entry turned out to be. */
export type ToolOf = (entry: NamedEntry) => Tool | undefined

export function toRegistered(name: string, entry: NamedEntry, toolOf: ToolOf): Registered {
  const tool = isTool(entry) ? entry : toolOf(entry)
  if (tool !== undefined) return { name, kind: tool.kind, tool }
  return { name, kind: isToolFactory(entry) ? 'factory' : 'lazy', tool: undefined }
}

/** By code units, so that the order is the same everywhere. */
export function sorted<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] {
  return all.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}

export function ofKind(all: readonly Registered[], kind: Tool['kind']): readonly Listed[] {
  return all.flatMap((one) => (one.tool !== undefined && one.kind === kind ? [{ name: one.name, tool: one.tool }] : []))
}
