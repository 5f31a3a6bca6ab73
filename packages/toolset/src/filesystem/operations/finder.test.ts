import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { finderOf } from './finder.ts'

describe('a finder', () => {
  it('finds the same as indexOf', () => {
    // With only a few different characters, partial matches are frequent.
    const text = fc.array(fc.constantFrom('a', 'b', '\u0400', '\ud83d\ude00'), { maxLength: 200 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, fc.nat(100), fc.nat(100), (one, other, start, length) => {
        const searched = one + other + one
        const part = searched.slice(start, start + length)
        for (const needle of [part, other, `${part}b`, `b${part}`])
          expect(finderOf(needle)(searched)).toBe(searched.indexOf(needle))
      }),
    )
  })

  it.each([
    ['a', 'a'.repeat(500) + 'b'.repeat(1) + 'a'.repeat(499)],
    ['ab', `bb${'ab'.repeat(499)}`],
    ['a', `b${'a'.repeat(999)}`],
  ])('visits each character of a text of %j only a few times, however long the needle', (unit, needle) => {
    const text = unit.repeat(20_000)
    const find = finderOf(needle)
    const reads = vi.spyOn(String.prototype, 'charCodeAt')
    const indexOf = vi.spyOn(String.prototype, 'indexOf')
    onTestFinished(() => void vi.restoreAllMocks())
    const found = find(text)
    const [count, others] = [reads.mock.calls.length, indexOf.mock.calls.length]
    vi.restoreAllMocks()
    expect(found).toBe(-1)
    expect(others).toBe(0)
    // Each step matches one character of the text, or drops it once: at most two steps for each character.
    expect(count).toBeLessThanOrEqual(5 * text.length)
  })
})
