import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCents, MAX_AMOUNT, toCents, toDollars } from './money.ts'

describe('an amount', () => {
  it('is parsed exactly, however it was written, and returned unchanged', () => {
    expect([89.99, 0.29, 1.15, 4.35, 1_000_000].map(toCents)).toEqual([8999, 29, 115, 435, 100_000_000])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_AMOUNT * 100 }), (cents) => {
        const written = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
        expect(toCents(Number(written))).toBe(cents)
        expect(toDollars(cents)).toBe(Number(written))
        expect(formatCents(cents).replaceAll(',', '')).toBe(`$${written}`)
      }),
    )
  })

  it('with a third decimal is refused, not rounded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_AMOUNT * 1000 }), (mills) => {
        fc.pre(mills % 10 !== 0)
        expect(() => toCents(mills / 1000)).toThrow('has more than two decimals')
      }),
    )
    expect(() => toCents(0.1 + 0.2)).toThrow('has more than two decimals')
    expect(() => toCents(1e-9)).toThrow('has more than two decimals')
  })

  it.each([0, -0, -5, 1_000_000.01, Number.NaN, Number.POSITIVE_INFINITY])('of %s is refused', (dollars) => {
    expect(() => toCents(dollars)).toThrow('above 0 and at most 1000000 dollars')
  })
})
