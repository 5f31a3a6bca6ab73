import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestNames } from './name.ts'

const names = ['get_weather', 'web_search', 'tavily_search', 'perplexity_search', 'perplexity', 'memory_store']

describe('nearestNames', () => {
  it('T1-12: finds a name despite a typo', () => {
    expect(nearestNames('perplexty', names)).toContain('perplexity')
  })

  it('T1-12: finds the names that hold the asked word', () => {
    expect(nearestNames('search', names)).toEqual(['perplexity_search', 'tavily_search', 'web_search'])
  })

  it('puts the name that differs only in case and punctuation first', () => {
    expect(nearestNames('search', ['a_search', 'Search'])).toEqual(['Search', 'a_search'])
    expect(nearestNames('getWeather', names)[0]).toBe('get_weather')
  })

  it('counts swapped neighbours as one edit', () => {
    expect(nearestNames('tow', ['two', 'tools_of_war'])).toEqual(['two'])
  })

  it('finds nothing when nothing is near', () => {
    expect(nearestNames('launch_rocket', names)).toEqual([])
    expect(nearestNames('', names)).toEqual([])
    expect(nearestNames('anything', [])).toEqual([])
  })

  it('never throws, gives known names only, at most as many as asked, and each once', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.stringMatching(/^[a-z_]{0,12}$/))
    fc.assert(
      fc.property(text, fc.uniqueArray(text, { maxLength: 15 }), fc.nat(4), (wrong, known, limit) => {
        const found = nearestNames(wrong, known, limit)
        expect(found.length).toBeLessThanOrEqual(limit)
        expect(new Set(found).size).toBe(found.length)
        for (const name of found) expect(known).toContain(name)
      }),
    )
  })

  it('is deterministic, whatever the order of the names', () => {
    const name = fc.stringMatching(/^[a-c_]{1,6}$/)
    fc.assert(
      fc.property(name, fc.uniqueArray(name, { maxLength: 30 }), (wrong, known) => {
        expect(nearestNames(wrong, known.toReversed())).toEqual(nearestNames(wrong, known))
      }),
    )
  })

  it('does not stop the world among ten thousand names', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `some_service_number_${index}_does_a_thing_with_it`)
    const started = performance.now()
    expect(nearestNames('some_service_number_77_does_thing_with_itt', many)[0]).toBe(
      'some_service_number_77_does_a_thing_with_it',
    )
    nearestNames('x'.repeat(100_000), many)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
