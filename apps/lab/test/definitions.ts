/** Creates tools from external definitions, and calls them. */
import { callTool, defineTool, foreignNames, isToolError, jsonSchema, type Tool, toSpec } from '@x/tool-core'
import type { FunctionDefinition } from '../src/definitions/openai-definitions.ts'

/** Returns a tool for each definition, and the error messages for definitions that are refused. */
export function toTools(definitions: readonly FunctionDefinition[]): {
  readonly tools: readonly Tool[]
  readonly refused: readonly string[]
} {
  const names = foreignNames(definitions.map(({ name }) => name))
  const tools: Tool[] = []
  const refused: string[] = []
  for (const { name, description, parameters } of definitions) {
    const toolName = names.toToolName(name)
    if (names.toForeignName(toolName) !== name) throw new Error(`The name ${toolName} doesn't convert back to ${name}.`)
    try {
      tools.push(defineTool({ name: toolName, description, args: jsonSchema(parameters), execute: () => 'called' }))
    } catch (error) {
      if (!isToolError(error)) throw error
      refused.push(error.message)
    }
  }
  return { tools, refused }
}

/** Calls each tool once, which compiles its schema. Returns all errors except refused arguments. */
export async function faultsOfCalls(tools: readonly Tool[]): Promise<readonly string[]> {
  const faults: string[] = []
  for (const tool of tools) {
    toSpec(tool)
    try {
      const result = await callTool(tool, { id: '1', name: tool.name, args: {} })
      if (!result.ok && result.error.code !== 'invalid_arguments') faults.push(`${tool.name}: ${result.error.message}`)
    } catch (error) {
      faults.push(`${tool.name}: ${error}`)
    }
  }
  return faults
}
