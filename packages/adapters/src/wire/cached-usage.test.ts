/** Tests how the cached tokens of each API are counted. The counts in a row are all different, so that a swapped count fails the test. */
import { describe, expect, it } from 'vitest'
import { collectDeltas, type Usage } from '../index.ts'
import { anthropicMessages } from './anthropic-messages/wire.ts'
import { bedrockConverse } from './bedrock-converse/wire.ts'
import { cohereV2 } from './cohere-v2/wire.ts'
import { gemini } from './gemini/wire.ts'
import { mistral } from './mistral/wire.ts'
import { openaiChatHosts } from './openai-chat/host-wires.ts'
import { openaiChat } from './openai-chat/wire.ts'
import { openaiResponses } from './openai-responses/wire.ts'
import type { WireFormat } from './wire-format.ts'

interface Row {
  readonly wire: WireFormat
  readonly says: string
  readonly reply: (usage: object) => unknown
  readonly events: (usage: object) => readonly unknown[]
  readonly usage: object
  readonly read: Usage
}

const message = { role: 'assistant', content: 'Hi' }
const chat = (wire: WireFormat) => ({
  wire,
  reply: (usage: object) => ({ choices: [{ message, finish_reason: 'stop' }], usage }),
  events: (usage: object) => [{ choices: [{ index: 0, delta: message, finish_reason: 'stop' }] }, { choices: [], usage }],
})
const inX = (usage: object) => [{ choices: [{ index: 0, delta: message, finish_reason: 'stop' }], x_groq: { usage } }]
const inChoice = (usage: object) => [{ choices: [{ index: 0, delta: message, finish_reason: 'stop', usage }] }]
const responses = {
  wire: openaiResponses,
  reply: (usage: object) => ({ status: 'completed', output: [], usage }),
  events: (usage: object) => [{ type: 'response.completed', response: { status: 'completed', output: [], usage } }],
}
const anthropic = {
  wire: anthropicMessages,
  reply: (usage: object) => ({ type: 'message', content: [], stop_reason: 'end_turn', usage }),
  events: (usage: object) => [
    { type: 'message_start', message: { id: 'm', content: [], usage: { ...usage, output_tokens: 1 } } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 11, cache_read_input_tokens: null } },
  ],
}
const bedrock = {
  wire: bedrockConverse,
  reply: (usage: object) => ({ output: { message: { content: [] } }, stopReason: 'end_turn', usage }),
  events: (usage: object) => [{ messageStop: { stopReason: 'end_turn' } }, { metadata: { usage } }],
}
const cohere = {
  wire: cohereV2,
  reply: (usage: object) => ({ message: { content: [] }, finish_reason: 'COMPLETE', usage }),
  events: (usage: object) => [{ type: 'message-end', delta: { finish_reason: 'COMPLETE', usage } }],
}
const google = {
  wire: gemini,
  reply: (usageMetadata: object) => ({ candidates: [{ content: { parts: [] }, finishReason: 'STOP' }], usageMetadata }),
  events: (usageMetadata: object) => [
    { candidates: [], usageMetadata: { promptTokenCount: 101, cachedContentTokenCount: 53 } },
    { candidates: [{ content: { parts: [] }, finishReason: 'STOP' }], usageMetadata },
  ],
}

const openai = { prompt_tokens: 101, completion_tokens: 11, total_tokens: 112 }
const read = { inputTokens: 101, outputTokens: 11, cacheReadTokens: 53 }

