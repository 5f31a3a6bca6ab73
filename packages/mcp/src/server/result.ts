/** Converts a tool's result to the result of an MCP call. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import type { ToolResult } from '@x/tool-core'
import { toBlocks } from '../content/to-mcp.ts'

/**
 * Converts a tool's result. An error is converted too, so that the model can read it. `hasSchema` is true if the tool declares an
 * output schema.
 */
export function toCallToolResult(result: ToolResult, hasSchema: boolean): CallToolResult {
  if (!result.ok) return toFailedResult(result.error.message)
  const { output, modelOutput } = result
  const content = toBlocks(modelOutput === undefined ? output : modelOutput)
  return { content, ...(hasSchema && { structuredContent: output as Record<string, unknown> }) }
}

export function toFailedResult(message: string): CallToolResult {
  const content: ContentBlock[] = [{ type: 'text', text: message }]
  return { content, isError: true }
}
