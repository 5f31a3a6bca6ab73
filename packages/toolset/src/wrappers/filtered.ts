/** A wrapper that keeps some of a source's tools. */
import type { Tool, ToolSource } from '@x/tool-core'
import { type ToolPredicate, toSelector } from './selection.ts'
import { type DerivedSource, deriveSource, type ListingOf, type SourceName, type SourceTool } from './source.ts'

/** The members of a union of tools that may have the name. Includes tools whose name is typed only as `string`. */
export type PickedTool<T extends Tool, Name extends string> = T extends Tool
  ? [T['name'] & Name] extends [never]
    ? never
    : T
  : never

/**
 * Keeps only the named tools, or the tools that the function returns true for. The other tools can be neither listed nor called. The order
 * stays the same. An unknown name is a compile error if the names are literal. Otherwise, `tools()` throws `invalid_definition` with the
 * nearest names.
 */
export function filtered<Source extends ToolSource, const Name extends SourceName<Source>>(
  source: Source,
  selection: readonly Name[] | ToolPredicate<Source>,
): DerivedSource<ListingOf<Source, PickedTool<SourceTool<Source>, Name>>> {
  const { has, names, check } = toSelector('filtered', selection)
  return deriveSource('filtered', source, {
    check,
    tools: (tools) => [...new Set(tools.filter(has))],
    ...(names === undefined ? { decidesByTool: true } : { name: (name) => (names.has(name) ? name : undefined) }),
  }) as never
}
