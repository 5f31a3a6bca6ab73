import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toSafeId } from './wire-ids.ts'

describe('toSafeId', () => {
  it('returns a valid id unchanged', () => {
    for (const id of ['toolu_01A', 'call-1', 'a'.repeat(64)]) expect(toSafeId(id)).toBe(id)
  })

  it('converts any text to a valid id, always in the same way', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 90 }), (id) => {
        expect(toSafeId(id)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        expect(toSafeId(id)).toBe(toSafeId(id))
      }),
    )
  })

  it('keeps ids different whose valid characters are equal', () => {
    const ids = [
      'functions.search:0',
      'functions.search.0',
      'functions_search_0',
      '',
      ' ',
      `${'x'.repeat(80)}1`,
      `${'x'.repeat(80)}2`,
    ]
    expect(new Set(ids.map(toSafeId)).size).toBe(ids.length)
  })
})
