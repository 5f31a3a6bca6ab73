/** Property tests for every reply: decoding never throws, ids are unique, and a stream yields the same response as the complete reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../../protocol/collect.ts'
import type { LMDelta } from '../../protocol/protocol.ts'
import { anthropicMessages } from './wire.ts'

function deltasOf(events: readonly unknown[]): LMDelta[] {
  const decoder = anthropicMessages.streamDecoder()
  return [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
}

const type = fc.constantFrom('text', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'x_tool_result', 5)
const block = fc.record(
  {
    type,
    ...{ id: fc.constantFrom('', 'a', 'b', 'call_0', null), name: fc.constantFrom('f', '', '__proto__', 7) },
    ...{ input: fc.jsonValue(), text: fc.constantFrom('x', null), thinking: fc.constantFrom('x', {}), citations: fc.jsonValue() },
  },
  { requiredKeys: ['type'] },
)
const event = fc.record(
  {
    type: fc.constantFrom(
      ...['message_start', 'content_block_start', 'content_block_start', 'content_block_delta', 'content_block_delta'],
      ...['content_block_stop', 'message_delta', 'message_stop', 'ping', 'error'],
    ),
    index: fc.constantFrom(0, 1, 2, -1, 4_294_967_294, '__proto__', null),
    content_block: block,
    message: fc.record({ id: fc.constantFrom('m', 'n'), content: fc.array(block, { maxLength: 2 }), usage: fc.jsonValue() }),
    delta: fc.record(
      {
        type: fc.constantFrom('text_delta', 'thinking_delta', 'input_json_delta', 'signature_delta', 'citations_delta'),
        ...{
          text: fc.constantFrom('t', 1),
          thinking: fc.constant('t'),
          partial_json: fc.constantFrom('{', '"a":1', '}', '', null),
        },
        ...{ signature: fc.constantFrom('s', {}), citation: fc.jsonValue() },
        stop_reason: fc.constantFrom(null, 'tool_use', 'max_tokens', 'refusal', 3),
      },
      { requiredKeys: [] },
    ),
    usage: fc.jsonValue(),
    error: fc.constantFrom('no', {}, { type: 1 }),
  },
  { requiredKeys: ['type'] },
)
const reply = fc.oneof(
  fc.jsonValue(),
  fc.record({ content: fc.array(block), stop_reason: fc.jsonValue(), usage: fc.jsonValue() }),
)

describe('any JSON', () => {
  it('never causes an exception as an event of a stream', () => {
    fc.assert(fc.property(fc.array(fc.oneof(event, fc.jsonValue())), (events) => void deltasOf(events)))
  })

  it('never causes an exception as a reply, an error or metadata', () => {
    fc.assert(
      fc.property(reply, (value) => {
        const { metadata, ...response } = anthropicMessages.decode(value)
        anthropicMessages.decodeError?.(value)
        const message = { role: 'assistant', content: response.text, toolCalls: response.toolCalls, metadata } as const
        anthropicMessages.encode({ messages: [message] }, 'm')
        anthropicMessages.encode({ messages: [{ ...message, metadata: { 'anthropic-messages': value } }] }, 'm')
      }),
    )
  })

  it('is decoded to calls with unique ids, each with a start and an end', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const deltas = deltasOf(events)
        const starts = deltas.flatMap((delta) => (delta.type === 'call_start' ? [delta] : []))
        const ends = deltas.flatMap((delta) => (delta.type === 'call_end' ? [delta.index] : []))
        expect(starts.map(({ index }) => index)).toEqual(starts.map((_, index) => index))
        expect(ends.sort((a, b) => a - b)).toEqual(starts.map(({ index }) => index))
        expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length)
        expect(deltas.some((delta) => delta.type === 'finish')).toBe(true)
      }),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })
})

describe('a reply', () => {
  // Streams refuse keys that could change a prototype.
  const key = fc.string().filter((text) => text !== '__proto__' && text !== 'constructor')
  const input = fc.dictionary(key, fc.oneof(fc.string(), fc.integer(), fc.boolean()), { maxKeys: 3 })
  const id = fc.constantFrom('a', 'b', 'c', '')
  const one = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string() }),
    fc.record({ type: fc.constant('thinking' as const), thinking: fc.string(), signature: fc.string() }),
    fc.record({ type: fc.constant('redacted_thinking' as const), data: fc.string() }),
    fc.record({ type: fc.constant('tool_use' as const), id, name: fc.constantFrom('f', 'g'), input }),
    fc.record({ type: fc.constant('server_tool_use' as const), id, name: fc.constant('web_search'), input }),
  )

  it('is decoded to the same response from a stream, however the texts are split', () => {
    const reason = fc.constantFrom('end_turn', 'tool_use', 'max_tokens', 'pause_turn', 'refusal')
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 5 }), reason, sizes, (content, stop_reason, cuts) => {
        const usage = { input_tokens: 1, output_tokens: 2 }
        const { raw, ...whole } = anthropicMessages.decode({ type: 'message', content, stop_reason, usage })
        const events = [
          { type: 'message_start', message: { id: 'm', content: [], usage: { ...usage, output_tokens: 0 } } },
          ...content.flatMap((each, index) => toEvents(each, index, cuts)),
          { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 2 } },
          { type: 'message_stop' },
        ]
        expect(collectDeltas(deltasOf(events))).toEqual(whole)
      }),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })

  type Block = typeof one extends fc.Arbitrary<infer Value> ? Value : never

  function toEvents(each: Block, index: number, cuts: readonly number[]): readonly object[] {
    const pieces = (text: string, make: (piece: string) => object) =>
      cut(text, cuts).map((piece) => ({ type: 'content_block_delta', index, delta: make(piece) }))
    const wrap = (content_block: object, deltas: readonly object[] = []) => [
      { type: 'content_block_start', index, content_block },
      ...deltas,
      { type: 'content_block_stop', index },
    ]
    switch (each.type) {
      case 'text':
        return wrap(
          { ...each, text: '' },
          pieces(each.text, (text) => ({ type: 'text_delta', text })),
        )
      case 'thinking':
        return wrap({ ...each, thinking: '', signature: '' }, [
          ...pieces(each.thinking, (thinking) => ({ type: 'thinking_delta', thinking })),
          ...pieces(each.signature, (signature) => ({ type: 'signature_delta', signature })),
        ])
      case 'redacted_thinking':
        return wrap(each)
      default:
        return wrap(
          { ...each, input: {} },
          pieces(JSON.stringify(each.input), (partial_json) => ({ type: 'input_json_delta', partial_json })),
        )
    }
  }
})

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  for (let start = 0, turn = 0; start < text.length; turn++) {
    const size = sizes[turn % sizes.length] as number
    pieces.push(text.slice(start, start + size))
    start += size
  }
  return pieces
}
