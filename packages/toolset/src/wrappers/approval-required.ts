/** Wrapper: calls that require approval. */
import { deriveTool, type ToolSource } from '@x/tool-core'
import { type Selection, toSelector } from './selection.ts'
import { type DerivedSource, deriveSource, type ListingOf, oncePerTool, type SourceTool } from './source.ts'

/**
 * The same tools; a model's call of one of them, or of those that `which` names, runs only when the caller's `approve` says
 * yes, else it fails with `approval_required`. A tool that needed approval before still does. Your own code that calls
 * `execute` is not asked.
 */
export function approvalRequired<Source extends ToolSource>(
  source: Source,
  which: Selection<Source> = () => true,
): DerivedSource<ListingOf<Source, SourceTool<Source>>> {
  const select = toSelector('approvalRequired', which)
  const derive = oncePerTool((tool) => (tool.needsApproval ? tool : deriveTool(tool, { needsApproval: true })))
  return deriveSource('approvalRequired', source, (tools) => {
    const chosen = select(tools)
    return tools.map((tool) => (chosen.has(tool) ? derive(tool) : tool))
  }) as never
}
