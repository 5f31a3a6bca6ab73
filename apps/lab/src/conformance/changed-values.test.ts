/** Tests which changes of expected values are made, and which of them are reported. */
import { describe, expect, it } from 'vitest'
import { type ChangeableCase, type ChangeableSuite, changeValues, type NotCompared } from './changed-values.ts'
import { isSameJson } from './compare.ts'
import { changesOf } from './value-changes.ts'

const expected = {
  text: 'Oslo',
  calls: [
    { name: 'find', arguments: { days: 3 } },
    { name: 'book', arguments: {} },
  ],
}

/** Creates a case that fails if one of the keys differs from the actual value. */
function createCase(
  id: string,
  compared: readonly string[],
  found: Readonly<Record<string, unknown>> = expected,
): ChangeableCase {
  return { id, expected, fails: (changed) => compared.some((key) => !isSameJson(changed[key], found[key])) }
}

function createSuite(cases: readonly ChangeableCase[], notCompared: readonly NotCompared[] = []): ChangeableSuite {
  return { name: 'one', read: () => cases, exact: /\/arguments$/, notCompared }
}

const options = { cases: 10, seed: 1 }

describe('a sample', () => {
  it('reports nothing for a comparator that compares everything', async () => {
    const report = await changeValues(createSuite([createCase('right', ['text', 'calls'])]), options)
    expect(report).toEqual({ cases: 1, changed: 18, notCompared: {}, unnoticed: [] })
  })

  it('reports each change that a comparator does not notice, by the id of the case', async () => {
    const { unnoticed } = await changeValues(
      createSuite([createCase('loose', ['calls']), createCase('right', ['text', 'calls'])]),
      options,
    )
    expect(unnoticed).toEqual([
      { id: 'loose', change: 'another value /text' },
      { id: 'loose', change: 'null /text' },
    ])
  })

  it('skips cases that already fail', async () => {
    const failing = createCase('failing', ['text'], { text: 'Bergen' })
    expect(await changeValues(createSuite([failing]), options)).toMatchObject({ cases: 0, changed: 0 })
  })

  it('counts values that are listed as not compared', async () => {
    const listed = {
      what: 'the text',
      reason: 'A note.',
      covers: ({ path }: { readonly path: string }) => path === '/text',
    }
    const report = await changeValues(createSuite([createCase('loose', ['calls'])], [listed]), options)
    expect(report).toMatchObject({ changed: 16, notCompared: { 'the text': 2 }, unnoticed: [] })
  })

  it('is the same for the same seed', async () => {
    const cases = Array.from({ length: 20 }, (_, index) => createCase(`case ${index}`, ['calls']))
    const sample = async (seed: number) => {
      const { unnoticed } = await changeValues(createSuite(cases), { cases: 4, seed })
      return unnoticed.map(({ id }) => id)
    }
    expect(new Set(await sample(1)).size).toBe(4)
    expect(await sample(1)).toEqual(await sample(1))
    expect(await sample(1)).not.toEqual(await sample(2))
  })
})

describe('a change', () => {
  const changes = (value: unknown, rules = {}) =>
    [...changesOf({ value }, { others: {}, ...rules })].map(({ kind, path, expected: whole }) => [kind, path, whole.value])

  it('replaces and removes a value', () => {
    expect(changes(3)).toEqual([
      ['another value', '/value', 4],
      ['null', '/value', null],
    ])
    expect(changes(1e300)[0]).toEqual(['another value', '/value', 5e299])
    expect(changes('')).toEqual([['another value', '/value', '~']])
    expect(changes(null)).toEqual([['another value', '/value', '~']])
  })

  it('lengthens, shortens and reverses a list, and changes each item', () => {
    expect(changes(['a', 'b']).map(([kind, path, value]) => `${kind} ${path} ${JSON.stringify(value)}`)).toEqual([
      'another item /value ["a","b","a~"]',
      'an item less /value ["b"]',
      'another order /value ["b","a"]',
      'another value /value/0 ["a~","b"]',
      'null /value/0 [null,"b"]',
      'another value /value/1 ["a","b~"]',
      'null /value/1 ["a",null]',
    ])
  })

  it('adds and removes keys of exact objects only', () => {
    const kinds = (rules: object) => changes({ 'a/b': true }, rules).map(([kind, path]) => `${kind} ${path}`)
    const inner = ['another value /value/a~1b', 'null /value/a~1b']
    expect(kinds({})).toEqual(['null /value', ...inner])
    expect(kinds({ exact: /^\/value$/ })).toEqual(['null /value', 'another key /value', 'a key less /value', ...inner])
  })

  it('changes a value as a whole, or to the given values', () => {
    expect(changes([1, ['a']], { whole: /^\/value$/ })).toEqual([['another value', '/value', [2, ['a~']]]])
    expect(changes('must', { others: { '/value': ['reject'] } })).toEqual([['another value', '/value', 'reject']])
  })
})
