import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import { wordsOf } from './words.ts'

describe('the words of a text', () => {
  it.each([
    ['getHTTPStatus_v2', ['http', 'status', 'v', '2']],
    ['weather.current-by.zipCode', ['weather', 'current', 'zip', 'code']],
    ['find_3D_model', ['find', '3', 'd', 'model']],
    ['Please tell me the WEATHER!', ['weather']],
    ['Café in Zürich', ['cafe', 'zurich']],
    ['ＷＥＡＴＨＥＲ', ['weather']],
    ['погода в Москве', ['погода', 'в', 'москве']],
    ['', []],
    ['?! \u200b …', []],
  ])('are read from %j', (text, words) => expect(wordsOf(text)).toEqual(words))

  it('are pairs of characters in scripts without spaces', () => {
    expect(wordsOf('天気予報')).toEqual(['天気', '気予', '予報'])
    expect(wordsOf('用API查天气')).toEqual(['用', 'api', '查天', '天气'])
    expect(wordsOf('날씨')).toEqual(['날씨'])
    expect(wordsOf('อากาศ').length).toBeGreaterThan(1)
  })

  it('come from both ends of a text that is too long', () => {
    const words = wordsOf(`alpha ${'filler '.repeat(100_000)} omega`)
    expect([words[0], words.at(-1)]).toEqual(['alpha', 'omega'])
    expect(words.length).toBeLessThan(2_000)
  })

  it('are truncated when they are too long', () => expect(wordsOf('a'.repeat(5_000))).toEqual(['a'.repeat(64)]))

  it('are the same for ASCII words in a text with other characters', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abTZ09_ .-'), maxLength: 30 })
    fc.assert(
      fc.property(text, (plain) => {
        expect(wordsOf(`${plain} zebra`)).toEqual(wordsOf(`${plain} zebra…`))
      }),
    )
  })

  it('are few and short for any text, even with broken characters', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    )
    fc.assert(
      fc.property(text, (any) => {
        for (const word of wordsOf(any)) expect(word).toMatch(/^[\p{L}\p{M}\p{N}]{1,128}$/u)
      }),
    )
  })
})
