import { describe, expect, it } from 'vitest'
import { anthropicMessages } from './wire.ts'

const decode = (reply: object) => anthropicMessages.decode({ type: 'message', role: 'assistant', content: [], ...reply })
const use = (id: string, input: unknown = { q: 'tea' }) => ({ type: 'tool_use', id, name: 'search', input })

describe('a complete reply', () => {
  it('is decoded to text, thinking and calls', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'I ' },
      { type: 'text', text: 'look.' },
      use('a'),
    ]
    expect(decode({ content, stop_reason: 'tool_use' })).toMatchObject({
      text: 'I look.',
      reasoning: 'hm',
      toolCalls: [{ id: 'a', name: 'search', arguments: '{"q":"tea"}' }],
      finishReason: 'tool-calls',
      rawFinishReason: 'tool_use',
    })
  })

  it('has no metadata if it consists of text followed by calls', () => {
    const content = [
      { type: 'text', text: 'I look.', citations: null },
      { ...use('a'), caller: { type: 'direct' }, toolset_name: null },
    ]
    expect(decode({ content })).not.toHaveProperty('metadata')
  })

  it("keeps its blocks if text and calls alone can't express their order", () => {
    expect(decode({ content: [use('a'), { type: 'text', text: 'b' }] })).toHaveProperty('metadata')
  })

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'other'],
    ['something_new', 'other'],
  ])('has the stop reason %s, decoded as %s', (stop_reason, finishReason) => {
    expect(decode({ stop_reason })).toMatchObject({ finishReason, rawFinishReason: stop_reason })
  })

  it('pitfall 1: has the finish reason tool-calls if it contains calls but no stop reason', () => {
    expect(decode({ content: [use('a')], stop_reason: null })).toMatchObject({ finishReason: 'tool-calls' })
    expect(decode({ stop_reason: null })).not.toHaveProperty('finishReason')
  })

  it('is decoded with the explanation of a refusal', () => {
    const stop_details = { type: 'refusal', category: 'bio', explanation: 'Not this.' }
    expect(decode({ stop_reason: 'refusal', stop_details })).toMatchObject({
      refusal: 'Not this.',
      finishReason: 'content-filter',
    })
  })

  it('pitfall 3: marks a truncated call, whose input is empty', () => {
    const { toolCalls } = decode({ content: [use('a'), use('b', {})], stop_reason: 'max_tokens' })
    expect(toolCalls).toEqual([
      { id: 'a', name: 'search', arguments: '{"q":"tea"}' },
      { id: 'b', name: 'search', arguments: '{}', truncated: true },
    ])
  })

  it('contains a complete call if another block follows the call, even if the reply was truncated', () => {
    const { toolCalls } = decode({ content: [use('a'), { type: 'text', text: 'And' }], stop_reason: 'max_tokens' })
    expect(toolCalls[0]).not.toHaveProperty('truncated')
  })

  it('pitfall 4: generates missing and repeated ids, and keeps the raw one', () => {
    const { toolCalls } = decode({ content: [use(''), use('a'), use('a')] })
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(3)
    expect(toolCalls.map(({ metadata }) => metadata)).toEqual([undefined, undefined, { 'anthropic-messages': { id: 'a' } }])
  })

  it('pitfall 2: decodes a missing input as empty arguments', () => {
    expect(decode({ content: [{ type: 'tool_use', id: 'a', name: 'now' }] }).toolCalls[0]?.arguments).toBe('')
  })

  it("distinguishes calls that the provider executed from calls to the request's tools", () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'mcp_tool_use', id: 'm', name: 'echo', server_name: 'x', input: {} },
    ]
    expect(decode({ content, stop_reason: 'pause_turn' })).toMatchObject({
      toolCalls: [],
      providerCalls: [
        { type: 'server_tool_use', by: 'provider', id: 's', name: 'web_search', raw: content[0] },
        { type: 'mcp_tool_use', by: 'provider', id: 'm', name: 'echo' },
      ],
      metadata: { 'anthropic-messages': { content } },
    })
  })

  it('counts cached tokens as input', () => {
    const usage = {
      ...{ input_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 9 },
      output_tokens_details: { thinking_tokens: 4 },
    }
    expect(decode({ usage }).usage).toEqual({
      ...{ inputTokens: 123, outputTokens: 9, cacheReadTokens: 100, cacheWriteTokens: 20, reasoningTokens: 4 },
    })
  })
})

describe('the usage of a reply whose context was compacted', () => {
  const usage = {
    ...{ input_tokens: 23_000, output_tokens: 1_000 },
    iterations: [
      { type: 'compaction', input_tokens: 180_000, cache_read_input_tokens: 20, output_tokens: 3_500 },
      { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
    ],
  }
  const counted = { inputTokens: 203_020, outputTokens: 4_500, cacheReadTokens: 20 }

  it('includes the compaction, which the totals of the API leave out', () => {
    expect(decode({ usage }).usage).toEqual(counted)
    const decoder = anthropicMessages.streamDecoder()
    const events = [{ type: 'message_start', message: { usage: { input_tokens: 23_000, output_tokens: 1 } } }]
    const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }
    const deltas = [...events, end].flatMap((event) => decoder.push(event))
    expect(deltas.findLast(({ type }) => type === 'usage')).toEqual({ type: 'usage', usage: counted })
  })

  it.each([[null], [{}], [[null, { type: 'compaction' }, { type: 'compaction', input_tokens: '5' }]]])(
    'ignores invalid iterations %j',
    (iterations) => {
      expect(decode({ usage: { ...usage, iterations } }).usage).toEqual({ inputTokens: 23_000, outputTokens: 1_000 })
    },
  )
})

describe('an error', () => {
  it.each([
    [
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      { message: 'Overloaded', code: 'overloaded_error' },
    ],
    [{ error: 'no' }, { message: 'no' }],
    [{ message: 'no' }, { message: 'no' }],
    [{ detail: 'no' }, { message: 'no' }],
    [{ type: 'error', error: {} }, { message: '{}' }],
  ])('pitfall 11: is decoded from %j', (body, error) => {
    expect(anthropicMessages.decodeError?.(body)).toEqual(error)
    expect(anthropicMessages.decode(body)).toMatchObject({ finishReason: 'error', error, text: '', toolCalls: [] })
  })

  it("isn't found in a valid reply", () => {
    expect(anthropicMessages.decodeError?.({ type: 'message', content: [], error: null })).toBeUndefined()
  })
})
