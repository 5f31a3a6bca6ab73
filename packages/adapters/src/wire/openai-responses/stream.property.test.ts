/** Property tests for every reply: decoding never throws, ids are unique, and a stream yields the same response as the complete reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta } from '../../index.ts'
import { openaiResponses } from './wire.ts'

function deltasOf(events: readonly unknown[]): LMDelta[] {
  const decoder = openaiResponses.streamDecoder()
  return [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
}

const TYPES = [
  'response.created',
  'response.output_item.added',
  'response.output_item.done',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.output_text.delta',
  'response.reasoning_text.delta',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'error',
  'x',
]
const any = fc.jsonValue()
const item = fc.record(
  {
    type: fc.constantFrom('function_call', 'function_call', 'message', 'reasoning', 'custom_tool_call', 'x', '__proto__'),
    id: fc.constantFrom('', 'i', 'j', null, '__proto__'),
    call_id: fc.constantFrom('', 'a', 'b', 'call_0', null, 5),
    name: fc.constantFrom('', 'look', null),
    arguments: fc.constantFrom('', '{}', '{', null, {}, 5),
    status: fc.constantFrom('completed', 'incomplete', 'in_progress', null),
    content: fc.constantFrom([], [{ type: 'output_text', text: 'x' }], [null], 'x'),
  },
  { requiredKeys: [] },
)
const sloppy = fc.record(
  {
    type: fc.constantFrom(...TYPES),
    output_index: fc.constantFrom(0, 1, 4_294_967_294, -1, '0', null),
    item_id: fc.constantFrom('', 'i', 'j', '__proto__', null),
    item: fc.oneof(item, any),
    delta: fc.constantFrom('', '{', '}', 'x', 5),
    arguments: fc.constantFrom('', '{}', null, {}),
    response: fc.oneof(
      fc.record({ status: fc.constantFrom('completed', 'incomplete', null), output: fc.array(item, { maxLength: 3 }) }),
      any,
    ),
    error: any,
  },
  { requiredKeys: ['type'] },
)

describe('any JSON', () => {
  it('never causes an exception as a reply or an error', () => {
    fc.assert(
      fc.property(fc.oneof(any, fc.record({ output: fc.array(fc.oneof(item, any)), error: any, usage: any })), (reply) => {
        openaiResponses.decode(reply)
        openaiResponses.decodeError?.(reply)
      }),
    )
  })

  it('is decoded to calls with unique ids, each with a start and an end, and one finish reason', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: sloppy }, any), { maxLength: 10 }), (events) => {
        const deltas = deltasOf(events)
        const starts = deltas.flatMap((delta) => (delta.type === 'call_start' ? [delta] : []))
        const ends = deltas.flatMap((delta) => (delta.type === 'call_end' ? [delta.index] : []))
        expect(starts.map(({ index }) => index)).toEqual(starts.map((_, index) => index))
        expect(ends.sort((a, b) => a - b)).toEqual(starts.map(({ index }) => index))
        expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length)
        expect(deltas.filter(({ type }) => type === 'finish')).toHaveLength(1)
      }),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })
})

describe('a reply', () => {
  const text = fc.string()
  const output = fc.array(
    fc.oneof(
      fc.record({
        type: fc.constant('message'),
        id: fc.uuid(),
        content: fc.tuple(fc.record({ type: fc.constant('output_text'), text })),
      }),
      fc.record({
        type: fc.constant('reasoning'),
        id: fc.uuid(),
        content: fc.tuple(fc.record({ type: fc.constant('reasoning_text'), text })),
      }),
      fc.record({
        type: fc.constant('function_call'),
        id: fc.uuid(),
        call_id: fc.uuid(),
        name: fc.constantFrom('f', 'g'),
        arguments: text,
      }),
      fc.record({ type: fc.constant('web_search_call'), id: fc.uuid() }),
    ),
    { maxLength: 5 },
  )
  const ending = fc.constantFrom(['completed'], ['incomplete', 'max_output_tokens'], ['incomplete', 'content_filter'], ['failed'])

  it('is decoded to the same response from a stream, however the texts are split', () => {
    fc.assert(
      fc.property(
        output,
        ending,
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        ([...items], [status, reason], size, repeated) => {
          const response = { status, incomplete_details: reason === undefined ? null : { reason }, usage: { input_tokens: 1 } }
          const { raw, ...whole } = openaiResponses.decode({ ...response, output: items })
          const events = items.flatMap((one, output_index) => [
            { type: 'response.output_item.added', output_index, item: emptied(one) },
            ...pieces(textOf(one), size).map((delta) => ({ type: DELTAS[one.type], output_index, item_id: one.id, delta })),
            { type: 'response.output_item.done', output_index, item: one },
          ])
          const last = { type: `response.${status}`, response: { ...response, output: repeated ? items : [] } }
          expect(collectDeltas(deltasOf([{ type: 'response.created' }, ...events, last]))).toEqual(whole)
        },
      ),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })

  type Item = {
    readonly type: keyof typeof DELTAS
    readonly id: string
    readonly content?: readonly { text: string }[]
    readonly arguments?: string
  }
  const DELTAS = {
    message: 'response.output_text.delta',
    reasoning: 'response.reasoning_text.delta',
    function_call: 'response.function_call_arguments.delta',
    web_search_call: 'x',
  }
  const textOf = ({ content, arguments: args }: Item) => content?.[0]?.text ?? args ?? ''
  const emptied = (one: Item) => ({
    ...one,
    ...(one.content && { content: [] }),
    ...(one.arguments !== undefined && { arguments: '' }),
  })
  const pieces = (whole: string, size: number) =>
    Array.from({ length: Math.ceil(whole.length / size) }, (_, index) => whole.slice(index * size, (index + 1) * size))
})
