import { DeltaCollector, type LMResponse, type ProviderCall } from '@x/adapters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import { scriptedLM } from '../testing.ts'
import { fromAISDK, toAISDK } from './index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const text = fc.string({ unit: anyCharacter })
const some = fc.string({ unit: anyCharacter, minLength: 1 })
const name = some.filter((key) => key !== '__proto__' && key !== 'ai-sdk')
const metadata = fc.dictionary(name, fc.record({ id: text }), { minKeys: 1 })
const call = fc.record(
  { id: some, name: text, arguments: text, truncated: fc.constant(true), metadata },
  { requiredKeys: ['id', 'name', 'arguments'] },
)
const providerCall: fc.Arbitrary<ProviderCall> = fc.record(
  { type: some, by: fc.constantFrom('provider', 'client'), id: some, name: some, raw: fc.jsonValue() },
  { requiredKeys: ['type', 'by', 'raw'] },
)
const count = fc.nat()
const usage = fc.record(
  { inputTokens: count, outputTokens: count, cacheReadTokens: count, cacheWriteTokens: count, reasoningTokens: count },
  { requiredKeys: ['inputTokens'] },
)
const ends = fc.constantFrom('stop', 'tool-calls', 'length', 'content-filter', 'error')
const response: fc.Arbitrary<LMResponse> = fc
  .record(
    {
      text,
      toolCalls: fc.uniqueArray(call, { maxLength: 4, selector: ({ id }) => id }),
      reasoning: some,
      refusal: some,
      finishReason: ends,
      rawFinishReason: text,
      usage,
      providerCalls: fc.array(providerCall, { minLength: 1, maxLength: 3 }),
      malformedCalls: fc.array(text, { minLength: 1, maxLength: 2 }),
      metadata,
    },
    { requiredKeys: ['text', 'toolCalls', 'finishReason'] },
  )
  .map(endWhereCut)

/** Makes a truncated reply end as wires produce it: truncated in its last call. */
function endWhereCut({ toolCalls, ...rest }: LMResponse): LMResponse {
  const isCut = rest.finishReason !== 'stop' && rest.finishReason !== 'tool-calls'
  return {
    ...rest,
    toolCalls: toolCalls.map((one, at) => (isCut && at === toolCalls.length - 1 ? { ...one, truncated: true } : one)),
  }
}

describe('fromAISDK(toAISDK(lm))', () => {
  it('generates the same reply as the model', async () => {
    await fc.assert(
      fc.asyncProperty(response, async (scripted) => {
        const { raw, ...reply } = await fromAISDK(toAISDK(scriptedLM([scripted]))).generate(request)
        expect(reply).toEqual(scripted)
        expect(raw).toBeDefined()
      }),
    )
  })

  it('streams the same reply as the model', async () => {
    await fc.assert(
      fc.asyncProperty(response, async (scripted) => {
        const collector = new DeltaCollector()
        for await (const delta of fromAISDK(toAISDK(scriptedLM([scripted]))).stream(request)) collector.push(delta)
        expect(collector.response()).toEqual(scripted)
      }),
    )
  })

  it('passes the request to the model', async () => {
    const lm = scriptedLM([{}])
    const asked = {
      ...request,
      settings: { temperature: 0.5, stop: ['END'], seed: 1 },
      responseFormat: { type: 'json', schema: {} },
    } as const
    await fromAISDK(toAISDK(lm)).generate(asked)
    expect(lm.requests).toEqual([asked])
  })
})
