/** Encodes 20 typical requests for each model of `expected-models.ts`, and compares the bodies with what was written there by hand. */
import { describe, expect, it } from 'vitest'
import * as expected from '../../../test/wire/expected-models.ts'
import type { LMRequest } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { anthropicMessages } from '../anthropic-messages/wire.ts'
import { bedrockConverse } from '../bedrock-converse/wire.ts'
import { cohereV2 } from '../cohere-v2/wire.ts'
import { gemini } from '../gemini/wire.ts'
import { mistral } from '../mistral/wire.ts'
import { ollama } from '../ollama/wire.ts'
import { openaiChat } from '../openai-chat/wire.ts'
import { openaiResponses } from '../openai-responses/wire.ts'
import type { WireFormat } from '../wire-format.ts'

type Expected = expected.Expected
type Rest = Omit<LMRequest, 'messages'>

const tools = [
  {
    type: 'function',
    function: { name: 'search', description: 'Searches.', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
  },
] as const
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
const tokens = { tokens: 4_000 }
const REQUESTS: readonly Rest[] = [
  {},
  { settings: { temperature: 0 } },
  { settings: { topP: 0.5 } },
  { settings: { temperature: 0.2, topP: 0.5 } },
  { settings: { maxOutputTokens: 1_000 } },
  { settings: { maxOutputTokens: 10_000_000 } },
  { settings: { stop: ['END'] } },
  { reasoning: 'off' },
  { reasoning: 'low' },
  { reasoning: 'medium' },
  { reasoning: 'high' },
  { reasoning: tokens },
  { reasoning: 'high', settings: { temperature: 0.2 } },
  { reasoning: 'off', settings: { temperature: 0.2 } },
  { tools },
  { tools, reasoning: 'medium' },
  { tools, toolChoice: 'required' },
  { tools, parallelToolCalls: false },
  { tools, settings: { temperature: 0 } },
  { reasoning: 'low', responseFormat: { type: 'json', schema }, settings: { maxOutputTokens: 8_000 } },
]

/** What a body says, in the words of `expected-models.ts`. Undefined: the API has no such field. */
interface Said {
  readonly temperature?: unknown
  readonly topP?: unknown
  readonly limit?: unknown
  readonly stop?: unknown
  readonly reasoning: string
  readonly forced?: unknown
  readonly parallel?: unknown
}

type Body = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/** Reads `thinking` and `output_config`, as Anthropic and Bedrock take them. */
function claudeReasoning({ thinking, output_config, reasoningConfig }: Body = {}): string {
  if (reasoningConfig) return reasoningConfig.type === 'enabled' ? String(reasoningConfig.maxReasoningEffort) : 'none'
  if (thinking?.type === 'disabled') return 'none'
  return thinking?.type === 'enabled' ? String(thinking.budget_tokens) : String(output_config?.effort ?? '')
}

const SAID: Readonly<Record<string, (body: Body) => Said>> = {
  'openai-chat': (body) => ({
    temperature: body.temperature,
    topP: body.top_p,
    limit: body.max_completion_tokens,
    stop: body.stop,
    reasoning: String(body.reasoning_effort ?? ''),
    forced: body.tool_choice,
    parallel: body.parallel_tool_calls,
  }),
  'openai-responses': (body) => ({
    temperature: body.temperature,
    topP: body.top_p,
    limit: body.max_output_tokens,
    reasoning: String(body.reasoning?.effort ?? ''),
    forced: body.tool_choice,
  }),
  'anthropic-messages': (body) => ({
    temperature: body.temperature,
    topP: body.top_p,
    limit: body.max_tokens,
    stop: body.stop_sequences,
    reasoning: claudeReasoning(body),
    forced: body.tool_choice?.type === 'any' ? 'required' : body.tool_choice?.type,
  }),
  'bedrock-converse': ({ inferenceConfig = {}, additionalModelRequestFields }) => ({
    temperature: inferenceConfig.temperature,
    topP: inferenceConfig.topP,
    limit: inferenceConfig.maxTokens,
    stop: inferenceConfig.stopSequences,
    reasoning: claudeReasoning(additionalModelRequestFields as Body | undefined),
  }),
  gemini: ({ generationConfig = {} }) => {
    const { thinkingBudget, thinkingLevel = '' } = (generationConfig.thinkingConfig ?? {}) as Record<string, unknown>
    return {
      temperature: generationConfig.temperature,
      topP: generationConfig.topP,
      limit: generationConfig.maxOutputTokens,
      stop: generationConfig.stopSequences,
      reasoning: thinkingBudget === 0 ? 'none' : String(thinkingBudget ?? String(thinkingLevel).toLowerCase()),
    }
  },
  mistral: (body) => ({
    temperature: body.temperature,
    topP: body.top_p,
    limit: body.max_tokens,
    stop: body.stop,
    reasoning: String(body.reasoning_effort ?? ''),
  }),
  'cohere-v2': (body) => ({
    temperature: body.temperature,
    topP: body.p,
    limit: body.max_tokens,
    stop: body.stop_sequences,
    reasoning: body.thinking?.type === 'disabled' ? 'none' : String(body.thinking?.token_budget ?? ''),
  }),
  ollama: ({ options = {}, think = '' as never }) => ({
    temperature: options.temperature,
    topP: options.top_p,
    limit: options.num_predict,
    stop: options.stop,
    reasoning: { true: 'on', false: 'none' }[String(think)] ?? String(think),
  }),
}

/** The setting of a request, and what the expectation has for it. */
const SETTINGS = ['off', 'low', 'medium', 'high', 'tokens'] as const
const settingOf = ({ reasoning }: Rest) => (typeof reasoning === 'object' ? 'tokens' : reasoning)

/** Returns the differences between a body with its losses and the expectation. */
function differences(wire: WireFormat, model: string, request: Rest, model_: Expected): readonly string[] {
  const losses: Loss[] = []
  const encode = () =>
    wire.encode({ messages: [{ role: 'user', content: 'Hi' }], ...request }, model, { onLoss: (loss) => losses.push(loss) })
  const isChat = wire.name === 'openai-chat'
  const { settings = {}, toolChoice, parallelToolCalls } = request
  const hasTools = request.tools !== undefined
  if (isChat && (model_.chat === false || (hasTools && model_.chatTools === 'no'))) return throws(encode) ? [] : ['not refused']
  const said = SAID[wire.name]?.(encode() as Body)
  if (said === undefined) return ['no reader']
  const lost = new Set(losses.map(({ path }) => path))
  const wrong: string[] = []
  const check = (what: string, found: unknown, wanted: unknown, isReported: boolean, path: string) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      wrong.push(`${what}: ${JSON.stringify(found)} not ${JSON.stringify(wanted)}`)
    if (lost.has(path) !== isReported) wrong.push(`${what}: ${isReported ? 'not reported' : 'reported'}`)
  }

  const setting = settingOf(request)
  const isWithoutReasoning = isChat && hasTools && model_.chatTools === 'off'
  const isUnsure = isChat && hasTools && model_.chatTools === '?'
  const asked = setting === undefined ? '' : (model_.reasoning[SETTINGS.indexOf(setting)] ?? '')
  const isRefused = isWithoutReasoning && setting !== 'off'
  const wanted = isRefused ? 'none' : asked
  if (!isUnsure)
    check(
      'reasoning',
      said.reasoning,
      wanted,
      isRefused || (setting !== undefined && model_.inexact.includes(setting)),
      '/reasoning',
    )
  const isReasoning = isUnsure
    ? undefined
    : wanted === 'none' || setting === 'off'
      ? wanted !== 'none' && wanted !== ''
      : wanted !== '' || model_.thinks

  const { sampling } = model_
  if (sampling !== '?' && isReasoning !== undefined) {
    const isTaken = sampling === 'yes' || (sampling !== 'no' && !isReasoning)
    const isTogether = sampling === 'either' && settings.temperature !== undefined
    if (settings.temperature !== undefined)
      check('temperature', said.temperature, isTaken ? settings.temperature : undefined, !isTaken, '/settings/temperature')
    if (settings.topP !== undefined)
      check('topP', said.topP, isTaken && !isTogether ? settings.topP : undefined, !isTaken || isTogether, '/settings/topP')
  }

  const { max } = model_
  const wish = settings.maxOutputTokens
  const isAlwaysSent = wire.name === 'anthropic-messages' || (wire.name === 'bedrock-converse' && model.includes('claude'))
  if (max !== '?') {
    const limit = wish === undefined ? (isAlwaysSent ? max : undefined) : Math.min(wish, max)
    check('limit', said.limit, limit, wish !== undefined && wish > max, '/settings/maxOutputTokens')
  }
  if (settings.stop !== undefined && wire.name !== 'openai-responses')
    check('stop', said.stop, model_.stop === 'no' ? undefined : settings.stop, model_.stop === 'no', '/settings/stop')
  if (toolChoice !== undefined && model_.forced !== '?' && said.forced !== undefined) {
    const isForced = model_.forced === undefined || (model_.forced === 'off' && isReasoning === false)
    check('forced', said.forced, isForced ? 'required' : 'auto', !isForced, '/toolChoice')
  }
  if (parallelToolCalls !== undefined && isChat)
    check('parallel', said.parallel, model_.parallel === 'no' ? undefined : false, model_.parallel === 'no', '/parallelToolCalls')
  if (losses.some(({ action }) => action === 'assumed')) wrong.push('assumed')
  return wrong
}

