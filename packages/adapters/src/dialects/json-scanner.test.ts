import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSpace, JsonScanner, partsOf, readString } from './json-scanner.ts'

/** How far the scanner reads, and what it says there. */
function scan(text: string): [number, string] {
  const scanner = new JsonScanner()
  for (let index = 0; index < text.length; index++) {
    const outcome = scanner.push(text[index] as string)
    if (outcome !== 'open') return [index, outcome]
  }
  return [text.length, 'open']
}

describe('JsonScanner', () => {
  it('closes at the last bracket of the first value', () => {
    expect(scan(' {"a":[1,{}]} {"b":2}')).toEqual([12, 'closed'])
  })

  it('takes brackets, quotes and markers in strings for text', () => {
    const text = '{"a":"}]</tool_call>\\"}"}'
    expect(scan(text)).toEqual([text.length - 1, 'closed'])
  })

  it('breaks where no array or object can begin, and at a marker outside a string', () => {
    for (const text of ['x', '"a"', '5', ']', '}']) expect(scan(text)).toEqual([0, 'broken'])
    expect(scan('{"a": <')).toEqual([6, 'broken'])
  })

  it('stays open as long as the value does', () => {
    expect(scan('{"a":"x\\')[1]).toBe('open')
    expect(scan('['.repeat(100_000))[1]).toBe('open')
  })

  it('closes any JSON object at its end and not before', () => {
    fc.assert(
      fc.property(fc.object(), (value) => {
        const text = JSON.stringify(value)
        expect(scan(text)).toEqual([text.length - 1, 'closed'])
      }),
    )
  })
})

describe('partsOf', () => {
  it('gives the members of an object as texts', () => {
    expect(partsOf('{ "a" : {"b":[1,2]} , "c":"x,}" }')).toEqual([
      { key: 'a', text: '{"b":[1,2]}' },
      { key: 'c', text: '"x,}"' },
    ])
  })

  it('gives the elements of an array as texts', () => {
    expect(partsOf('[{"a":1}, [2,3] , "x]"]').map(({ text }) => text)).toEqual(['{"a":1}', '[2,3]', '"x]"'])
  })

  it('is empty for empty values, and leaves out what has no name', () => {
    expect(partsOf('{}')).toEqual([])
    expect(partsOf('[ ]')).toEqual([])
    expect(partsOf('{1:2, "a":3,}')).toEqual([{ key: 'a', text: '3' }])
  })

  it('cuts any JSON object into the texts of its members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const expected = Object.entries(JSON.parse(JSON.stringify(value)) as object)
        const parts = partsOf(JSON.stringify(value))
        expect(parts.map(({ key, text }) => [key, JSON.parse(text)])).toEqual(expected)
      }),
    )
  })
})

describe('readString', () => {
  it('reads a JSON string and nothing else', () => {
    expect(readString(' "a\\n" ')).toBe('a\n')
    for (const text of ['', 'a', '5', '{}', "'a'", '"a']) expect(readString(text)).toBeUndefined()
  })
})

describe('isSpace', () => {
  it('knows the four of JSON', () => {
    expect([' ', '\n', '\r', '\t'].every(isSpace)).toBe(true)
    expect(['\u00a0', '\ufeff', 'a', ''].some(isSpace)).toBe(false)
  })
})
