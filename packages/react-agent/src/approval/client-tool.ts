/** Tools that run elsewhere: a call of one pauses the run until somebody brings its result. */
import { defineTool, type Tool, ToolError, type ToolTraits, type ValueOf } from '@x/tool-core'
import type { TObject, TProperties } from 'typebox'

const CLIENT_TOOLS = new WeakSet<Tool>()

export interface ClientToolOptions<Name extends string, Properties extends TProperties> extends ToolTraits {
  name: Name
  description: string
  args: TObject<Properties>
}

/**
 * A tool without an implementation here, such as a click in the user's browser. Its arguments are checked as ever; then the run
 * pauses, and `resume` takes what the client made of the call: `{ type: 'result', output }`.
 */
export function clientTool<const Name extends string, Properties extends TProperties>(
  options: ClientToolOptions<Name, Properties>,
): Tool<Name, ValueOf<Properties>, unknown> {
  const tool = defineTool({
    ...options,
    needsApproval: true,
    execute: (): unknown => {
      throw new ToolError('execution_failed', `"${options.name}" runs at the client, and nobody brought its result.`)
    },
  })
  CLIENT_TOOLS.add(tool)
  return tool
}

export function isClientTool(tool: Tool): boolean {
  return CLIENT_TOOLS.has(tool)
}
