import { describe, expect, it } from 'vitest'
import { readLiteral } from './bare-literal.ts'

describe('an unquoted literal', () => {
  it('stays unchanged if it is JSON, and is converted if it is Python', () => {
    expect(readLiteral(' [1, 2] ')).toBe('[1, 2]')
    expect(readLiteral("{'a': None}")).toBe('{"a":null}')
    expect(readLiteral('see {notes}')).toBeUndefined()
  })

  it('keeps all digits of a number', () => {
    expect(readLiteral("{'id': 12345678901234567890}")).toBe('{"id": 12345678901234567890}')
  })
})
