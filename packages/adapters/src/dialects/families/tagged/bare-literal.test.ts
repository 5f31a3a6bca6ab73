import { describe, expect, it } from 'vitest'
import { readLiteral } from './bare-literal.ts'

describe('a bare literal', () => {
  it('is JSON as it stands, or the JSON of what Python writes', () => {
    expect(readLiteral(' [1, 2] ')).toBe('[1, 2]')
    expect(readLiteral("{'a': None}")).toBe('{"a":null}')
    expect(readLiteral('see {notes}')).toBeUndefined()
  })

  it('keeps all digits of a number', () => {
    expect(readLiteral("{'id': 12345678901234567890}")).toBe('{"id": 12345678901234567890}')
  })
})
