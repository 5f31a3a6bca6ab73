/** Two calls and their tools, for replies with a broken marker. */
import type { ToolSpec } from '@x/tool-core'

export const FIRST = { id: 'functions.tool_7:0', name: 'tool_7', arguments: '{"city": "alphaville", "count": 11}' }
export const SECOND = { id: 'functions.tool_9:1', name: 'tool_9', arguments: '{"zone": "betatown", "count": 22}' }

export const tools: readonly ToolSpec[] = [toSpec('tool_7', 'city'), toSpec('tool_9', 'zone')]

function toSpec(name: string, key: string): ToolSpec {
  const properties = { [key]: { type: 'string' }, count: { type: 'integer' } }
  return { type: 'function', function: { name, description: name, parameters: { type: 'object', properties } } }
}
