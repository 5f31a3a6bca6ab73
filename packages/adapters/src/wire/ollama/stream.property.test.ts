/** Property tests for every reply: decoding never throws, ids are unique, and a stream yields the same response as the complete reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta } from '../../index.ts'
import { ollama } from '../index.ts'

function deltasOf(lines: readonly unknown[]): LMDelta[] {
  const decoder = ollama.streamDecoder()
  return [...lines.flatMap((line): LMDelta[] => [...decoder.push(line)]), ...decoder.end()]
}

const keys = [
  'message',
  'content',
  'thinking',
  'tool_calls',
  'function',
  'name',
  'arguments',
  'id',
  'index',
  'done',
  'done_reason',
  'error',
]
/** JSON with the field names of this API and arbitrary values. */
const hostile = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('object'), fc.array(tie('value'), { maxLength: 3 })),
  object: fc.dictionary(fc.constantFrom(...keys, 'eval_count', '__proto__'), tie('value'), { maxKeys: 6 }),
})).object
const call = fc.record({
  id: fc.constantFrom(undefined, '', 'a', 'b', 'call_0', 5),
  function: fc.record({
    index: fc.constantFrom(undefined, 0),
    name: fc.constantFrom('f', 'g'),
    arguments: fc.constantFrom({}, { q: 1 }, '{', null),
  }),
})
const line = fc.record({
  message: fc.record(
    { content: fc.string(), thinking: fc.string(), tool_calls: fc.array(call, { maxLength: 3 }) },
    { requiredKeys: [] },
  ),
  done: fc.constantFrom(false, true),
  done_reason: fc.constantFrom(undefined, 'stop', 'length', 'load', 7),
})

describe('any JSON', () => {
  it('never causes an exception, as a line, a reply or an error', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, line, fc.jsonValue())), (lines) => {
        deltasOf(lines)
        for (const one of lines) {
          ollama.decode(one)
          ollama.decodeError?.(one)
        }
      }),
    )
  })

  it('is decoded to calls with unique ids, each with a start and an end', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const deltas = deltasOf(lines)
        const starts = deltas.flatMap((one) => (one.type === 'call_start' ? [one] : []))
        const ends = deltas.flatMap((one) => (one.type === 'call_end' ? [one.index] : []))
        expect(starts.map(({ index }) => index)).toEqual(starts.map((_, index) => index))
        expect(ends.sort((a, b) => a - b)).toEqual(starts.map(({ index }) => index))
        expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length)
      }),
    )
  })
})

describe('a reply', () => {
  const reply = fc.record({
    content: fc.array(fc.string(), { maxLength: 4 }),
    thinking: fc.array(fc.string(), { maxLength: 4 }),
    calls: fc.array(call, { maxLength: 4 }),
  })

  it('is decoded to the same response from a stream, however it is split into lines', () => {
    fc.assert(
      fc.property(reply, fc.constantFrom('stop', 'length'), ({ content, thinking, calls }, done_reason) => {
        const last = { done: true, done_reason, prompt_eval_count: 1, eval_count: 2 }
        const message = { content: content.join(''), thinking: thinking.join(''), tool_calls: calls }
        const { raw, ...whole } = ollama.decode({ message, ...last })
        const lines = [
          ...thinking.map((piece) => ({ message: { content: '', thinking: piece }, done: false })),
          ...content.map((piece) => ({ message: { content: piece }, done: false })),
          ...calls.map((one) => ({ message: { content: '', tool_calls: [one] }, done: false })),
          { message: { content: '' }, ...last },
        ]
        expect(collectDeltas(deltasOf(lines))).toEqual(whole)
      }),
    )
  })
})
