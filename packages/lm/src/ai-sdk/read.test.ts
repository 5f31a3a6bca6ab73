import { expect, it } from 'vitest'
import { fieldAt, memberAt, parseJson, toJson } from './read.ts'

it('ignores inherited fields', () => {
  // If a key __proto__ is copied with assignment, its value becomes the prototype.
  const copied = Object.assign({}, JSON.parse('{"__proto__":{"type":"text"},"text":"Hi"}'))
  expect([fieldAt(copied, 'type'), fieldAt(copied, 'text'), fieldAt({}, 'constructor')]).toEqual([undefined, 'Hi', undefined])
})

it('reads a member of an instance on request', () => {
  const error = new DOMException('Enough.', 'AbortError')
  expect([memberAt(error, 'name'), fieldAt(error, 'name'), memberAt(null, 'name')]).toEqual(['AbortError', undefined, undefined])
})

it('rejects JSON that nests too deeply to be written again', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect([parseJson(nested(3)), parseJson(nested(100_000)), parseJson('[')]).toEqual([[[[]]], undefined, undefined])
})

it('writes JSON even for a value that has no JSON form', () => {
  const circular: unknown[] = []
  circular.push(circular)
  let deep: unknown = null
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  for (const value of [circular, deep, { large: 1n }]) expect(JSON.parse(toJson(value))).toBe('(cannot be written as JSON)')
})
