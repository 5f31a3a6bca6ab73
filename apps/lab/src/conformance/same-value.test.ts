/** Compares equal and different values, and finds what was lost between two of them. */
import { expect, it } from 'vitest'
import { findLoss, isSameValue } from './same-value.ts'

it.each([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [-0, -0],
])('calls the same what is the same: %j', (left, right) => {
  expect(isSameValue(left, right)).toBe(true)
})

it.each([
  [0, -0],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: undefined }, { b: undefined }],
  [[1], [1, 2]],
  [[], {}],
  [null, {}],
  ['1', 1],
  [{ toString: 1 }, {}],
])('distinguishes %j and %j', (left, right) => {
  expect(isSameValue(left, right)).toBe(false)
  expect(isSameValue(right, left)).toBe(false)
})

it('compares values nested a hundred thousand levels deep', () => {
  const nest = (end: unknown) => {
    let value = end
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    return value
  }
  expect(isSameValue(nest(1), nest(1))).toBe(true)
  expect(isSameValue(nest(1), nest(2))).toBe(false)
  expect(findLoss(nest(1), nest(1))).toBeUndefined()
})

it.each([
  [{}, { a: 1 }],
  [{ a: 'wor' }, { a: 'words', b: [] }],
  [{ a: [{ b: 'x' }] }, { a: [{ b: 'xy', c: 1 }, 2] }],
])('finds no loss where a value only grew: %j, then %j', (earlier, later) => {
  expect(findLoss(earlier, later)).toBeUndefined()
})

it.each([
  [{ a: 1 }, {}, ['a']],
  [{ a: 'words' }, { a: 'wor' }, ['a']],
  [{ a: [1, 2] }, { a: [1] }, ['a', '1']],
  [{ a: [{ b: 1 }] }, { a: [{ b: 12 }] }, ['a', '0', 'b']],
  [{ a: {} }, { a: [] }, ['a']],
  ['1', 1, []],
])('finds what got lost: %j, then %j', (earlier, later, path) => {
  expect(findLoss(earlier, later)).toEqual(path)
})
