/** Default prompts for tools and results, for dialects that have none of their own. */
import type { ToolSpec } from '@x/tool-core'
import type { Observation } from '../../adapters/adapter.ts'
import type { WritableCall } from './definition.ts'
import type { FormattedCalls } from './dialect.ts'

/** The tags around a list of tools. */
export const TOOLS_FRAME = ['<tools>', '</tools>'] as const

/** Writes one line of JSON per tool. */
export function listTools(tools: readonly ToolSpec[]): string {
  const [open, close] = TOOLS_FRAME
  return [open, ...tools.map((tool) => JSON.stringify(tool)), close].join('\n')
}

/** Lists the tools, and explains how to call them with an example in the dialect's format. */
export function describeTools(tools: readonly ToolSpec[], format: (call: WritableCall) => FormattedCalls): string {
  const example = format({ id: 'call_0', name: 'tool_name', args: { argument: 'value' }, json: '{"argument": "value"}' })
  const how = example.ok ? ["To call a tool, use exactly this format, with the tool's name and arguments:", example.text] : []
  return ['You can call tools. Their signatures are within <tools></tools> tags:', listTools(tools), ...how].join('\n')
}

/** The tags around a result. */
export const RESULT_FRAME = ['<tool_response>', '</tool_response>'] as const

/** Writes a result between `<tool_response>` tags. Escapes these tags in the text, and applies `toHarmless` to all of it. */
export function toResultText({ text }: Pick<Observation, 'text'>, toHarmless = (inner: string) => inner): string {
  return `<tool_response>${toHarmless(`\n${text.replace(/<(?=\/?tool_response>)/g, '&lt;')}\n`)}</tool_response>`
}
