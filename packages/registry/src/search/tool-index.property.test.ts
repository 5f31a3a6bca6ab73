/** Property tests: after any changes, an index gives the same results as a new one with the same cards. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import type { ToolCard } from './card.ts'
import { createToolIndex } from './tool-index.ts'

const word = fc.constantFrom(
  'weather',
  'weathering',
  'report',
  'city',
  'cities',
  'send',
  'mail',
  '天气预报',
  'v2',
  'the',
  'Zürich',
)
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
const argument = fc.oneof(word, fc.record({ name: word, description: text, values: fc.array(word, { maxLength: 3 }) }))
const name = fc.constantFrom('get_weather', 'getCity', 'send.mail', 'a', 'b', 'weather_report_2', 'Tool')
const card: fc.Arbitrary<ToolCard> = fc.record(
  {
    name,
    description: text,
    category: word,
    tags: fc.array(word, { maxLength: 2 }),
    arguments: fc.array(argument, { maxLength: 3 }),
  },
  { requiredKeys: ['name'] },
)
const change = fc.oneof(fc.record({ add: card }), fc.record({ remove: name }), fc.record({ search: text }))

it('gives the same results after any changes as a new index of the remaining cards', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), text, (changes, query) => {
      const index = createToolIndex()
      const remaining = new Map<string, ToolCard>()
      for (const one of changes) {
        if ('add' in one) {
          index.add(one.add)
          remaining.set(one.add.name, one.add)
        } else if ('remove' in one) expect(index.remove(one.remove)).toBe(remaining.delete(one.remove))
        else index.search(one.search)
      }
      expect(index.size).toBe(remaining.size)
      const fresh = createToolIndex([...remaining.values()].reverse())
      expect(index.search(query)).toEqual(fresh.search(query))
    }),
    { numRuns: process.env.X_FULL ? 400 : 150 },
  )
})

it('never throws for a string, and returns scores above 0, best first', () => {
  const anyText = fc.oneof(text, fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme', maxLength: 300 }))
  fc.assert(
    fc.property(fc.array(card, { maxLength: 8 }), anyText, anyText, (cards, description, query) => {
      const index = createToolIndex([...cards, { name: 'own', description }])
      const scores = index.search(query).map(({ score }) => score)
      for (const score of scores) expect(Number.isFinite(score) && score > 0).toBe(true)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    }),
  )
})

it.each([
  '(',
  '[a',
  '\\',
  'a'.repeat(1_000_000),
  'aA'.repeat(500_000),
  'é'.repeat(300_000),
  '\ufdfa'.repeat(100_000),
  '\ud800',
  '__proto__ constructor',
])('reads a hostile text: %#', (query) =>
  expect(createToolIndex([{ name: 'a_b', description: query }]).search(query).length).toBeLessThanOrEqual(1),
)
