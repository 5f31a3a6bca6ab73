import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../../protocol/collect.ts'
import type { LMDelta } from '../../protocol/protocol.ts'
import { anthropicMessages } from './wire.ts'

const messageStart = (message: object = {}) => ({ type: 'message_start', message: { id: 'msg_1', content: [], ...message } })
const start = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, one: object) => ({ type: 'content_block_delta', index, delta: one })
const json = (index: number, partial_json: string) => delta(index, { type: 'input_json_delta', partial_json })
const stop = (index: number) => ({ type: 'content_block_stop', index })
const end = (stop_reason: string | null, more: object = {}) => ({ type: 'message_delta', delta: { stop_reason, ...more } })
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'search', input })

function deltasOf(...events: readonly unknown[]): LMDelta[] {
  const decoder = anthropicMessages.streamDecoder()
  return [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
}
const read = (...events: readonly unknown[]) => collectDeltas(deltasOf(...events))

describe('a streamed call', () => {
  it('arrives in pieces, and ends when the next block begins', () => {
    expect(
      deltasOf(
        messageStart(),
        start(0, use('a')),
        json(0, ''),
        json(0, '{"q":'),
        json(0, '1}'),
        stop(0),
        start(1, use('b')),
        stop(1),
        end('tool_use'),
      ),
    ).toEqual([
      { type: 'call_start', index: 0, id: 'a', name: 'search' },
      { type: 'arguments', index: 0, text: '{"q":' },
      { type: 'arguments', index: 0, text: '1}' },
      { type: 'call_end', index: 0 },
      { type: 'call_start', index: 1, id: 'b', name: 'search' },
      { type: 'arguments', index: 1, text: '{}' },
      { type: 'call_end', index: 1 },
      { type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'tool_use' },
    ])
  })

  it('pitfall 2: uses the input of the start event only if no piece arrived', () => {
    const input = { sql: 'SELECT 1' }
    expect(read(start(0, use('a', input)), stop(0), end('tool_use')).toolCalls[0]?.arguments).toBe('{"sql":"SELECT 1"}')
    expect(read(start(0, use('a', input)), json(0, '{}'), stop(0), end('tool_use')).toolCalls[0]?.arguments).toBe('{}')
  })

  it('pitfall 3: is marked as truncated if it is the last block of a truncated reply, even if the block has stopped', () => {
    const { toolCalls, finishReason } = read(
      start(0, use('a')),
      json(0, '{}'),
      stop(0),
      start(1, use('b')),
      stop(1),
      end('max_tokens'),
    )
    expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
    expect(finishReason).toBe('length')
  })

  it('is complete if text follows it, even if the reply was truncated', () => {
    const events = [start(0, use('a')), stop(0), start(1, { type: 'text', text: '' }), stop(1), end('max_tokens')]
    expect(read(...events).toolCalls[0]).not.toHaveProperty('truncated')
  })

  it('T1-9: is marked as truncated if the stream ends inside it', () => {
    const { toolCalls, finishReason } = read(messageStart(), start(0, use('a')), stop(0), start(1, use('b')), json(1, '{"q":'))
    expect(toolCalls).toEqual([
      { id: 'a', name: 'search', arguments: '{}' },
      { id: 'b', name: 'search', arguments: '{"q":', truncated: true },
    ])
    expect(finishReason).toBe('error')
  })

  it('pitfall 6: ends when its index is reused for another call', () => {
    const events = [
      start(1, use('a')),
      json(1, '{"q":1}'),
      stop(1),
      start(1, use('b')),
      json(1, '{"q":2}'),
      stop(1),
      end('tool_use'),
    ]
    expect(read(...events).toolCalls.map(({ id, arguments: text }) => [id, text])).toEqual([
      ['a', '{"q":1}'],
      ['b', '{"q":2}'],
    ])
  })

  it('is a single call if a relay repeats its start', () => {
    const { toolCalls } = read(
      messageStart(),
      start(0, use('a')),
      start(0, use('a')),
      json(0, '{"q":1}'),
      stop(0),
      end('tool_use'),
    )
    expect(toolCalls).toEqual([{ id: 'a', name: 'search', arguments: '{"q":1}' }])
  })

  it('pitfall 4: gets a generated id if two calls have the same id', () => {
    const { toolCalls } = read(start(0, use('a')), stop(0), start(1, use('a')), stop(1), end('tool_use'))
    expect(toolCalls[1]?.id).not.toBe('a')
    expect(toolCalls[1]?.metadata).toEqual({ 'anthropic-messages': { id: 'a' } })
  })

  it('pitfall 13: may be complete in message_start', () => {
    const message = { content: [use('a', { q: 1 })], stop_reason: 'tool_use' }
    expect(read(messageStart(message), { type: 'message_stop' })).toMatchObject({
      toolCalls: [{ id: 'a', arguments: '{"q":1}' }],
      finishReason: 'tool-calls',
    })
  })
})

describe('other blocks', () => {
  it('emit text and reasoning as they arrive, including text in the start event', () => {
    expect(
      deltasOf(
        start(0, { type: 'thinking', thinking: 'h', signature: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'm' }),
        delta(0, { type: 'signature_delta', signature: 'sig' }),
        stop(0),
        start(1, { type: 'text', text: 'A' }),
        { type: 'ping' },
        delta(1, { type: 'text_delta', text: 'B' }),
        stop(1),
        end('end_turn'),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'h' },
      { type: 'reasoning', text: 'm' },
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B' },
      {
        type: 'metadata',
        metadata: {
          'anthropic-messages': {
            content: [
              { type: 'thinking', thinking: 'hm', signature: 'sig' },
              { type: 'text', text: 'AB' },
            ],
          },
        },
      },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'end_turn' },
    ])
  })

  it('keep their citations', () => {
    const citation = { type: 'char_location', cited_text: 'tea' }
    const text = { type: 'text', text: '', citations: [] }
    const { metadata } = read(start(0, text), delta(0, { type: 'citations_delta', citation }), stop(0), end('end_turn'))
    expect(metadata).toEqual({ 'anthropic-messages': { content: [{ ...text, citations: [citation] }] } })
  })

  it('are complete provider calls and complete in the metadata if the provider executed them', () => {
    const call = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
    const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [] }
    const { providerCalls, toolCalls, metadata } = read(
      ...[start(0, call), json(0, '{"q":'), json(0, '"tea"}'), stop(0), start(1, found), stop(1), end('pause_turn')],
    )
    const whole = { ...call, input: { q: 'tea' } }
    expect(toolCalls).toEqual([])
    expect(providerCalls).toEqual([{ type: 'server_tool_use', by: 'provider', id: 's', name: 'web_search', raw: whole }])
    expect(metadata).toEqual({ 'anthropic-messages': { content: [whole, found] } })
  })

  it('are kept with the summary of a compacted conversation, which arrives in a delta', () => {
    const block = { type: 'compaction', content: null, encrypted_content: null }
    const summary = { content: 'So far: tea.', encrypted_content: 'x' }
    const kept = (...deltas: readonly object[]) => {
      const events = deltas.map((one) => delta(0, { type: 'compaction_delta', ...one }))
      return read(start(0, block), ...events, stop(0), start(1, { type: 'text', text: 'Hi' }), stop(1), end('end_turn')).metadata
    }
    const text = { type: 'text', text: 'Hi' }
    expect(kept(summary)).toEqual({ 'anthropic-messages': { content: [{ ...block, ...summary }, text] } })
    expect(kept({ content: 'So far: ' }, { content: 'tea.', encrypted_content: 'x' })).toEqual(kept(summary))
    expect(kept({ content: null })).toEqual({ 'anthropic-messages': { content: [block, text] } })
  })

  it("aren't kept if the stream ended inside them", () => {
    const { metadata, reasoning } = read(start(0, { type: 'thinking', thinking: 'h', signature: '' }))
    expect(reasoning).toBe('h')
    expect(metadata).toBeUndefined()
  })

  it('are kept if their kind is unknown, and unknown deltas are ignored', () => {
    const block = { type: 'container_upload', file_id: 'f' }
    const { metadata, text } = read(
      start(0, block),
      delta(0, { type: 'new_delta', text: 'x' }),
      stop(0),
      { type: 'new' },
      end('end_turn'),
    )
    expect(metadata).toEqual({ 'anthropic-messages': { content: [block] } })
    expect(text).toBe('')
  })
})

