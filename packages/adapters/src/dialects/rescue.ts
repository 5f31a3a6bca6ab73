/**
 * Recovers calls that a model with function calling wrote into its text. Validates them against the tools' schemas, and tags
 * them.
 */
import { type ToolSpec, validate } from '@x/tool-core'
import { readArguments } from '../arguments/parse.ts'
import type { LMResponse, RawToolCall } from '../protocol/protocol.ts'
import { deepseekV31 } from './deepseek-v31.ts'
import type { Dialect, DialectReading, ParserOptions } from './define/dialect.ts'
import { genericJson } from './generic-json.ts'
import { glm45 } from './glm45.ts'
import { hermes } from './hermes.ts'
import { kimiK2 } from './kimi-k2.ts'
import { llama3Json } from './llama3-json.ts'
import { mistral } from './mistral.ts'
import { qwen3Coder } from './qwen3-coder.ts'

export interface RescueOptions {
  /** The tools of the request. Calls to other tools are ignored. */
  readonly tools: readonly ToolSpec[]
  /** Dialects to try, in order. Default: the common ones, starting with those that have markers. */
  readonly dialects?: readonly Dialect[] | undefined
}

const COMMON: readonly Dialect[] = [hermes, qwen3Coder, mistral, deepseekV31, kimiK2, glm45, llama3Json, genericJson]

/** The strictest policy, which treats ambiguous text as text. */
const STRICT: ParserOptions = {
  unknownTool: 'text',
  unfinished: 'never',
  missingArguments: 'malformed',
  callInFence: 'text',
  quotedCall: 'text',
  callInReasoning: 'ignore',
  textAfterCalls: 'keep',
}

/**
 * Returns a response in which calls in the text have become tool calls with the tag `rescued`. The text before them is kept. The
 * response must be complete and have no tool calls, and nothing but calls may follow the first one in the text. Each call must
 * name a tool of the request and have JSON arguments that match its schema. Calls in code fences are ignored. Calls without
 * markers must be the whole text. If a condition isn't met, returns the same response object.
 */
export async function rescueCalls(response: LMResponse, { tools, dialects = COMMON }: RescueOptions): Promise<LMResponse> {
  const { text, toolCalls, finishReason, error, refusal } = response
  const isWhole =
    finishReason !== 'length' &&
    finishReason !== 'content-filter' &&
    finishReason !== 'error' &&
    error === undefined &&
    refusal === undefined
  if (toolCalls.length > 0 || tools.length === 0 || !isWhole || !MAY_HOLD_CALLS.test(text)) return response
  for (const dialect of dialects) {
    const read = (whole: string) => dialect.parse(whole, { ...STRICT, tools })
    const reading = read(text)
    if (isLeak(reading, text, read) && (await areRight(reading.toolCalls, tools))) return withCalls(response, reading)
  }
  return response
}

/** Characters of which every dialect's calls contain at least one. */
const MAY_HOLD_CALLS = /[<[{(]/

function isLeak({ text, toolCalls, malformedCalls, reasoning = '' }: DialectReading, whole: string, read: Read): boolean {
  if (toolCalls.length === 0 || malformedCalls !== undefined || toolCalls.some(({ tags }) => tags !== undefined)) return false
  if (text === '') return true
  const at = whole.indexOf(text, whole.indexOf(reasoning) + reasoning.length)
  const end = at + text.length
  const isBare = BARE.test(whole.slice(end).trimStart())
  return at >= 0 && !isBare && isProse(read(whole.slice(0, end)))
}

/** JSON without a marker such as `[TOOL_CALLS]` before it. */
const BARE = /^(?:\{|\[(?!\w+\]))/

type Read = (whole: string) => DialectReading

/** Returns true if the text before the calls contains no call. */
function isProse({ toolCalls, malformedCalls }: DialectReading): boolean {
  return toolCalls.length === 0 && malformedCalls === undefined
}

async function areRight(calls: readonly RawToolCall[], tools: readonly ToolSpec[]): Promise<boolean> {
  for (const call of calls) {
    const tool = tools.find(({ function: { name } }) => name === call.name)
    const parsed = readArguments(call.arguments)
    if (tool === undefined || !parsed.ok || parsed.tags.length > 0) return false
    if ((await validate(tool.function.parameters, parsed.value)).length > 0) return false
  }
  return true
}

/** Adds the calls to the response, and changes the finish reason `stop` to `tool-calls`. */
function withCalls(response: LMResponse, { text, toolCalls, reasoning }: DialectReading): LMResponse {
  const all = [response.reasoning, reasoning].filter(Boolean).join('\n')
  return {
    ...response,
    text,
    toolCalls: toolCalls.map((call) => ({ ...call, tags: [...(call.tags ?? []), 'rescued'] })),
    ...(all !== '' && { reasoning: all }),
    ...(response.finishReason === 'stop' && { finishReason: 'tool-calls' as const }),
  }
}
