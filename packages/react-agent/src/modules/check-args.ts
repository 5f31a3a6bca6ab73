/** The arguments of a call against the schema of its tool, as a call would check them, with nothing run. */
import { coerceValue, type Issue, isToolError, type Tool, validate } from '@x/tool-core'

export type CheckedArgs =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string }

/**
 * The args as they are after coercion, or what is wrong with them, field by field. A tool's own validator is asked too, and what
 * it makes of them is left to the call; hooks belong to a call alone. Rejects with `ToolError` when the schema itself is wrong.
 */
export async function checkArgs(tool: Tool, given: object): Promise<CheckedArgs> {
  try {
    const { value, issues, tags } = coerceValue(tool.args, given, tool)
    const found = issues.length > 0 ? issues : await issuesOf(tool, value as object)
    if (found.length === 0) return { ok: true, args: value as Record<string, unknown> }
    const leftOut = tags.filter(({ tag }) => tag === 'stripped').map(({ path }) => path.slice(0, 60))
    const more = leftOut.length === 0 ? '' : ` Not declared and left out: ${leftOut.slice(0, 5).join(', ')}.`
    return { ok: false, message: `Invalid arguments for "${tool.name}": ${found.map(render).join('; ')}.${more}` }
  } catch (error) {
    // Too deep, or too large.
    if (isToolError(error) && error.code === 'invalid_arguments') return { ok: false, message: error.message }
    throw error
  }
}

async function issuesOf(tool: Tool, args: object): Promise<readonly Issue[]> {
  if (tool.parse === undefined) return validate(tool.args, args)
  return (await tool.parse(args)).issues ?? []
}

function render({ path, message }: Issue): string {
  return path === '' ? message : `${path.slice(0, 200)} ${message}`
}
