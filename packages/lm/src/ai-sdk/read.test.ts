import { expect, it } from 'vitest'
import { fieldAt, memberAt, parseJson } from './read.ts'

it('ignores inherited fields', () => {
  // Copied with assignment, a key __proto__ becomes the prototype.
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
