import { isToolName } from '@x/tool-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import { toLegalNames } from './legal-names.ts'

describe('names of described tools', () => {
  it('stay unchanged when they are valid, even if another name becomes equal', () => {
    expect(toLegalNames(['get.weather', 'get_weather', 'getPM2.5Level'])).toEqual([
      'get_weather_2',
      'get_weather',
      'getPM2_5Level',
    ])
  })

  it('get a number when they are taken, in any case, or are reserved by agents', () => {
    expect(toLegalNames(['find', 'Find', 'find'])).toEqual(['find', 'Find_2', 'find_3'])
    expect(toLegalNames(['submit', 'finish', 'search_tools'])).toEqual(['submit_2', 'finish_2', 'search_tools_2'])
  })

  it('never start with a digit, and have at most 64 characters including their number', () => {
    expect(toLegalNames(['3d model', 'Wetter für Köln', '天気'])).toEqual(['_3d_model', 'Wetter_f_r_K_ln', '_'])
    expect(toLegalNames(['a'.repeat(70), 'a'.repeat(80)])).toEqual(['a'.repeat(64), `${'a'.repeat(62)}_2`])
  })

  it('are valid, unique in more than case, and as many as the input, for any input', () => {
    const name = fc.oneof(fc.string({ unit: anyCharacter, minLength: 1 }), fc.stringMatching(/^[aA._2]{1,4}$/))
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const legal = toLegalNames(names)
        expect(legal).toHaveLength(names.length)
        expect(legal.every(isToolName)).toBe(true)
        expect(new Set(legal.map((one) => one.toLowerCase())).size).toBe(legal.length)
      }),
    )
  })
})
