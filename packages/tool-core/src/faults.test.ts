import { expect, it } from 'vitest'
import { findFault, MAX_DEPTH } from './faults.ts'

it('reports each number beyond the safe integers, wherever it is', () => {
  const count = (value: unknown) => {
    let numbers = 0
    const fault = findFault(value, MAX_DEPTH, undefined, () => numbers++)
    return fault?.code ?? numbers
  }
  const most = Number.MAX_SAFE_INTEGER
  expect(count({ a: most, b: [-most, 0.5, '9007199254740992', null] })).toBe(0)
  expect(count({ a: most + 1, b: [-most - 1, { c: [[1e300]] }], d: Number.POSITIVE_INFINITY })).toBe(4)
  expect(count(most + 1)).toBe(1)
})
