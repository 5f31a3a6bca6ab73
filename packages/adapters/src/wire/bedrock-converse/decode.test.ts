import { describe, expect, it } from 'vitest'
import { bedrockConverse } from './wire.ts'

const decode = (content: readonly object[], more: object = {}) =>
  bedrockConverse.decode({ output: { message: { role: 'assistant', content } }, ...more })
const use = (toolUseId: string, input: unknown = { q: 'tea' }) => ({ toolUse: { toolUseId, name: 'search', input } })

describe('a complete reply', () => {
  it('is decoded to text, reasoning and calls', () => {
    const reasoning = { reasoningContent: { reasoningText: { text: 'hm' } } }
    expect(decode([reasoning, { text: 'I look.' }, use('a')], { stopReason: 'tool_use' })).toMatchObject({
      text: 'I look.',
      reasoning: 'hm',
      toolCalls: [{ id: 'a', name: 'search', arguments: '{"q":"tea"}' }],
      finishReason: 'tool-calls',
      rawFinishReason: 'tool_use',
    })
  })

  it('is decoded with the text of citations', () => {
    const cited = { citationsContent: { content: [{ text: 'Tea.' }], citations: [{ title: 't' }] } }
    expect(decode([{ text: 'It is: ' }, cited, { citationsContent: { citations: [] } }])).toMatchObject({
      text: 'It is: Tea.',
      metadata: { 'bedrock-converse': { content: [{ text: 'It is: ' }, cited, {}] } },
    })
  })

  it('has no metadata if it consists of text followed by calls', () => {
    const typed = { toolUse: { ...use('a').toolUse, type: 'tool_use' } }
    expect(decode([{ text: 'I look.' }, typed])).not.toHaveProperty('metadata')
  })

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'content-filter'],
    ['content_filtered', 'content-filter'],
    ['malformed_tool_use', 'error'],
    ['malformed_model_output', 'error'],
    ['something_new', 'other'],
  ])('has the stop reason %s, decoded as %s', (stopReason, finishReason) => {
    expect(decode([], { stopReason })).toMatchObject({ finishReason, rawFinishReason: stopReason })
  })

  it('pitfall 1: has the finish reason tool-calls if it contains calls but no stop reason', () => {
    expect(decode([use('a')])).toMatchObject({ finishReason: 'tool-calls' })
  })

  it('pitfall 3: marks a truncated or malformed call, but no call before it', () => {
    for (const stopReason of ['max_tokens', 'malformed_tool_use', 'guardrail_intervened']) {
      const { toolCalls } = decode([use('a'), use('b', {})], { stopReason })
      expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
    }
  })

  it('pitfall 4: generates empty and repeated ids', () => {
    const { toolCalls } = decode([use(''), use('a'), use('a')])
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(3)
    expect(toolCalls[2]?.metadata).toEqual({ 'bedrock-converse': { id: 'a' } })
  })

  it("distinguishes calls that the provider executed from calls to the request's tools", () => {
    const server = { toolUse: { toolUseId: 's', name: 'nova_grounding', input: {}, type: 'server_tool_use' } }
    const result = { toolResult: { toolUseId: 's', content: [{ text: 'x' }], type: 'nova_grounding_result' } }
    expect(decode([server, result, { text: 'Tea.' }])).toMatchObject({
      text: 'Tea.',
      toolCalls: [],
      providerCalls: [{ type: 'server_tool_use', by: 'provider', id: 's', name: 'nova_grounding', raw: server }],
    })
  })

  it('counts cached tokens as input', () => {
    const usage = { inputTokens: 3, cacheReadInputTokens: 100, cacheWriteInputTokens: 20, outputTokens: 9, totalTokens: 132 }
    expect(decode([], { usage }).usage).toEqual({ inputTokens: 123, outputTokens: 9, cacheReadTokens: 100, cacheWriteTokens: 20 })
  })
})

describe('an error', () => {
  it.each([
    [{ message: 'no' }, { message: 'no' }],
    [{ Message: 'no' }, { message: 'no' }],
    [
      { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'no' },
      { message: 'no', code: 'AccessDeniedException' },
    ],
    [{ error: { message: 'no', type: 'x' } }, { message: 'no', code: 'x' }],
  ])('pitfall 11: is decoded from %j', (body, error) => {
    expect(bedrockConverse.decodeError?.(body)).toEqual(error)
    expect(bedrockConverse.decode(body)).toMatchObject({ finishReason: 'error', error, text: '', toolCalls: [] })
  })

  it("isn't found in a valid reply", () => {
    expect(bedrockConverse.decodeError?.({ output: {}, message: 'x' })).toBeUndefined()
  })
})
