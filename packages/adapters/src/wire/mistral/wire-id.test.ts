import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMistralId } from './wire-id.ts'

describe('toMistralId', () => {
  it('returns a valid id unchanged', () => {
    for (const id of ['EscTeQY62', '000000000', 'abcdefghi']) expect(toMistralId(id)).toBe(id)
  })

  it('converts any other id to a valid one, always in the same way', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('', 'call_1_0', 'toolu_01', 'EscTeQY62\n', '😀')), (id) => {
        expect(toMistralId(id)).toMatch(/^[a-zA-Z0-9]{9}$/)
        expect(toMistralId(id)).toBe(toMistralId(id))
      }),
    )
    expect(toMistralId('call_1_0')).toBe('k6zWESK4S')
  })

  it('keeps ids different that differ in one character', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `call_${index % 100}_${Math.floor(index / 100)}`)
    expect(new Set(ids.map(toMistralId)).size).toBe(ids.length)
  })
})
