/** Defines the tools of this package. Their schemas are written as JSON Schema. */
import { defineTool, type Execution, type Tool, type ToolContext, type ToolTraits } from '@x/tool-core'

interface Definition extends ToolTraits {
  readonly name: string
  readonly description: string
  readonly args: object
  readonly context?: object | undefined
  readonly execute: (args: object, context: ToolContext) => Execution<unknown>
}

/** `defineTool` without its type parameters, because inferring them from a schema with unknown properties is slow to check. */
export const define = defineTool as unknown as (definition: Definition) => Tool
