import { describe, expect, it } from 'vitest'
import { fuseRanks } from './fusion.ts'

const names = (lists: readonly (readonly string[])[], k?: number) => fuseRanks(lists, k).map(({ name }) => name)

describe('fused ranks', () => {
  it('score one over k and the place, summed over the lists', () => {
    expect(fuseRanks([['a', 'b'], ['b']])).toEqual([
      { name: 'b', score: 1 / 62 + 1 / 61 },
      { name: 'a', score: 1 / 61 },
    ])
  })

  it('put what two lists know before what one has first', () =>
    expect(
      names([
        ['a', 'both'],
        ['b', 'both'],
      ])[0],
    ).toBe('both'))

  it('let k decide how much the first places count', () => {
    const lists = [
      ['a', 'b', 'both'],
      ['c', 'd', 'both'],
    ]
    expect([names(lists, 0)[0], names(lists, 60)[0]]).toEqual(['a', 'both'])
  })

  it('go by name when they are equal, whatever the order of the lists', () => {
    expect(names([['b'], ['a']])).toEqual(['a', 'b'])
    expect(names([['a'], ['b']])).toEqual(['a', 'b'])
  })

  it('count a name that a list repeats once, at its best place', () => {
    expect(fuseRanks([['a', 'a', 'b']])).toEqual([
      { name: 'a', score: 1 / 61 },
      { name: 'b', score: 1 / 62 },
    ])
  })

  it('are none of no list', () => expect([names([]), names([[]])]).toEqual([[], []]))

  it.each([-1, Number.NaN, Infinity])('refuse k = %s', (k) => expect(() => fuseRanks([['a']], k)).toThrow(`got ${k}`))
})
