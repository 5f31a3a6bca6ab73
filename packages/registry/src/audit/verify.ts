/** Compiles the schemas of tools and looks for hidden characters in them. */
import { type Tool, validate } from '@x/tool-core'
import { describeThrown, type ResolutionFailure, ToolResolutionError } from '../errors.ts'
import { hiddenCharactersOf, type ToolHiddenCharacter } from './hidden-in-tool.ts'

/** A hidden character in a tool, with the name of that tool. */
export interface HiddenInTool extends ToolHiddenCharacter {
  readonly tool: string
}

/**
 * Compiles the schemas of all tools, and returns the hidden characters that the tools contain. Rejects with one `ToolResolutionError` that
 * lists all failures. The `earlier` failures come first.
 */
export async function checkTools(
  tools: readonly Tool[],
  earlier: readonly ResolutionFailure[],
  searched: readonly string[],
): Promise<readonly HiddenInTool[]> {
  const failures = [...earlier]
  for (const tool of tools) {
    try {
      for (const schema of [tool.args, tool.output]) if (schema !== undefined) await validate(schema, {})
    } catch (cause) {
      const detail = `Its schema cannot be compiled: ${describeThrown(cause)}`
      const fix = `Correct the args or the output schema of "${tool.name}"; see the cause for the location.`
      failures.push({ code: 'invalid_module', identifier: tool.name, searched, suggestions: [], detail, fix, cause })
    }
  }
  if (failures.length > 0) throw new ToolResolutionError(failures)
  return tools.flatMap((tool) => hiddenCharactersOf(tool).map((hidden) => ({ ...hidden, tool: tool.name })))
}