const ROWS: readonly Row[] = [
  {
    ...{ ...chat(openaiChat), says: 'prompt_tokens_details.cached_tokens' },
    usage: { ...openai, prompt_tokens_details: { cached_tokens: 53, cache_write_tokens: 17, audio_tokens: 2 } },
    read: { ...read, cacheWriteTokens: 17 },
  },
  {
    ...{ ...chat(openaiChatHosts.deepseek), says: 'prompt_cache_hit_tokens' },
    ...{ usage: { ...openai, prompt_cache_hit_tokens: 53, prompt_cache_miss_tokens: 48 }, read },
  },
  {
    ...{ ...chat(openaiChatHosts.moonshot), says: 'cached_tokens, in a choice where it streams' },
    ...{ events: inChoice, usage: { ...openai, cached_tokens: 53 }, read },
  },
  {
    ...{ ...chat(openaiChatHosts.groq), says: 'x_groq.usage where it streams' },
    ...{ events: inX, usage: { ...openai, prompt_tokens_details: { cached_tokens: 53 } }, read },
  },
  {
    ...{ ...chat(mistral), says: 'num_cached_tokens' },
    ...{ usage: { ...openai, num_cached_tokens: 53 }, read },
  },
  {
    ...{ ...chat(mistral), says: 'prompt_tokens_details.cached_tokens' },
    ...{ usage: { ...openai, prompt_tokens_details: { cached_tokens: 53 } }, read },
  },
  {
    ...{ ...responses, says: 'input_tokens_details' },
    usage: {
      ...{ input_tokens: 101, output_tokens: 11, output_tokens_details: { reasoning_tokens: 7 } },
      input_tokens_details: { cached_tokens: 53, cache_write_tokens: 17 },
    },
    read: { ...read, cacheWriteTokens: 17, reasoningTokens: 7 },
  },
  {
    ...{ ...anthropic, says: 'input_tokens without the cache' },
    usage: { input_tokens: 31, cache_read_input_tokens: 53, cache_creation_input_tokens: 17, output_tokens: 11 },
    read: { ...read, cacheWriteTokens: 17 },
  },
  {
    ...{ ...bedrock, says: 'inputTokens without the cache' },
    usage: { inputTokens: 31, cacheReadInputTokens: 53, cacheWriteInputTokens: 17, outputTokens: 11, totalTokens: 112 },
    read: { ...read, cacheWriteTokens: 17 },
  },
  {
    ...{ ...bedrock, says: 'names that end in Count' },
    usage: { inputTokens: 31, cacheReadInputTokenCount: 53, cacheWriteInputTokenCount: 17, outputTokens: 11 },
    read: { ...read, cacheWriteTokens: 17 },
  },
  {
    ...{ ...cohere, says: 'cached_tokens beside what is paid for' },
    usage: {
      billed_units: { input_tokens: 3, output_tokens: 2 },
      tokens: { input_tokens: 101, output_tokens: 11 },
      cached_tokens: 53,
    },
    read,
  },
  {
    ...{ ...google, says: 'cachedContentTokenCount' },
    usage: { promptTokenCount: 101, cachedContentTokenCount: 53, candidatesTokenCount: 4, thoughtsTokenCount: 7 },
    read: { ...read, reasoningTokens: 7 },
  },
]

describe.each(ROWS)('$wire.name: $says', ({ wire, reply, events, usage, read: expected }) => {
  it('is read from a complete reply', () => expect(wire.decode(reply(usage)).usage).toEqual(expected))

  it('is read from a stream', () => {
    const decoder = wire.streamDecoder?.()
    const deltas = [...events(usage).flatMap((event) => [...(decoder?.push(event) ?? [])]), ...(decoder?.end() ?? [])]
    expect(collectDeltas(deltas).usage).toEqual(expected)
  })

  it('is zero after a cache miss, and undefined if the reply omits it', () => {
    const missed = replaced(usage, 0)
    expect(wire.decode(reply(missed)).usage?.cacheReadTokens).toBe(0)
    expect(wire.decode(reply(replaced(usage, undefined))).usage?.cacheReadTokens).toBeUndefined()
  })
})

describe('an invalid count', () => {
  it.each(ROWS)("doesn't lower any other count: $wire.name, $says", ({ wire, reply, usage }) => {
    const { inputTokens } = wire.decode(reply(replaced(usage, 0))).usage ?? {}
    expect(wire.decode(reply(replaced(usage, -53))).usage).toMatchObject({ inputTokens, cacheReadTokens: -53 })
  })

  it("doesn't lower the output tokens, and an invalid total is returned unchanged", () => {
    const output = (counts: object) => gemini.decode(google.reply(counts)).usage?.outputTokens
    expect(output({ candidatesTokenCount: 4, thoughtsTokenCount: -3 })).toBe(4)
    expect(output({ candidatesTokenCount: -4, thoughtsTokenCount: 7 })).toBe(-4)
  })
})

describe('a count that the provider keeps apart', () => {
  it('is part of the output tokens if it is for reasoning, as in the total of xAI', () => {
    const { reply, wire } = chat(openaiChatHosts.xai)
    const usageOf = (total_tokens: number | undefined) =>
      wire.decode(
        reply({
          ...{ prompt_tokens: 32, completion_tokens: 9, total_tokens },
          ...{ prompt_tokens_details: { cached_tokens: 6 }, completion_tokens_details: { reasoning_tokens: 94 } },
        }),
      ).usage
    const read = { inputTokens: 32, outputTokens: 9, cacheReadTokens: 6, reasoningTokens: 94 }
    expect(usageOf(135)).toEqual({ ...read, outputTokens: 103 })
    expect(usageOf(41)).toEqual(read)
    expect(usageOf(undefined)).toEqual(read)
  })

  it("is part of the input tokens if it is for the results of Gemini's own tools", () => {
    const counts = { promptTokenCount: 80, toolUsePromptTokenCount: 237, candidatesTokenCount: 173, thoughtsTokenCount: 60 }
    expect(gemini.decode(google.reply(counts)).usage).toEqual({ inputTokens: 317, outputTokens: 233, reasoningTokens: 60 })
  })
})

/** Replaces the count of cached tokens. */
function replaced(usage: object, count: number | undefined): object {
  return JSON.parse(JSON.stringify(usage), (_, value: unknown) => (value === 53 ? count : value))
}
