/** Property tests for every reply: decoding never throws, ids are unique, and a stream yields the same response as the complete reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta } from '../../index.ts'
import { cohereV2 } from '../index.ts'

function deltasOf(events: readonly unknown[]): LMDelta[] {
  const decoder = cohereV2.streamDecoder()
  return [...events.flatMap((event): LMDelta[] => [...decoder.push(event)]), ...decoder.end()]
}

const types = [
  'message-start',
  'content-start',
  'content-delta',
  'tool-plan-delta',
  'tool-call-start',
  'tool-call-delta',
  'tool-call-end',
]
const type = fc.constantFrom(...types, 'citation-start', 'message-end', 'debug', '__proto__', undefined)
const keys = [
  'delta',
  'message',
  'content',
  'tool_calls',
  'tool_plan',
  'function',
  'name',
  'arguments',
  'id',
  'index',
  'error',
  'usage',
]
/** JSON with the field names of this API and arbitrary values. */
const hostile = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('object'), fc.array(tie('value'), { maxLength: 3 })),
  object: fc.dictionary(fc.constantFrom(...keys, 'text', 'thinking', 'citations', 'tokens'), tie('value'), { maxKeys: 6 }),
}))
const hostileEvent = fc.tuple(type, hostile.object).map(([name, rest]) => ({ ...(rest as object), type: name }))
const call = fc.record({
  id: fc.constantFrom(undefined, '', 'a', 'b', 'call_0', 5),
  function: fc.record({ name: fc.constantFrom(undefined, '', 'f', 'g'), arguments: fc.constantFrom('', '{}', '{', {}, null) }),
})
const sloppy = fc.record({
  type,
  index: fc.constantFrom(undefined, 0, 0, 1, -1, null, 'x'),
  delta: fc.record({
    message: fc.record({ tool_calls: call }),
    finish_reason: fc.constantFrom(undefined, 'COMPLETE', 'MAX_TOKENS'),
  }),
})

describe('any JSON', () => {
  it('never causes an exception, as an event, a reply or an error', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostileEvent, sloppy, fc.jsonValue())), (events) => {
        deltasOf(events)
        for (const event of events) {
          cohereV2.decode(event)
          cohereV2.decodeError?.(event)
        }
      }),
    )
  })

  it('is decoded to calls with unique ids, each with a start and an end', () => {
    fc.assert(
      fc.property(fc.array(sloppy, { maxLength: 12 }), (events) => {
        const deltas = deltasOf(events)
        const starts = deltas.flatMap((one) => (one.type === 'call_start' ? [one] : []))
        const ends = deltas.flatMap((one) => (one.type === 'call_end' ? [one.index] : []))
        expect(starts.map(({ index }) => index)).toEqual(starts.map((_, index) => index))
        expect(ends.sort((a, b) => a - b)).toEqual(starts.map(({ index }) => index))
        expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length)
      }),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })
})

describe('a reply', () => {
  const reply = fc.record({
    thinking: fc.string(),
    text: fc.string(),
    plan: fc.string(),
    calls: fc.array(fc.record({ id: fc.constantFrom('', 'a', 'b'), name: fc.string({ minLength: 1 }), text: fc.json() }), {
      maxLength: 4,
    }),
    cuts: fc.array(fc.nat(9), { minLength: 1 }),
  })

  it('is decoded to the same response from a stream, however the texts are split', () => {
    fc.assert(
      fc.property(
        reply,
        fc.constantFrom('COMPLETE', 'TOOL_CALL', 'MAX_TOKENS'),
        ({ thinking, text, plan, calls, cuts }, finish_reason) => {
          const content = [
            ...(thinking === '' ? [] : [{ type: 'thinking', thinking }]),
            ...(text === '' ? [] : [{ type: 'text', text }]),
          ]
          const tool_calls = calls.map(({ id, name, text: args }) => ({
            id,
            type: 'function',
            function: { name, arguments: args },
          }))
          const usage = { tokens: { input_tokens: 1, output_tokens: 2 } }
          const { raw, ...whole } = cohereV2.decode({ message: { content, tool_plan: plan, tool_calls }, finish_reason, usage })
          const event = (name: string, index: number, message: object) => ({ type: name, index, delta: { message } })
          const events = [
            ...cut(thinking, cuts).map((piece) => event('content-delta', 0, { content: { thinking: piece } })),
            ...cut(text, cuts).map((piece) => event('content-delta', 1, { content: { text: piece } })),
            ...cut(plan, cuts).map((piece) => event('tool-plan-delta', 0, { tool_plan: piece })),
            ...tool_calls.flatMap((one, index) => [
              event('tool-call-start', index, { tool_calls: { ...one, function: { ...one.function, arguments: '' } } }),
              ...cut(one.function.arguments, cuts).map((piece) =>
                event('tool-call-delta', index, { tool_calls: { function: { arguments: piece } } }),
              ),
              { type: 'tool-call-end', index },
            ]),
            { type: 'message-end', delta: { finish_reason, usage } },
          ]
          expect(collectDeltas(deltasOf(events))).toEqual(whole)
        },
      ),
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
