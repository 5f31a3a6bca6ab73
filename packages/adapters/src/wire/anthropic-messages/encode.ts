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
import type { AnthropicBody, AnthropicChoice, AnthropicTool, AnthropicToolSearch, TextBlock } from './body.ts'
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
    ...encodeTools({ ...rest, request, marks, lose }),
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

const toTool = byTool(({ tool, strict }: ShapedTool): AnthropicTool => {
  const { name, description, parameters } = tool.function
  return {
    name,
    ...(description !== '' && { description }),
    input_schema: { ...parameters, type: 'object' },
    ...(strict && { strict }),
  }
})

const toDeferred = byTool((tool): AnthropicTool => ({ ...toTool(tool), defer_loading: true }))

const SEARCH: AnthropicToolSearch = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }

type Tools = Pick<WireRequest, 'tools' | 'deferred' | 'toolChoice' | 'parallelToolCalls' | 'request' | 'marks' | 'lose'>

/** The deferred tools come first, because a cache mark on a deferred tool is an error, and the mark is set on the last tool. */
function encodeTools(rest: Tools): Pick<AnthropicBody, 'tools' | 'tool_choice'> {
  const { tools, deferred, marks } = rest
  if (tools.length === 0 && deferred.length === 0) return {}
  const searched = deferred.length > 0 ? [...deferred.map(toDeferred), SEARCH] : []
  const own = tools.map((tool, index) =>
    marks.tools && index === tools.length - 1 ? { ...toTool(tool), ...CACHED } : toTool(tool),
  )
  return { tools: [...searched, ...own], ...encodeChoice(rest) }
}

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
