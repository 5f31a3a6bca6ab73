import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../../protocol/collect.ts'
import type { LMDelta } from '../../protocol/protocol.ts'
import { bedrockConverse } from './wire.ts'

const start = (contentBlockIndex: number, block: object) => ({ contentBlockStart: { contentBlockIndex, start: block } })
const use = (toolUseId: string, more: object = {}) => ({ toolUse: { toolUseId, name: 'search', ...more } })
const delta = (contentBlockIndex: number, one: object) => ({ contentBlockDelta: { contentBlockIndex, delta: one } })
const json = (index: number, input: string) => delta(index, { toolUse: { input } })
const stop = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } })
const end = (stopReason: string) => ({ messageStop: { stopReason } })
const usage = { metadata: { usage: { inputTokens: 5, outputTokens: 7, cacheReadInputTokens: 10 } } }

function deltasOf(...events: readonly unknown[]): LMDelta[] {
  const decoder = bedrockConverse.streamDecoder()
  return [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
}
const read = (...events: readonly unknown[]) => collectDeltas(deltasOf(...events))

describe('a streamed call', () => {
  it('arrives in pieces, after text without a start event, and the usage follows its end', () => {
    expect(
      deltasOf(
        { messageStart: { role: 'assistant' } },
        delta(0, { text: 'I look.' }),
        stop(0),
        start(1, use('a')),
        json(1, '{"q":'),
        json(1, '1}'),
        stop(1),
        end('tool_use'),
        usage,
      ),
    ).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'call_start', index: 0, id: 'a', name: 'search' },
      { type: 'arguments', index: 0, text: '{"q":' },
      { type: 'arguments', index: 0, text: '1}' },
      { type: 'call_end', index: 0 },
      { type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'tool_use' },
      { type: 'usage', usage: { inputTokens: 15, outputTokens: 7, cacheReadTokens: 10 } },
    ])
  })

  it('pitfall 2: has no arguments if no piece arrived', () => {
    expect(read(start(0, use('a')), stop(0), end('tool_use')).toolCalls[0]?.arguments).toBe('{}')
    expect(read(start(0, use('a')), json(0, ''), stop(0), usage, end('tool_use')).toolCalls[0]?.arguments).toBe('{}')
  })

  it('pitfall 3: is marked as truncated if it is the last block of a truncated reply, even if the block has stopped', () => {
    const { toolCalls } = read(start(0, use('a')), stop(0), start(1, use('b')), json(1, '{"q"'), stop(1), end('max_tokens'))
    expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
  })

  it('T1-9: is marked as truncated if the stream ends inside it', () => {
    const { toolCalls, finishReason } = read(start(0, use('a')), stop(0), start(1, use('b')), json(1, '{"q"'))
    expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
    expect(finishReason).toBe('error')
  })

  it('is a single call if a relay repeats its start', () => {
    const { toolCalls } = read(start(0, use('a')), start(0, use('a')), json(0, '{"q":1}'), stop(0), end('tool_use'))
    expect(toolCalls).toEqual([{ id: 'a', name: 'search', arguments: '{"q":1}' }])
  })

  it('pitfall 4: gets a generated id if it has none', () => {
    expect(read(start(0, use('')), stop(0), end('tool_use')).toolCalls[0]?.id).not.toBe('')
  })
})

describe('other blocks', () => {
  it('emit reasoning, and keep it with its signature', () => {
    const response = read(
      delta(0, { reasoningContent: { text: 'h' } }),
      delta(0, { reasoningContent: { text: 'm' } }),
      delta(0, { reasoningContent: { signature: 'sig' } }),
      stop(0),
      delta(1, { reasoningContent: { redactedContent: 'AAAA' } }),
      stop(1),
      delta(2, { text: 'Tea.' }),
      stop(2),
      end('end_turn'),
    )
    expect(response).toMatchObject({ reasoning: 'hm', text: 'Tea.', finishReason: 'stop' })
    expect(response.metadata).toEqual({
      'bedrock-converse': {
        content: [
          { reasoningContent: { reasoningText: { text: 'hm', signature: 'sig' } } },
          { reasoningContent: { redactedContent: 'AAAA' } },
          { text: 'Tea.' },
        ],
      },
    })
  })

  it('are complete provider calls and complete in the metadata if the provider executed them', () => {
    const result = { toolUseId: 's', type: 'x_result', status: 'success' }
    const { toolCalls, providerCalls, metadata } = read(
      ...[start(0, use('s', { type: 'server_tool_use' })), json(0, '{"q":'), json(0, '1}'), stop(0)],
      ...[start(1, { toolResult: result }), delta(1, { toolResult: [{ json: { a: 1 } }] }), stop(1), end('end_turn')],
    )
    const call = use('s', { type: 'server_tool_use', input: { q: 1 } })
    expect(toolCalls).toEqual([])
    expect(providerCalls).toEqual([{ type: 'server_tool_use', by: 'provider', id: 's', name: 'search', raw: call }])
    expect(metadata).toEqual({
      'bedrock-converse': { content: [call, { toolResult: { ...result, content: [{ json: { a: 1 } }] } }] },
    })
  })

  it('keep their citations', () => {
    const citation = { title: 't' }
    const { text, metadata } = read(delta(0, { text: 'Tea.' }), delta(0, { citation }), stop(0), end('end_turn'))
    expect(text).toBe('Tea.')
    expect(metadata).toEqual({
      'bedrock-converse': { content: [{ citationsContent: { content: [{ text: 'Tea.' }], citations: [citation] } }] },
    })
  })

  it('need no metadata if they contain only text, even with an empty start event', () => {
    expect(read(start(0, {}), delta(0, { text: 'Tea.' }), stop(0), end('end_turn'))).not.toHaveProperty('metadata')
  })
})

describe('an exception', () => {
  it.each([
    [{ throttlingException: { message: 'Slow down' } }, { message: 'Slow down', code: 'throttlingException' }],
    [
      { modelStreamErrorException: { originalMessage: 'x' } },
      { message: '{"originalMessage":"x"}', code: 'modelStreamErrorException' },
    ],
    [{ ValidationException: null }, { message: 'null', code: 'ValidationException' }],
    [{ message: 'no' }, { message: 'no' }],
  ])('pitfall 11: %j in the stream is decoded as its error', (event, error) => {
    const response = read(start(0, use('a')), json(0, '{'), event, json(0, '}'), stop(0), end('tool_use'))
    expect(response).toMatchObject({ error, finishReason: 'error' })
    expect(response.toolCalls).toEqual([{ id: 'a', name: 'search', arguments: '{', truncated: true }])
  })
})