function throws(run: () => unknown): boolean {
  try {
    run()
  } catch (error) {
    return (error as { code?: unknown }).code === 'unsupported_by_model'
  }
  return false
}

const SUITES: readonly (readonly [WireFormat, Readonly<Record<string, Expected>>])[] = [
  [openaiChat, expected.OPENAI],
  [openaiResponses, expected.OPENAI],
  [anthropicMessages, expected.ANTHROPIC],
  [bedrockConverse, expected.BEDROCK],
  [gemini, expected.GOOGLE],
  [mistral, expected.MISTRAL_AI],
  [cohereV2, expected.COHERE],
  [ollama, expected.OLLAMA],
]

describe.each(SUITES.map(([wire, models]) => ({ name: wire.name, wire, models })))('$name', ({ wire, models }) => {
  it.each(Object.entries(models))('encodes 20 requests as %s accepts them', (model, model_) => {
    const wrong = REQUESTS.flatMap((request) => {
      const found = differences(wire, model, request, model_)
      return found.length === 0 ? [] : [`${JSON.stringify({ ...request, tools: request.tools?.length })}: ${found.join('; ')}`]
    })
    expect(wrong).toEqual([])
  })
})

it('covers 8 wire formats, at least 100 names, and 20 requests', () => {
  const names = new Set(SUITES.flatMap(([, models]) => Object.keys(models)))
  expect([SUITES.length, REQUESTS.length, names.size >= 100]).toEqual([8, 20, true])
})
