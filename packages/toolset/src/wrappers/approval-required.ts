/** A wrapper that makes tools require approval. */
import { deriveTool, type ToolSource } from '@x/tool-core'
import { type Selection, toSelector } from './selection.ts'
import { type DerivedSource, deriveSource, type ListingOf, oncePerTool, type SourceTool } from './source.ts'

/**
 * Returns the source with approval required for all its tools, or for those that `which` selects. A model's call then runs only if the
 * caller's `approve` returns true. Otherwise it fails with `approval_required`. Tools that already required approval still do. Your own
 * code can call `execute` without approval.
 */
export function approvalRequired<Source extends ToolSource>(
  source: Source,
  which: Selection<Source> = () => true,
): DerivedSource<ListingOf<Source, SourceTool<Source>>> {
  const { has, check } = toSelector('approvalRequired', which)
  const derive = oncePerTool((tool) => (tool.needsApproval ? tool : deriveTool(tool, { needsApproval: true })))
  return deriveSource('approvalRequired', source, {
    check,
    tools: (tools) => tools.map((tool) => (has(tool) ? derive(tool) : tool)),
  }) as never
}
