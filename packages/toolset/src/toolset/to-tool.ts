/** A tool from a definition whose types were resolved where it was written. */
import { defineTool, type Tool } from '@x/tool-core'

/** `defineTool` without its type parameters: to infer them from a schema of unknown properties costs 6,000 instantiations. */
export const toTool = defineTool as unknown as (definition: object) => Tool
