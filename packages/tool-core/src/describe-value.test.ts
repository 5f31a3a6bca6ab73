import { expect, it } from 'vitest'
import { describeValue } from './describe-value.ts'

it.each<[unknown, string]>([
  [undefined, 'undefined'],
  [null, 'null'],
  [-1.5, '-1.5'],
  ['a "b"', '"a \\"b\\""'],
  [['a', 3], '["a",3]'],
  ['x'.repeat(100), `"${'x'.repeat(58)}…`],
  [() => 1, 'a function'],
  [Promise.resolve(1), 'a promise. Await it first'],
])('shows %o', (value, text) => {
  expect(describeValue(value)).toBe(text)
})

it('shows objects without a JSON form, and never throws', () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  for (const value of [circular, { big: 1n }, proxy, { toJSON: () => undefined }]) expect(describeValue(value)).toBe('an object')
})
