/** Encodes the tools and the tool choice of a Converse request. */

import { once } from '../../once.ts'
import type { LMRequest, Message } from '../../protocol/protocol.ts'
import type { ShapedTool } from '../../shaping/shape.ts'
import type { Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import { objectAt, stringAt } from '../read-json.ts'
import type { BedrockTool, BedrockToolConfig } from './body.ts'
import type { ModelFamily } from './families.ts'
import { CACHE_POINT } from './messages.ts'

/**
 * Encodes the tools and the tool choice. The API has no choice `none`, so the tools are omitted for `none`. But if the history contains
 * calls, the API requires tools: the request's tools are sent even for `none`, and a request without tools gets the tools from the
 * history, described as no longer available.
 */
export function encodeTools(wireRequest: WireRequest, family: ModelFamily): BedrockToolConfig | undefined {
  const mark = wireRequest.marks.tools ? [CACHE_POINT] : []
  const { tools, messages, toolChoice, parallelToolCalls, lose } = wireRequest
  if (parallelToolCalls === false) lose({ path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' })
  if (tools.length === 0) return formerTools(messages, lose)
  if (toolChoice === 'none') {
    const isNeeded = namesInHistory(messages).size > 0
    lose({ path: '/toolChoice', keyword: 'none', action: isNeeded ? 'refused' : 'dropped', note: isNeeded ? NEEDED : UNSEEN })
    return isNeeded ? { tools: [...tools.map(toTool), ...mark] } : undefined
  }
  return { tools: [...tools.map(toTool), ...mark], ...encodeChoice(wireRequest, family) }
}

const NEEDED = 'the history contains calls, so the tools must be sent, and the model may call them'
const UNSEEN = 'the tools are not sent, so the model cannot call them'

/** Encodes a tool. Omits an empty description, because the API rejects it. */
const toTool = once(({ tool, strict }: ShapedTool): BedrockTool => {
  const { name, description, parameters } = tool.function
  const inputSchema = { json: parameters }
  return { toolSpec: { name, ...(description.trim() !== '' && { description }), inputSchema, ...(strict && { strict }) } }
})

function formerTools(messages: readonly Message[], lose: Lose): BedrockToolConfig | undefined {
  const names = [...namesInHistory(messages)]
  if (names.length === 0) return undefined
  lose({
    path: '/tools',
    keyword: 'tools',
    action: 'widened',
    note: `the history contains calls, so these tools are sent: ${names.join(', ')}`,
  })
  return {
    tools: names.map((name) => ({
      toolSpec: { name, description: 'No longer available: do not call it.', inputSchema: { json: { type: 'object' } } },
    })),
  }
}

function namesInHistory(messages: readonly Message[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') names.add(message.name)
    else if (message.role === 'assistant') for (const { name } of message.toolCalls ?? []) names.add(name)
  }
  return names
}

function encodeChoice(
  { tools, toolChoice, request, lose }: WireRequest,
  { forcedChoice }: ModelFamily,
): Partial<BedrockToolConfig> {
  if (toolChoice === undefined || (typeof toolChoice === 'string' && toolChoice !== 'required')) return {}
  if (forcedChoice === 'none' || thinks(request)) {
    lose({
      path: '/toolChoice',
      keyword: 'toolChoice',
      action: 'refused',
      note: thinks(request) ? THINKS : 'this model does not support a forced call',
    })
    return {}
  }
  if (typeof toolChoice === 'string') return { toolChoice: { any: {} } }
  const { name } = toolChoice
  if (forcedChoice === 'named') return { toolChoice: { tool: { name } } }
  return { tools: tools.filter(({ tool }) => tool.function.name === name).map(toTool), toolChoice: { any: {} } }
}

const THINKS = 'a call cannot be forced while thinking is enabled'

function thinks({ providerOptions }: LMRequest): boolean {
  const type = stringAt(objectAt(objectAt(providerOptions, 'additionalModelRequestFields'), 'thinking'), 'type')
  return type === 'enabled' || type === 'adaptive'
}
