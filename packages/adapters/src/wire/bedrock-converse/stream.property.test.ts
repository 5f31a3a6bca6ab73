/** Property tests for every reply: decoding never throws, ids are unique, and a stream yields the same response as the complete reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../../protocol/collect.ts'
import type { LMDelta } from '../../protocol/protocol.ts'
import { bedrockConverse } from './wire.ts'

function deltasOf(events: readonly unknown[]): LMDelta[] {
  const decoder = bedrockConverse.streamDecoder()
  return [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
}

const contentBlockIndex = fc.constantFrom(0, 1, 2, -1, 4_294_967_294, '__proto__', null)
const block = fc.record(
  {
    text: fc.constantFrom('x', null, {}),
    toolUse: fc.record({
      ...{ toolUseId: fc.constantFrom('', 'a', 'b', 'call_0', null), name: fc.constantFrom('f', '__proto__', 7) },
      ...{ type: fc.constantFrom(undefined, 'tool_use', 'server_tool_use', 5), input: fc.jsonValue() },
    }),
    toolResult: fc.oneof(fc.jsonValue(), fc.record({ content: fc.jsonValue() })),
    reasoningContent: fc.record({
      reasoningText: fc.jsonValue(),
      text: fc.constantFrom('r', 1),
      signature: fc.constantFrom('s', {}),
    }),
    citationsContent: fc.record({ content: fc.jsonValue(), citations: fc.jsonValue() }),
    citation: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ contentBlockStart: fc.record({ contentBlockIndex, start: block }) }) },
  { weight: 3, arbitrary: fc.record({ contentBlockDelta: fc.record({ contentBlockIndex, delta: block }) }) },
  { weight: 2, arbitrary: fc.record({ contentBlockStop: fc.record({ contentBlockIndex }) }) },
  fc.record({ messageStop: fc.record({ stopReason: fc.constantFrom('tool_use', 'max_tokens', 'end_turn', '', 3) }) }),
  fc.record({ metadata: fc.record({ usage: fc.jsonValue() }) }),
  fc.record({ throttlingException: fc.jsonValue() }),
)
const content = fc.oneof(fc.jsonValue(), fc.array(block))
const reply = fc.oneof(
  fc.jsonValue(),
  fc.record({ output: fc.record({ message: fc.record({ content }) }), stopReason: fc.jsonValue(), usage: fc.jsonValue() }),
)

describe('any JSON', () => {
  it('never causes an exception as an event of a stream', () => {
    fc.assert(fc.property(fc.array(fc.oneof(event, fc.jsonValue())), (events) => void deltasOf(events)))
  })

  it('never causes an exception as a reply, an error or metadata', () => {
    fc.assert(
      fc.property(reply, content, (value, kept) => {
        const { metadata, ...response } = bedrockConverse.decode(value)
        bedrockConverse.decodeError?.(value)
        const message = { role: 'assistant', content: response.text, toolCalls: response.toolCalls, metadata } as const
        bedrockConverse.encode({ messages: [message] }, 'm')
        bedrockConverse.encode({ messages: [{ ...message, metadata: { 'bedrock-converse': { content: kept } } }] }, 'm')
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
  const toolUseId = fc.constantFrom('a', 'b', 'c', '')
  const words = fc.string({ minLength: 1 })
  const one = fc.oneof(
    fc.record({ kind: fc.constant('text' as const), text: words }),
    fc.record({ kind: fc.constant('reasoning' as const), text: words, signature: fc.constantFrom('', 'sig') }),
    fc.record({ kind: fc.constant('call' as const), toolUseId, input, isServer: fc.boolean() }),
  )
  type Block = typeof one extends fc.Arbitrary<infer Value> ? Value : never

  it('is decoded to the same response from a stream, however the texts are split', () => {
    const reason = fc.constantFrom('end_turn', 'tool_use', 'max_tokens', 'malformed_tool_use', 'guardrail_intervened')
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 5 }), reason, sizes, fc.boolean(), (blocks, stopReason, cuts, usageFirst) => {
        const usage = { inputTokens: 1, outputTokens: 2 }
        const whole = bedrockConverse.decode({ output: { message: { content: blocks.map(toBlock) } }, stopReason, usage })
        const last = [{ messageStop: { stopReason } }, { metadata: { usage } }]
        const events = [...blocks.flatMap((each, index) => toEvents(each, index, cuts)), ...(usageFirst ? last.reverse() : last)]
        const { raw, ...rest } = whole
        expect(collectDeltas(deltasOf(events))).toEqual(rest)
      }),
      { numRuns: process.env.X_FULL ? 500 : 100 },
    )
  })

  function toolUse({ toolUseId: id, isServer }: Extract<Block, { kind: 'call' }>): object {
    return { toolUseId: id, name: 'f', ...(isServer && { type: 'server_tool_use' }) }
  }

  function toBlock(each: Block): object {
    if (each.kind === 'text') return { text: each.text }
    if (each.kind === 'call') return { toolUse: { ...toolUse(each), input: each.input } }
    const { text, signature } = each
    return { reasoningContent: { reasoningText: { text, ...(signature !== '' && { signature }) } } }
  }

  function toEvents(each: Block, contentBlockIndex: number, cuts: readonly number[]): readonly object[] {
    const delta = (one: object) => ({ contentBlockDelta: { contentBlockIndex, delta: one } })
    const stop = { contentBlockStop: { contentBlockIndex } }
    if (each.kind === 'text') return [...cut(each.text, cuts).map((text) => delta({ text })), stop]
    if (each.kind === 'reasoning')
      return [
        ...cut(each.text, cuts).map((text) => delta({ reasoningContent: { text } })),
        ...(each.signature === '' ? [] : [delta({ reasoningContent: { signature: each.signature } })]),
        stop,
      ]
    const start = { contentBlockStart: { contentBlockIndex, start: { toolUse: toolUse(each) } } }
    return [start, ...cut(JSON.stringify(each.input), cuts).map((text) => delta({ toolUse: { input: text } })), stop]
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
