/** Encodes a request to the Messages API, except for its messages. */

import { once } from '../../once.ts'
import type { LMRequest, ResponseFormat, Settings, ToolChoice } from '../../protocol/protocol.ts'
import type { ShapedTool } from '../../shaping/shape.ts'
import type { CacheMarks } from '../cache-marks.ts'
import type { Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ReasoningPlan } from '../facts/plan-reasoning.ts'
import { loseFormatWords } from '../losses.ts'
import { objectAt, stringAt } from '../read-json.ts'
import { strictReplySchema } from '../strict-reply.ts'
import type { AnthropicBody, AnthropicChoice, AnthropicTool, AnthropicToolSearch, TextBlock } from './body.ts'
import { NAME } from './kept-blocks.ts'
import { CACHED, encodeMessages } from './messages.ts'
import { anthropicRules } from './rules.ts'

export function encodeRequest({ model, stream, request, settings, reasoning, marks, lose, ...rest }: WireRequest): AnthropicBody {
  const { system, messages } = encodeMessages({ ...rest, marks, lose })
  const container = readContainer(request)
  return {
    model,
    max_tokens: settings.maxOutputTokens ?? REQUIRED_LIMIT,
    ...(system.length > 0 && { system: encodeSystem(system.join('\n\n'), marks) }),
    messages,
    ...encodeTools({ ...rest, marks }),
    ...encodeSettings(settings, lose),
    ...encodeReasoning(reasoning),
    ...encodeOutput(request.responseFormat, reasoning, lose),
    ...(container !== undefined && { container }),
    ...(stream && { stream }),
  }
}

/** Output limit for unknown models, in tokens. It is low enough for every model. */
export const REQUIRED_LIMIT = 4_096

function encodeSystem(text: string, marks: CacheMarks): string | TextBlock[] {
  return marks.system ? [{ type: 'text', text, ...CACHED }] : text
}

const toTool = once(({ tool, strict }: ShapedTool): AnthropicTool => {
  const { name, description, parameters } = tool.function
  return {
    name,
    ...(description !== '' && { description }),
    input_schema: { ...parameters, type: 'object' },
    ...(strict && { strict }),
  }
})

const toDeferred = once((tool: ShapedTool): AnthropicTool => ({ ...toTool(tool), defer_loading: true }))

const SEARCH: AnthropicToolSearch = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }

type Tools = Pick<WireRequest, 'tools' | 'deferred' | 'toolChoice' | 'parallelToolCalls' | 'marks'>

/**
 * Encodes the tools. Deferred tools come first: the cache mark is set on the last tool, and the API rejects a mark on a deferred tool.
 */
function encodeTools(rest: Tools): Pick<AnthropicBody, 'tools' | 'tool_choice'> {
  const { tools, deferred, marks } = rest
  if (tools.length === 0 && deferred.length === 0) return {}
  const searched = deferred.length > 0 ? [...deferred.map(toDeferred), SEARCH] : []
  const own = tools.map((tool, index) =>
    marks.tools && index === tools.length - 1 ? { ...toTool(tool), ...CACHED } : toTool(tool),
  )
  return { tools: [...searched, ...own], ...encodeChoice(rest) }
}

function encodeChoice({
  toolChoice,
  parallelToolCalls,
}: Pick<WireRequest, 'toolChoice' | 'parallelToolCalls'>): Pick<AnthropicBody, 'tool_choice'> {
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } }
  if (parallelToolCalls === false) return { tool_choice: { ...toChoice(toolChoice), disable_parallel_tool_use: true } }
  return toolChoice === undefined ? {} : { tool_choice: toChoice(toolChoice) }
}

function toChoice(choice: Exclude<ToolChoice, 'none'> = 'auto'): Exclude<AnthropicChoice, { type: 'none' }> {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : 'auto' }
}

/** Encodes the reasoning setting. Claude on Bedrock accepts the same fields. */
export function encodeReasoning(reasoning: ReasoningPlan | undefined): Pick<AnthropicBody, 'thinking'> {
  switch (reasoning?.kind) {
    case undefined:
      return {}
    case 'off':
      return { thinking: { type: 'disabled' } }
    case 'budget':
      return { thinking: { type: 'enabled', budget_tokens: reasoning.tokens } }
    default:
      return { thinking: { type: 'adaptive' } }
  }
}

function encodeSettings(
  settings: Settings,
  lose: Lose,
): Pick<AnthropicBody, 'temperature' | 'top_p' | 'top_k' | 'stop_sequences'> {
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

function encodeOutput(
  format: ResponseFormat | undefined,
  reasoning: ReasoningPlan | undefined,
  lose: Lose,
): Pick<AnthropicBody, 'output_config'> {
  if (format !== undefined) loseFormatWords(format, ['name', 'description'], lose)
  const schema = format && strictReplySchema(format, anthropicRules, lose)
  const config = {
    ...(reasoning?.kind === 'effort' && reasoning.effort !== 'minimal' && { effort: reasoning.effort }),
    ...(schema && { format: { type: 'json_schema' as const, schema } }),
  }
  return Object.keys(config).length > 0 ? { output_config: config } : {}
}

/** Returns the id of the last reply's container, so that the API resumes the code that is waiting there for results. */
function readContainer({ messages }: LMRequest): string | undefined {
  const last = messages.findLast(({ role }) => role === 'assistant')
  return last?.role === 'assistant' ? stringAt(objectAt(last.metadata, NAME), 'container') : undefined
}
