import { expect, it } from 'vitest'
import { summarize } from './statistics.ts'

it('takes the middle of an odd number of figures, in any order', () => {
  expect(summarize([5, 1, 100, 2, 3])).toEqual({ median: 3, spread: [2, 5] })
})

it('interpolates a quantile between two figures', () => {
  expect(summarize([1, 2, 3, 4])).toEqual({ median: 2.5, spread: [1.75, 3.25] })
})

it('returns the only figure for all three', () => {
  expect(summarize([7])).toEqual({ median: 7, spread: [7, 7] })
})

it('throws without figures', () => {
  expect(() => summarize([])).toThrow(RangeError)
})
