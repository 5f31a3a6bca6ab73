import { collectDeltas, type LMResponse } from '@x/adapters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import { toDeltas } from './deltas.ts'

const text = fc.string({ unit: anyCharacter })
const some = fc.string({ unit: anyCharacter, minLength: 1 })
const metadata = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  fc.string(),
  { minKeys: 1 },
)
const call = fc.record(
  { id: text, name: text, arguments: text, truncated: fc.constant(true), metadata },
  { requiredKeys: ['id', 'name', 'arguments'] },
)
const response: fc.Arbitrary<LMResponse> = fc
  .record(
    {
      text,
      toolCalls: fc.array(call, { maxLength: 3 }),
      reasoning: some,
      refusal: some,
      finishReason: fc.constantFrom('stop', 'tool-calls', 'length', 'content-filter', 'error', 'other'),
      rawFinishReason: text,
      usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }, { requiredKeys: [] }),
      error: fc.record({ message: text, code: text }, { requiredKeys: ['message'] }),
      metadata,
    },
    { requiredKeys: ['text', 'toolCalls'] },
  )
  .map(withoutRaw)

/** Removes the provider's finish reason if the normalized one is absent, because a stream sends both together. */
function withoutRaw({ rawFinishReason, ...rest }: LMResponse): LMResponse {
  return rest.finishReason === undefined || rawFinishReason === undefined ? rest : { ...rest, rawFinishReason }
}

describe('toDeltas', () => {
  it('returns deltas that can be collected into the same response, with pieces of any length', () => {
    fc.assert(
      fc.property(response, fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(undefined)), (whole, length) => {
        expect(collectDeltas(toDeltas(whole, length))).toEqual(whole)
      }),
    )
  })

  it('omits empty fields', () => {
    expect([...toDeltas({ text: '', toolCalls: [] })]).toEqual([])
  })

  it('yields reasoning before text, then calls, and the finish reason last', () => {
    const calls = [{ id: '1', name: 'a', arguments: '{}' }]
    const deltas = [...toDeltas({ text: 'ab', reasoning: 'r', toolCalls: calls, usage: {}, finishReason: 'stop' }, 1)]
    expect(deltas.map(({ type }) => type)).toEqual([
      ...['reasoning', 'text', 'text', 'call_start', 'arguments', 'arguments', 'call_end', 'usage', 'finish'],
    ])
  })
})
