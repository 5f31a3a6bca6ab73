/** Property tests for every reply: decoding never throws, ids are unique, and a stream yields the same response as the complete reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta, type LMResponse } from '../../index.ts'
import { openaiChat, type StreamDecoder } from '../index.ts'

function read(events: readonly unknown[]): LMResponse {
  const decoder = openaiChat.streamDecoder?.() as StreamDecoder
  return collectDeltas([...events.flatMap((event): LMDelta[] => [...decoder.push(event)]), ...decoder.end()])
}

/** JSON with the field names of this API and arbitrary values. */
const hostile = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('object'), fc.array(tie('value'), { maxLength: 3 })),
  object: fc.dictionary(
    fc.constantFrom('choices', 'delta', 'message', 'tool_calls', 'function', 'function_call', 'name', 'arguments', 'id', 'index'),
    tie('value'),
    { maxKeys: 6 },
  ),
})).object
const anyId = fc.constantFrom(undefined, '', 'a', 'b', 'call_0', 'call_1', null, 5)
const fragment = fc.record(
  {
    index: fc.constantFrom(undefined, 0, 1, -1, 4_294_967_294, '__proto__', null),
    id: anyId,
    function: fc.record({
      name: fc.constantFrom(undefined, '', 'f', 'g'),
      arguments: fc.constantFrom(undefined, '', '{', '}', '{}', null, {}),
    }),
  },
  { requiredKeys: [] },
)
const sloppy = fc.record(
  {
    choices: fc.array(
      fc.record({
        index: fc.constantFrom(0, 0, 0, 1),
        delta: fc.record(
          { content: fc.constantFrom('x', null), tool_calls: fc.array(fragment, { maxLength: 3 }) },
          { requiredKeys: [] },
        ),
        finish_reason: fc.constantFrom(null, null, '', 'stop', 'length', 'tool_calls', 7),
      }),
      { maxLength: 2 },
    ),
    error: fc.constantFrom(undefined, null, '', 'no', {}, { code: { toString: 1 } }),
    usage: fc.constantFrom(undefined, null, {}, { prompt_tokens: 1 }),
  },
  { requiredKeys: [] },
)

describe('any JSON', () => {
  it('never causes an exception as an event of a stream', () => {
    fc.assert(fc.property(fc.array(fc.oneof(hostile, fc.jsonValue())), (events) => void read(events)))
  })

  it('never causes an exception as a reply or an error', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, sloppy, fc.jsonValue()), (reply) => {
        openaiChat.decode(reply)
        openaiChat.decodeError?.(reply)
      }),
    )
  })

  it('is decoded to calls with unique ids, each with a start and an end', () => {
    fc.assert(
      fc.property(fc.array(sloppy, { maxLength: 8 }), (events) => {
        const decoder = openaiChat.streamDecoder?.() as StreamDecoder
        const deltas = [...events.flatMap((event): LMDelta[] => [...decoder.push(event)]), ...decoder.end()]
        const starts = deltas.flatMap((delta) => (delta.type === 'call_start' ? [delta] : []))
        const ends = deltas.flatMap((delta) => (delta.type === 'call_end' ? [delta.index] : []))
        expect(starts.map(({ index }) => index)).toEqual(starts.map((_, index) => index))
        expect(ends.sort((a, b) => a - b)).toEqual(starts.map(({ index }) => index))
        expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length)
      }),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })
})

describe('a reply', () => {
  const call = fc.record({ id: anyId, name: fc.string({ minLength: 1 }), arguments: fc.oneof(fc.string(), fc.json()) })
  const reply = fc.record({
    content: fc.string(),
    calls: fc.array(call, { maxLength: 4 }),
    cuts: fc.array(fc.nat(9), { minLength: 1 }),
  })

  it('is decoded to the same response from a stream, however the texts are split', () => {
    fc.assert(
      fc.property(reply, fc.constantFrom('stop', 'tool_calls', 'length'), ({ content, calls, cuts }, finish_reason) => {
        const tool_calls = calls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: text },
        }))
        const usage = { prompt_tokens: 1, completion_tokens: 2 }
        const { raw, ...whole } = openaiChat.decode({ choices: [{ message: { content, tool_calls }, finish_reason }], usage })
        const chunk = (delta: object, reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason: reason }] })
        const events = [
          ...cut(content, cuts).map((piece) => chunk({ content: piece })),
          ...tool_calls.flatMap((one, index) => [
            chunk({ tool_calls: [{ ...one, index, function: { ...one.function, arguments: '' } }] }),
            ...cut(one.function.arguments, cuts).map((piece) =>
              chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
            ),
          ]),
          chunk({}, finish_reason),
          { choices: [], usage },
        ]
        expect(read(events)).toEqual(whole)
      }),
    )
  })
})

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  for (let start = 0, turn = 0; start < text.length; turn++) {
    const size = (sizes[turn % sizes.length] as number) + 1
    pieces.push(text.slice(start, start + size))
    start += size
  }
  return pieces
}
