import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { journalPaths } from '../../test/file/journal/folder.ts'
import { fileJournal } from '../file/journal/file-journal.ts'
import { toJsonText } from './json-text.ts'

const newPath = journalPaths()
const circle: { self?: unknown } = {}
circle.self = circle
class Point {
  readonly x = 1
}

describe('a recorded value', () => {
  it('is restored unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(JSON.parse(toJsonText(value, 'It') as string)).toStrictEqual(value)
      }),
    )
  })

  it('may contain a negative zero', () => {
    const value = { '-0': [-0, 0, '-0', { a: -0 }], b: -0.5 }
    expect(toJsonText(value, 'It')).toBe('{"-0":[-0,0,"-0",{"a":-0}],"b":-0.5}')
    expect(toJsonText(-0, 'It')).toBe('-0')
  })

  it('may have undefined properties', () => {
    expect(toJsonText({ a: undefined, b: 1 }, 'It')).toBe('{"b":1}')
  })

  it('may be an array with other properties, such as the match of a regular expression', () => {
    expect(toJsonText('abc'.match(/b/), 'It')).toBe('["b"]')
    expect(toJsonText([Object.assign([-0], { at: new Date(0) })], 'It')).toBe('[[-0]]')
    expect(() => toJsonText(Object.assign([undefined], { at: 1 }), 'It')).toThrow('"0" is of type undefined')
  })

  it('may have properties named like inherited ones', () => {
    const value = JSON.parse('{"__proto__":1,"constructor":"a","toString":null}')
    expect(toJsonText(value, 'It')).toBe('{"__proto__":1,"constructor":"a","toString":null}')
    expect(toJsonText(Object.assign(Object.create(null), { a: 1 }), 'It')).toBe('{"a":1}')
  })

  it.each([
    [{ at: [{ when: new Date(0) }] }, 'its value at "at.0.when" is an instance of Date'],
    [new Map(), 'it is an instance of Map'],
    [{ point: new Point() }, 'its value at "point" is an instance of Point'],
    [[1, Number.NaN], 'its value at "1" is the number NaN'],
    [Number.NEGATIVE_INFINITY, 'it is the number -Infinity'],
    [[undefined], 'its value at "0" is of type undefined'],
    [new Array(2), 'it is a sparse array'],
    [{ toJSON: () => 1 }, 'its value at "toJSON" is of type function'],
    [{ a: Symbol('a') }, 'its value at "a" is of type symbol'],
    [() => 1, 'it is of type function'],
    [1n, 'Do not know how to serialize a BigInt'],
    [circle, 'Converting circular structure to JSON'],
  ])('must not be %o', (value, words) => {
    expect(() => toJsonText(value, 'It')).toThrow(`It cannot be recorded: ${words}`)
  })

  it('must not be too deep', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(() => toJsonText(deep, 'It')).toThrow('It cannot be recorded: Maximum call stack size exceeded')
  })

  it('is refused with an error of the step that leaves the journal unchanged', async () => {
    await using journal = await fileJournal(newPath())
    await expect(journal.run('model-1', async () => ({ at: new Date(0) }))).rejects.toMatchObject({
      code: 'invalid_value',
      message:
        'The result of the step "model-1" cannot be recorded: its value at "at" is an instance of Date. Use plain JSON data.',
    })
    expect(await journal.run('model-1', async () => 'plain')).toBe('plain')
  })
})
