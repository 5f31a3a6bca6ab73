import fc from 'fast-check'
import { expect, it } from 'vitest'
import { repeatedKeys } from './repeated-keys.ts'

it.each([
  ['{"a": 1, "b": 2, "a": 3}', ['a']],
  ['{"a": {"x": 1, "x": 2}, "b": {"x": "{\\"a\\": 1}, \\"a\\": "}}', []],
  ['{"a": 1, "\\u0061": 2}', ['a']],
  ["{'a': 'b: c', 'a': 2}", ['a']],
  ['{a: 1, a: 2}', ['a']],
  ['{"a": 1}{"a": 1}', []],
  ['{"a": "a", "b": "a"}', []],
])('finds duplicate keys: %s', (text, keys) => {
  expect([...repeatedKeys(text)]).toEqual(keys)
})

it('finds none in the output of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(repeatedKeys(text).size).toBe(0)
    }),
  )
})

it('finds one duplicate key among any others', () => {
  const entries = fc.uniqueArray(fc.tuple(fc.string(), fc.json()), { selector: ([key]) => key, minLength: 1 })
  fc.assert(
    fc.property(entries, (members) => {
      const [first] = members[0] as [string, string]
      const all = [...members, [first, '{}']].map(([key, value]) => `${JSON.stringify(key)}: ${value}`)
      expect([...repeatedKeys(`{${all.join(', ')}}`)]).toEqual([first])
    }),
  )
})
