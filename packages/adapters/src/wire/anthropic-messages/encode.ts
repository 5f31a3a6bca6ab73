/** Encodes a request to the Messages API, except for its messages. */
import type { LMRequest, ResponseFormat, Settings, ToolChoice } from '../../protocol/protocol.ts'
import type { ShapedTool } from '../../shaping/shape.ts'
import type { CacheMarks } from '../cache-marks.ts'
import type { Lose } from '../convert-once.ts'
import { byTool } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import { loseFormatWords } from '../losses.ts'
import { isThinking, outputLimitOf, settingsFor } from '../models.ts'
import { numberAt, objectAt, stringAt } from '../read-json.ts'
import { strictReplySchema } from '../strict-reply.ts'
import type { AnthropicBody, AnthropicChoice, AnthropicTool, TextBlock } from './body.ts'
import { NAME } from './kept-blocks.ts'
import { CACHED, encodeMessages } from './messages.ts'
import { anthropicRules } from './rules.ts'

export function encodeRequest({ model, stream, request, marks, lose, ...rest }: WireRequest): AnthropicBody {
  const { system, messages } = encodeMessages(rest.messages, marks.messages, lose)
  const container = readContainer(request)
  return {
    model,
    max_tokens: request.settings?.maxOutputTokens ?? outputLimitOf(model, thinkingBudget(request)),
    ...(system.length > 0 && { system: encodeSystem(system.join('\n\n'), marks) }),
    messages,
    ...(rest.tools.length > 0 && { tools: encodeTools(rest.tools, marks), ...encodeChoice({ ...rest, request, lose }) }),
    ...encodeSettings(settingsFor(model, request, lose), lose),
    ...encodeFormat(request.responseFormat, lose),
    ...(container !== undefined && { container }),
    ...(stream && { stream }),
  }
}

function thinkingBudget({ providerOptions }: LMRequest): number {
  return numberAt(objectAt(providerOptions, 'thinking'), 'budget_tokens') ?? 0
}

function encodeSystem(text: string, marks: CacheMarks): string | TextBlock[] {
  return marks.system ? [{ type: 'text', text, ...CACHED }] : text
}

/** Encodes the tools, and marks the last one. The API rejects a mark on a deferred tool, which isn't part of the prompt. */
function encodeTools(shaped: readonly ShapedTool[], marks: CacheMarks): AnthropicTool[] {
  const tools = shaped.map(toTool)
  const last = tools.findLastIndex((tool) => !('defer_loading' in tool))
  return marks.tools ? tools.map((tool, index) => (index === last ? { ...tool, ...CACHED } : tool)) : tools
}

const toTool = byTool(({ tool, strict }: ShapedTool): AnthropicTool => {
  const { name, description, parameters } = tool.function
  return {
    name,
    ...(description !== '' && { description }),
    input_schema: { ...parameters, type: 'object' },
    ...(strict && { strict }),
  }
})

function encodeChoice(rest: Pick<WireRequest, 'toolChoice' | 'parallelToolCalls' | 'request' | 'lose'>): {
  tool_choice?: AnthropicChoice
} {
  const { toolChoice = 'auto', parallelToolCalls, request, lose } = rest
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } }
  const choice = toChoice(isForced(toolChoice) && refusesForce(request, lose) ? 'auto' : toolChoice)
  if (parallelToolCalls === false) return { tool_choice: { ...choice, disable_parallel_tool_use: true } }
  return rest.toolChoice === undefined ? {} : { tool_choice: choice }
}

function toChoice(choice: Exclude<ToolChoice, 'none'>): Exclude<AnthropicChoice, { type: 'none' }> {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : 'auto' }
}

function isForced(choice: ToolChoice): boolean {
  return choice === 'required' || typeof choice === 'object'
}

function refusesForce({ providerOptions }: LMRequest, lose: Lose): boolean {
  if (!isThinking(providerOptions)) return false
  lose({
    path: '/toolChoice',
    keyword: 'toolChoice',
    action: 'refused',
    note: 'a call cannot be forced while thinking is enabled',
  })
  return true
}

function encodeSettings(settings: Settings, lose: Lose): Partial<AnthropicBody> {
  const { temperature, topP, topK, stop } = settings
  for (const name of ['seed', 'presencePenalty', 'frequencyPenalty'] as const) {
    if (settings[name] !== undefined) lose({ path: `/settings/${name}`, keyword: name, action: 'dropped' })
  }
  if (temperature !== undefined && temperature > MAX_TEMPERATURE)
    lose({ path: '/settings/temperature', keyword: 'temperature', action: 'dropped', note: `the maximum is ${MAX_TEMPERATURE}` })
  const sequences = stop?.filter((text) => text.trim() !== '') ?? []
  if (stop !== undefined && sequences.length < stop.length)
    lose({ path: '/settings/stop', keyword: 'stop', action: 'dropped', note: 'only white space, which this API rejects' })
  return {
    ...(temperature !== undefined && { temperature: Math.min(temperature, MAX_TEMPERATURE) }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(sequences.length > 0 && { stop_sequences: sequences }),
  }
}

const MAX_TEMPERATURE = 1

function encodeFormat(format: ResponseFormat | undefined, lose: Lose): Pick<AnthropicBody, 'output_config'> {
  if (format === undefined) return {}
  loseFormatWords(format, ['name', 'description'], lose)
  const schema = strictReplySchema(format, anthropicRules, lose)
  return schema === undefined ? {} : { output_config: { format: { type: 'json_schema', schema } } }
}

/** Returns the id of the last reply's container, so that the API resumes the code that is waiting there for results. */
function readContainer({ messages }: LMRequest): string | undefined {
  const last = messages.findLast(({ role }) => role === 'assistant')
  return last?.role === 'assistant' ? stringAt(objectAt(last.metadata, NAME), 'container') : undefined
}
