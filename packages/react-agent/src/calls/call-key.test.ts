import { expect, it } from 'vitest'
import { callKey } from './call-key.ts'

const keyOf = (text: string) => callKey({ name: 'look', arguments: text })

it('compares a member `__proto__` like any other', () => {
  expect(keyOf('{"__proto__":{"a":1},"b":2}')).toBe(keyOf('{ "b": 2, "__proto__": { "a": 1 } }'))
  expect(keyOf('{"__proto__":{"a":1}}')).not.toBe(keyOf('{"__proto__":{"a":2}}'))
  expect(keyOf('{"__proto__":{"a":1}}')).not.toBe(keyOf('{}'))
})

it('keeps the order of a list', () => {
  expect(keyOf('{"a":[1,2]}')).not.toBe(keyOf('{"a":[2,1]}'))
})

it.each([
  ['a number without end', '1e400', '2e400', false],
  ['a long number', '12345678901234567890', '12345678901234567891', false],
  ['another spelling', '1.0', '1', true],
])('compares numbers of 1 MB of arguments: %s', (_, one, other, isSame) => {
  const text = JSON.stringify('a"b\\c 12345678901234567 1e5 '.repeat(40_000))
  expect(keyOf(`{"a":${one},"text":${text}}`) === keyOf(`{ "text": ${text}, "a": ${other} }`)).toBe(isSame)
})

it.each([
  ['an open string', `{"a":"${'\\"'.repeat(500_000)}`],
  ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('compares what cannot be parsed as text: %s', (_, text) => {
  expect(keyOf(text)).toBe(`look ${text}`)
})
