import { describe, expect, it } from 'vitest'
import { fuseRanks } from './fusion.ts'

const names = (lists: readonly (readonly string[])[], k?: number) => fuseRanks(lists, k).map(({ name }) => name)

describe('fused ranks', () => {
  it('are the sum of one over k plus the rank, over all lists', () => {
    expect(fuseRanks([['a', 'b'], ['b']])).toEqual([
      { name: 'b', score: 1 / 62 + 1 / 61 },
      { name: 'a', score: 1 / 61 },
    ])
  })

  it('put a name in two lists before the first name of one list', () =>
    expect(
      names([
        ['a', 'both'],
        ['b', 'both'],
      ])[0],
    ).toBe('both'))

  it('depend on k, which decides how much the first ranks count', () => {
    const lists = [
      ['a', 'b', 'both'],
      ['c', 'd', 'both'],
    ]
    expect([names(lists, 0)[0], names(lists, 60)[0]]).toEqual(['a', 'both'])
  })

  it('are sorted by name if they are equal, in any order of the lists', () => {
    expect(names([['b'], ['a']])).toEqual(['a', 'b'])
    expect(names([['a'], ['b']])).toEqual(['a', 'b'])
  })

  it('count a repeated name in a list once, at its best rank', () => {
    expect(fuseRanks([['a', 'a', 'b']])).toEqual([
      { name: 'a', score: 1 / 61 },
      { name: 'b', score: 1 / 62 },
    ])
  })

  it('are empty for empty lists', () => expect([names([]), names([[]])]).toEqual([[], []]))

  it.each([-1, Number.NaN, Infinity])('refuse k = %s', (k) => expect(() => fuseRanks([['a']], k)).toThrow(`got ${k}`))
})
