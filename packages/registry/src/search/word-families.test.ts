import { describe, expect, it } from 'vitest'
import { stemOf } from './stem.ts'
import { createToolIndex } from './tool-index.ts'
import { FAMILY_COUNT, familiesOf } from './word-families.ts'

const find = (query: string, ...cards: readonly [name: string, description: string][]) =>
  createToolIndex(cards.map(([name, description]) => ({ name, description })))
    .search(query)
    .map(({ name }) => name)

describe('the families of a word', () => {
  it.each([
    ['buying', 'purchases'],
    ['jobs', 'career'],
    ['films', 'movie'],
  ])('are shared by %s and %s, in any form', (one, other) => {
    const [first, second] = [familiesOf(stemOf(one)), familiesOf(stemOf(other))]
    expect(first.some((number) => second.includes(number))).toBe(true)
  })

  it('are empty for a word in no family, even if it is the name of an inherited property', () => {
    for (const stem of ['', 'zebra', '__proto__', 'constructor']) expect(familiesOf(stem)).toEqual([])
  })

  it('have numbers from 0, and are few for each word', () => {
    for (const word of ['art', 'order', 'travel', 'rate', 'game']) {
      const numbers = familiesOf(stemOf(word))
      expect(new Set(numbers).size).toBe(numbers.length)
      expect(numbers.length).toBeLessThan(6)
      for (const number of numbers) expect(number >= 0 && number < FAMILY_COUNT).toBe(true)
    }
  })
})

describe('a search by families', () => {
  it('finds a tool that uses another word for the same thing', () =>
    expect(find('where can I purchase a sofa', ['shop', 'Shopping for the living room.'], ['chess', 'Plays a match.'])).toEqual([
      'shop',
    ]))

  it('ranks the word itself before a word of its family', () =>
    expect(find('film', ['a', 'Finds a movie.'], ['b', 'Finds a film.'])).toEqual(['b', 'a']))

  it('no longer finds words of a tool that was removed', () => {
    const index = createToolIndex([{ name: 'cinema', description: 'A movie.' }, { name: 'other' }])
    expect(index.search('films').map(({ name }) => name)).toEqual(['cinema'])
    index.remove('cinema')
    expect(index.search('films')).toEqual([])
  })
})
