import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../scripts/any-character.ts'
import { nearestNames } from './nearest-names.ts'

const names = ['get_weather', 'web_search', 'tavily_search', 'perplexity_search', 'perplexity', 'memory_store']

describe('nearestNames', () => {
  it('T1-12: finds a name despite a typo', () => {
    expect(nearestNames('perplexty', names)).toContain('perplexity')
  })

  it('T1-12: finds names that contain the word', () => {
    expect(nearestNames('search', names)).toEqual(['perplexity_search', 'tavily_search', 'web_search'])
  })

  it('puts the name that differs only in case and punctuation first', () => {
    expect(nearestNames('search', ['a_search', 'Search'])).toEqual(['Search', 'a_search'])
    expect(nearestNames('getWeather', names)[0]).toBe('get_weather')
  })

  it('counts swapped neighbours as one edit', () => {
    expect(nearestNames('tow', ['two', 'tools_of_war'])).toEqual(['two'])
  })

  it('returns nothing if no name is similar', () => {
    expect(nearestNames('launch_rocket', names)).toEqual([])
    expect(nearestNames('', names)).toEqual([])
    expect(nearestNames('anything', [])).toEqual([])
  })

  it('never throws, and returns each known name at most once, up to the limit', () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 20 }), fc.stringMatching(/^[a-z_]{0,12}$/))
    fc.assert(
      fc.property(text, fc.uniqueArray(text, { maxLength: 15 }), fc.nat(4), (wrong, known, limit) => {
        const found = nearestNames(wrong, known, limit)
        expect(found.length).toBeLessThanOrEqual(limit)
        expect(new Set(found).size).toBe(found.length)
        for (const name of found) expect(known).toContain(name)
      }),
    )
  })

  it('returns the same names, whatever their order', () => {
    const name = fc.stringMatching(/^[a-c_]{1,6}$/)
    fc.assert(
      fc.property(name, fc.uniqueArray(name, { maxLength: 30 }), (wrong, known) => {
        expect(nearestNames(wrong, known.toReversed())).toEqual(nearestNames(wrong, known))
      }),
    )
  })

  it('finds the nearest of ten thousand names in any order', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `some_service_number_${index}_does_a_thing_with_it`)
    const wrong = 'some_service_number_77_does_thing_with_itt'
    for (const names of [many, many.toReversed()]) {
      expect(nearestNames(wrong, names, 1)).toEqual(['some_service_number_77_does_a_thing_with_it'])
      expect(nearestNames('x'.repeat(100_000), names)).toEqual([])
    }
  })

  it('returns nothing for an invalid limit', () => {
    for (const limit of [0, -1, Number.NaN]) expect(nearestNames('search', names, limit)).toEqual([])
    expect(nearestNames('search', names, 1.5)).toEqual(['perplexity_search'])
  })

  it('returns the same as the slow algorithm for similar and for random names', () => {
    const alike = fc.stringMatching(/^[a-cA-C_1.]{0,12}$/)
    const long = fc
      .array(fc.constantFrom('get', 'weather', 'Report', '_', '-', 'x', '77'), { maxLength: 20 })
      .map((parts) => parts.join(''))
    const two = fc.stringMatching(/^[ab_]{0,90}$/)
    const any = fc.string({ unit: anyCharacter, maxLength: 40 })
    const name = fc.oneof(alike, long, two, any)
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 40 }), fc.nat(5), (wrong, known, limit) => {
        expect(nearestNames(wrong, known, limit)).toEqual(nearestSlowly(wrong, known, limit))
      }),
      { numRuns: process.env.X_FULL ? 2_000 : 400 },
    )
  })
})

/** Computes every distance completely, and sorts all names. */
function nearestSlowly(wrong: string, known: readonly string[], limit: number): readonly string[] {
  const target = spelt(wrong)
  const near = known.flatMap((name) => {
    const candidate = spelt(name)
    const [short, long] = [target, candidate].sort((a, b) => a.length - b.length) as [string, string]
    const isWord = short.length >= 4 && `_${long}_`.includes(`_${short}_`)
    const distance = isWord ? Number(target !== candidate) : fullDistance(target, candidate)
    return distance <= Math.max(1, Math.floor(long.length / 3)) ? [{ name, distance }] : []
  })
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : Number(a.name > b.name)))
  return near.slice(0, limit).map(({ name }) => name)
}

function spelt(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return words.replace(/[^a-z0-9]+/g, '_')
}

function fullDistance(a: string, b: string): number {
  const table: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => table[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row++) {
    table[row] = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(row - 1, column - 1) + Number(a[row - 1] !== b[column - 1])
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Infinity
      ;(table[row] as number[])[column] = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped)
    }
  }
  return at(a.length, b.length)
}
