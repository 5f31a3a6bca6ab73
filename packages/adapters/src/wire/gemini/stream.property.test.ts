/** Property tests for every Gemini reply: decoding never throws, and a stream yields the same response as the complete reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta } from '../../index.ts'
import { gemini } from './wire.ts'

function deltas(events: readonly unknown[]): readonly LMDelta[] {
  const decoder = gemini.streamDecoder()
  return [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
}

/** The field names of this API, which are combined with arbitrary values. */
const KEYS = [
  'candidates',
  'content',
  'parts',
  'functionCall',
  'name',
  'args',
  'partialArgs',
  'jsonPath',
  'text',
  'error',
  'index',
]
const hostile = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('object'), fc.array(tie('value'), { maxLength: 3 })),
  object: fc.dictionary(fc.constantFrom(...KEYS, 'finishReason', 'usageMetadata'), tie('value'), { maxKeys: 6 }),
})).object

const value = fc.record(
  {
    jsonPath: fc.constantFrom('$.a', '$.a.b', '$.a[0]', '$.a[1]', '$', '$.__proto__.a', 7, '$["a"]'),
    stringValue: fc.constantFrom('x', 7, null),
    numberValue: fc.constantFrom(1, 'x'),
    willContinue: fc.constantFrom(true, false, 'x'),
  },
  { requiredKeys: [] },
)
const sloppyCall = fc.record(
  {
    name: fc.constantFrom('look', '', 1, null),
    id: fc.constantFrom('a', '', 7, 'call_0', 'call_1'),
    args: fc.constantFrom({}, { q: 1 }, null, '{', []),
    partialArgs: fc.array(value, { maxLength: 3 }),
    willContinue: fc.boolean(),
  },
  { requiredKeys: [] },
)
const sloppyPart = fc.record(
  {
    functionCall: fc.option(sloppyCall, { nil: undefined }),
    text: fc.constantFrom(undefined, '', 'x', 7),
    thought: fc.constantFrom(undefined, true, 'x'),
    thoughtSignature: fc.constantFrom(undefined, '', 'c2ln', 7),
    executableCode: fc.constantFrom(undefined, {}, 'x'),
  },
  { requiredKeys: [] },
)
const finishReason = fc.constantFrom(undefined, '', 'STOP', 'MAX_TOKENS', 'SAFETY', 1, null)
const sloppy = fc
  .record({ parts: fc.array(sloppyPart, { maxLength: 4 }), finishReason, index: fc.constantFrom(0, 0, undefined, 1) })
  .map(({ parts, ...rest }) => ({ candidates: [{ content: { parts }, ...rest }] }))

describe('any JSON', () => {
  it('never causes an exception as an event of a stream, a reply or an error', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, sloppy, fc.jsonValue())), (events) => {
        collectDeltas(deltas(events))
        for (const event of events) {
          gemini.decode(event)
          gemini.decodeError?.(event)
        }
      }),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })

  it('is decoded to calls with unique ids, each with a start and an end', () => {
    fc.assert(
      fc.property(fc.array(sloppy, { maxLength: 8 }), (events) => {
        const all = deltas(events)
        const starts = all.flatMap((delta) => (delta.type === 'call_start' ? [delta] : []))
        expect(starts.map(({ index }) => index)).toEqual(starts.map((_, index) => index))
        expect(all.flatMap((delta) => (delta.type === 'call_end' ? [delta.index] : []))).toEqual(starts.map(({ index }) => index))
        expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length)
      }),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })

  it('is sent back to the same API as JSON, whatever it was', () => {
    fc.assert(
      fc.property(fc.oneof(sloppy, hostile), (reply) => {
        const { text: content, toolCalls, metadata } = gemini.decode(reply)
        const body = gemini.encode({ messages: [{ role: 'assistant', content, toolCalls, metadata }] }, 'gemini-3-pro')
        expect(JSON.parse(JSON.stringify(body))).toEqual(body)
      }),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })
})

describe('a reply', () => {
  const part = fc.oneof(
    fc.record({ text: fc.string() }),
    fc.record({ text: fc.string(), thought: fc.constant(true) }),
    fc.record({ text: fc.string(), thoughtSignature: fc.constantFrom('c2ln', 'c2lnMg==') }),
    fc.record({
      functionCall: fc.record({ name: fc.constantFrom('look', 'see'), args: fc.dictionary(fc.string(), fc.jsonValue()) }),
    }),
  )

  it('is decoded to the same response from a stream, part by part', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('STOP', 'MAX_TOKENS', 'SAFETY'), (parts, reason) => {
        const { raw, ...whole } = gemini.decode({ candidates: [{ content: { parts }, finishReason: reason }] })
        const events = parts.map((one) => ({ candidates: [{ content: { parts: [one] } }] }))
        expect(collectDeltas(deltas([...events, { candidates: [{ finishReason: reason }] }]))).toEqual(whole)
      }),
    )
  })

  it('is sent back part by part', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const {
          text: content,
          toolCalls,
          metadata,
        } = gemini.decode({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })
        const { contents } = gemini.encode({ messages: [{ role: 'assistant', content, toolCalls, metadata }] }, 'gemini-2.5-pro')
        const signed = (list: readonly object[]) => list.filter((one) => 'thoughtSignature' in one)
        expect(signed(contents[0]?.parts ?? [])).toEqual(signed(parts))
        const answer = (contents[0]?.parts ?? []).flatMap((one) => (one.thought === true ? [] : [one.text ?? '']))
        expect(answer.join('')).toBe(content)
      }),
    )
  })
})
