/** A wrapper that adds a prefix to the name of every tool. */
import { deriveTool, isToolName, type Tool, ToolError, type ToolSource } from '@x/tool-core'
import { type DerivedSource, deriveSource, type ListingOf, oncePerTool, type SourceTool } from './source.ts'

export type PrefixedTool<T extends Tool, Prefix extends string> =
  T extends Tool<infer Name, infer Args, infer Output> ? Tool<`${Prefix}_${Name}`, Args, Output> : never

/**
 * Renames all tools to `{prefix}_{name}`. For example, this lets one agent use the tools of two mailboxes. Names in the source's
 * instructions aren't changed. Throws `invalid_definition` for a prefix that isn't an identifier. `tools()` throws it for a new name with
 * more than 64 characters.
 */
export function prefixed<Source extends ToolSource, Prefix extends string>(
  source: Source,
  prefix: Prefix,
): DerivedSource<ListingOf<Source, PrefixedTool<SourceTool<Source>, Prefix>>> {
  const wrapper = `prefixed(…, ${JSON.stringify(prefix)})`
  if (!isToolName(prefix)) {
    throw new ToolError(
      'invalid_definition',
      `${wrapper}: the prefix must consist of letters, digits and "_", and not start with a digit.`,
    )
  }
  const derive = oncePerTool((tool) => deriveTool(tool, { name: prefixedName(tool.name, prefix, wrapper) }))
  const before = (name: string) => `${prefix}_${name}`
  return deriveSource(wrapper, source, { tools: (tools) => tools.map(derive), name: before, sourceName: before }) as never
}

function prefixedName(name: string, prefix: string, wrapper: string): string {
  const whole = `${prefix}_${name}`
  if (isToolName(whole)) return whole
  throw new ToolError(
    'invalid_definition',
    `${wrapper}: "${name}" would be named "${prefix}_${name}", which is longer than 64 characters. Use a shorter prefix, or renamed(source, { ${name}: '…' }) first.`,
  )
}
