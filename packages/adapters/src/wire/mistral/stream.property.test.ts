/** Property tests for every reply: decoding never throws, ids are unique, and a stream yields the same response as the complete reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta, type LMResponse } from '../../index.ts'
import { mistral } from '../index.ts'

function deltasOf(events: readonly unknown[]): LMDelta[] {
  const decoder = mistral.streamDecoder()
  return [...events.flatMap((event): LMDelta[] => [...decoder.push(event)]), ...decoder.end()]
}

const keys = [
  'choices',
  'delta',
  'message',
  'content',
  'tool_calls',
  'function',
  'name',
  'arguments',
  'id',
  'index',
  'type',
  'thinking',
]
/** JSON with the field names of this API and arbitrary values. */
const hostile = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('object'), fc.array(tie('value'), { maxLength: 3 })),
  object: fc.dictionary(fc.constantFrom(...keys, 'usage', 'detail', 'finish_reason', '__proto__'), tie('value'), { maxKeys: 6 }),
})).object
const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('thinking'), thinking: fc.oneof(fc.string(), fc.constant([{ type: 'text', text: 'x' }])) }),
)
const call = fc.record({
  id: fc.constantFrom(undefined, '', 'null', 'EscTeQY62', 'EscTeQY63'),
  function: fc.record({ name: fc.constantFrom('f', 'g'), arguments: fc.constantFrom('', '{}', '{', {}, null) }),
})
const delta = fc.record(
  { content: fc.oneof(fc.string(), fc.array(part, { maxLength: 3 })), tool_calls: fc.array(call, { maxLength: 3 }) },
  { requiredKeys: [] },
)
const sloppy = fc.record({
  choices: fc.tuple(fc.record({ delta, finish_reason: fc.constantFrom(null, 'stop', 'model_length', 'tool_calls') })),
})

describe('any JSON', () => {
  it('never causes an exception, as an event, a reply or an error', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, sloppy, fc.jsonValue())), (events) => {
        deltasOf(events)
        for (const event of events) {
          mistral.decode(event)
          mistral.decodeError?.(event)
        }
      }),
    )
  })

  it('is decoded to calls with unique ids, each with a start and an end', () => {
    fc.assert(
      fc.property(fc.array(sloppy, { maxLength: 8 }), (events) => {
        const deltas = deltasOf(events)
        const starts = deltas.flatMap((one) => (one.type === 'call_start' ? [one] : []))
        const ends = deltas.flatMap((one) => (one.type === 'call_end' ? [one.index] : []))
        expect(ends.sort((a, b) => a - b)).toEqual(starts.map(({ index }) => index))
        expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length)
      }),
    )
  })
})

describe('a reply', () => {
  it('is decoded to the same response from a stream of one event', () => {
    const message = fc.record({
      content: fc.array(part, { maxLength: 1 }),
      tool_calls: fc.uniqueArray(
        fc.record({ id: fc.constantFrom('EscTeQY62', 'EscTeQY63'), function: call.map((one) => one.function) }),
        {
          selector: ({ id }) => id,
        },
      ),
    })
    fc.assert(
      fc.property(message, fc.constantFrom('stop', 'tool_calls', 'model_length'), (one, finish_reason) => {
        const { raw, ...whole } = mistral.decode({ choices: [{ message: one, finish_reason }] })
        const streamed: LMResponse = collectDeltas(deltasOf([{ choices: [{ delta: one, finish_reason }] }]))
        expect(streamed).toEqual(whole)
      }),
    )
  })
})
