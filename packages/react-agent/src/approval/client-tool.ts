/** Client tools. A call to one pauses the run until the client returns its result. */
import {
  type Accepted,
  type ModelOutput,
  type SchemaArgs,
  type Tool,
  ToolError,
  type ToolTraits,
  type TypedSchema,
} from '@x/tool-core'
import { define } from '../tools/define.ts'

/** Marks client tools and tools derived from them, even across two copies of this package. */
const CLIENT_TOOL: unique symbol = Symbol.for('@x/react-agent/client-tool') as never

export interface ClientToolOptions<Name extends string, Args> extends ToolTraits {
  name: Name
  description: string
  args: Accepted<Args>
  /** Returns what the model sees instead of the client's output: text, content parts, or `undefined` for the output itself. */
  toModelOutput?: ((output: unknown) => ModelOutput | Promise<ModelOutput>) | undefined
}

/**
 * Creates a tool that runs on the client, such as a click in the user's browser. After its arguments are validated, the run pauses. Pass the
 * client's result to `resume` as `{ type: 'result', output }`. A tool that is derived from a client tool is a client tool too.
 */
export function clientTool<const Name extends string, Args>(
  options: ClientToolOptions<Name, Args>,
): Tool<Name, SchemaArgs<Args>, unknown> {
  const tool = define({
    ...(options as ClientToolOptions<string, TypedSchema>),
    needsApproval: true,
    execute: (): unknown => {
      throw new ToolError('execution_failed', `"${options.name}" runs on the client, and no result was returned.`)
    },
  })
  // Copies descriptors, because `arguments` is a lazy getter.
  const marked = { ...Object.getOwnPropertyDescriptors(tool), [CLIENT_TOOL]: { value: true, enumerable: true } }
  return Object.freeze(Object.defineProperties({}, marked)) as never
}

export function isClientTool(tool: Tool): boolean {
  return (tool as { readonly [CLIENT_TOOL]?: unknown })[CLIENT_TOOL] === true
}
