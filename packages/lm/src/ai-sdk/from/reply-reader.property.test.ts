import { DeltaCollector } from '@x/adapters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { streamModel, wholeModel } from '../../../test/ai-sdk/model.ts'
import { LMError } from '../../errors.ts'
import { fromAISDK } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const text = fc.string()
const metadata = fc.option(fc.record({ acme: fc.record({ signature: text }) }), { nil: undefined })
const block = fc.record({ type: fc.constantFrom('text', 'reasoning'), text, providerMetadata: metadata })
const call = fc.record({
  type: fc.constant('tool-call'),
  toolCallId: fc.constantFrom('', 'a', 'b', 'c'),
  toolName: text,
  input: text,
  providerExecuted: fc.boolean(),
  providerMetadata: metadata,
})
const other = fc.constantFrom(
  { type: 'source', sourceType: 'url', id: '1', url: 'https://a.test' },
  { type: 'file', mediaType: 'image/png', data: 'AQID' },
  { type: 'tool-result', toolCallId: 'a', toolName: 'look', result: { x: 1 } },
)
const content = fc.array(fc.oneof(block, call, other), { maxLength: 8 })
const finishReason = fc.record({ unified: fc.constantFrom('stop', 'tool-calls', 'length', 'error'), raw: fc.constant('end') })
const usage = fc.record({ inputTokens: fc.record({ total: fc.nat() }), outputTokens: fc.record({ total: fc.nat() }) })

/** Splits a part of a complete reply into the parts of a stream. */
function toStreamParts(part: Record<string, unknown>, index: number): readonly object[] {
  const { type, text: words, input, toolCallId, toolName, providerExecuted, providerMetadata } = part
  const id = String(index)
  if (type === 'text' || type === 'reasoning') {
    const pieces = piecesOf(words as string).map((delta) => ({ type: `${type}-delta`, id, delta }))
    return [{ type: `${type}-start`, id }, ...pieces, { type: `${type}-end`, id, providerMetadata }]
  }
  if (type !== 'tool-call' || index % 2 === 0) return [part]
  const pieces = piecesOf(input as string).map((delta) => ({ type: 'tool-input-delta', id: toolCallId, delta }))
  return [
    { type: 'tool-input-start', id: toolCallId, toolName, providerExecuted },
    ...pieces,
    { type: 'tool-input-end', id: toolCallId },
    part,
  ]
}

function piecesOf(words: string): readonly string[] {
  return words.match(/[\s\S]{1,3}/g) ?? []
}

async function collect(parts: readonly unknown[]) {
  const collector = new DeltaCollector()
  for await (const delta of fromAISDK(streamModel(parts)).stream(request)) collector.push(delta)
  return collector.response()
}

describe('a reply with any content', () => {
  it("gives the same result complete and streamed, and never turns a provider's call into a tool call", async () => {
    await fc.assert(
      fc.asyncProperty(content, finishReason, usage, async (parts, reason, tokens) => {
        const end = { finishReason: reason, usage: tokens }
        const { raw, ...whole } = await fromAISDK(wholeModel({ content: parts, ...end })).generate(request)
        const streamed = await collect([
          ...(parts as Record<string, unknown>[]).flatMap(toStreamParts),
          { type: 'finish', ...end },
        ])
        expect(streamed).toEqual(whole)
        const own = parts.filter(
          (part) => part.type === 'tool-call' && (part as { providerExecuted?: boolean }).providerExecuted !== true,
        )
        expect(whole.toolCalls).toHaveLength(own.length)
        expect(new Set(whole.toolCalls.map(({ id }) => id)).size).toBe(own.length)
      }),
    )
  })

  it('makes a reader throw nothing but an LMError', async () => {
    const types = [
      'text',
      'text-start',
      'text-delta',
      'reasoning-end',
      'tool-input-start',
      'tool-input-delta',
      'tool-call',
      'tool-result',
      'file',
      'finish',
      'error',
    ]
    const ids = fc.constantFrom('a', 'b', 7, null)
    const odd = fc.record(
      {
        type: fc.constantFrom(...types),
        id: ids,
        toolCallId: ids,
        delta: fc.jsonValue(),
        input: fc.jsonValue(),
        providerMetadata: fc.anything(),
      },
      { requiredKeys: ['type'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(odd, fc.anything()), { maxLength: 12 }), async (parts) => {
        const failure = await collect(parts).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (failure !== undefined) expect(failure).toBeInstanceOf(LMError)
        await fromAISDK(wholeModel({ content: parts })).generate(request)
      }),
    )
  })
})