describe('the rest of the stream', () => {
  it('has the usage from its start and its end', () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 10, output_tokens: 1 }
    const last = { ...end('end_turn'), usage: { output_tokens: 7, input_tokens: null } }
    expect(read(messageStart({ usage }), last).usage).toEqual({ inputTokens: 15, outputTokens: 7, cacheReadTokens: 10 })
  })

  it('contains the explanation of a refusal', () => {
    expect(read(end('refusal', { stop_details: { explanation: 'Not this.' } }))).toMatchObject({
      refusal: 'Not this.',
      finishReason: 'content-filter',
    })
  })

  it('pitfall 11: emits an error event, and ignores what follows', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const response = read(start(0, use('a')), json(0, '{"q"'), error, json(0, ':1}'), stop(0), end('tool_use'))
    expect(response).toMatchObject({ error: { message: 'Overloaded', code: 'overloaded_error' }, finishReason: 'error' })
    expect(response.toolCalls).toEqual([{ id: 'a', name: 'search', arguments: '{"q"', truncated: true }])
  })

  it('pitfall 13: reports an error if a second message is inserted', () => {
    const first = [messageStart(), start(0, use('a')), json(0, '{"q":')]
    const second = [messageStart({ id: 'msg_2' }), start(0, use('b')), json(0, '{}'), stop(0), end('tool_use')]
    const response = read(...first, ...second)
    expect(response).toMatchObject({ finishReason: 'error', error: { message: 'The stream contains a second message.' } })
    expect(response.toolCalls).toEqual([{ id: 'a', name: 'search', arguments: '{"q":', truncated: true }])
    expect(read(messageStart(), end('end_turn'), ...second)).toMatchObject({ finishReason: 'error', toolCalls: [] })
  })

  it('accepts a repeated start of the same message', () => {
    const events = [messageStart(), messageStart(), start(0, { type: 'text', text: 'A' }), stop(0), end('end_turn')]
    expect(read(...events)).toEqual({ text: 'A', toolCalls: [], finishReason: 'stop', rawFinishReason: 'end_turn' })
  })

  it('uses the name of the event if the JSON has no type', () => {
    expect(read({ _event: 'message_delta', delta: { stop_reason: 'end_turn' } }).finishReason).toBe('stop')
  })

  it('ends with an error if it was empty', () => {
    expect(read()).toEqual({ text: '', toolCalls: [], finishReason: 'error' })
  })
})
