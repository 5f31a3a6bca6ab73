/** Tools that run elsewhere: a call of one pauses the run until somebody brings its result. */
import { defineTool, type Tool, ToolError, type ToolTraits, type ValueOf } from '@x/tool-core'
import type { TObject, TProperties } from 'typebox'

/** Marks client tools, also across two copies of this package; a tool that is derived from one has it as well. */
const CLIENT_TOOL: unique symbol = Symbol.for('@x/react-agent/client-tool') as never

export interface ClientToolOptions<Name extends string, Properties extends TProperties> extends ToolTraits {
  name: Name
  description: string
  args: TObject<Properties>
}

/**
 * A tool without an implementation here, such as a click in the user's browser. Its arguments are checked as ever; then the run
 * pauses, and `resume` takes what the client made of the call: `{ type: 'result', output }`. A tool that is derived from it runs at
 * the client too.
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
  // As descriptors: the list of arguments is derived when it is first read.
  const marked = { ...Object.getOwnPropertyDescriptors(tool), [CLIENT_TOOL]: { value: true, enumerable: true } }
  return Object.freeze(Object.defineProperties({}, marked)) as typeof tool
}

export function isClientTool(tool: Tool): boolean {
  return (tool as { readonly [CLIENT_TOOL]?: unknown })[CLIENT_TOOL] === true
}
