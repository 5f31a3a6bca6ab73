import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLinear } from '../../../tool-core/test/growth.ts'
import { findHiddenCharacters, revealHiddenCharacters } from './hidden-characters.ts'

const TAGGED = [...'ignore'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
const ENGLAND = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'
const UNITS = [
  ...'a1 .👩🏽🏴م\u200C\u200Dक\u200E\u200Fאน\u200B葛\u{E0100}\uFE0F\u20E3\u202E\u00A0\u2009\u{E0067}\uE000ᠬ\u180B',
  ENGLAND,
]

describe('findHiddenCharacters', () => {
  it.each([
    ['zero_width', '\u200B', 'U+200B'],
    ['zero_width', '\u200C', 'U+200C'],
    ['zero_width', '\u200D', 'U+200D'],
    ['zero_width', '\u2060', 'U+2060'],
    ['zero_width', '\uFEFF', 'U+FEFF'],
    ['zero_width', '\u00AD', 'U+00AD'],
    ['bidi', '\u202E', 'U+202E'],
    ['bidi', '\u2066', 'U+2066'],
    ['bidi', '\u200F', 'U+200F'],
    ['tag', '\u{E0041}', 'U+E0041'],
    ['variation_selector', '\uFE0F', 'U+FE0F'],
    ['variation_selector', '\u{E0100}', 'U+E0100'],
    ['control', '\u0000', 'U+0000'],
    ['control', '\u001B', 'U+001B'],
    ['control', '\u0085', 'U+0085'],
    ['separator', '\u2028', 'U+2028'],
    ['private_use', '\uE000', 'U+E000'],
    ['private_use', '\u{10FFFD}', 'U+10FFFD'],
    ['invisible', '\u3164', 'U+3164'],
    ['invisible', '\u034F', 'U+034F'],
    ['invisible', '\u2062', 'U+2062'],
    ['invisible', '\uFFF9', 'U+FFF9'],
    ['invisible', '\u2800', 'U+2800'],
    ['invisible', '\u{13430}', 'U+13430'],
    ['invisible', '\u{1D159}', 'U+1D159'],
  ])('finds %s between letters: %o', (kind, character, codePoint) => {
    expect(findHiddenCharacters(`read${character}file`)).toEqual([{ codePoint, index: 4, kind }])
  })

  it.each([
    ['plain text, tabs and line breaks', 'a\tb\r\nc \u00A0 d\u3000é 日本語'],
    ['a joined emoji', '👩‍🚀 👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 🏴‍☠️ ❤️‍🔥'],
    ['emoji and text form', '✔️ ☎︎ ©️ ↩︎'],
    ['a keycap', '1️⃣ #️⃣'],
    ['flags of regions', `🇨🇭 ${ENGLAND}`],
    ['Persian with a joiner that parts', 'می‌خواهم'],
    ['Hindi and Nepali', 'क्‍ष गर्‍यो क्‌ष'],
    ['Sinhala', 'ශ්‍රී ලංකා'],
    ['Malayalam at the end of a word', 'ന്‍'],
    ['Arabic with vowels', 'بِ‌س'],
    ['Khmer words', 'ខ្ញុំ​ស្រឡាញ់'],
    ['Thai words', 'ภาษา​ไทย'],
    ['Hebrew with a direction mark', 'שפת C++‎, עברית (א)‏.'],
    ['a Japanese name', '葛\u{E0100}城'],
    ['French', 'Il a dit\u00A0: «\u00A0Oui\u202F!\u00A0» Prix\u202F: 12\u202F345,67\u00A0€\u00A0; 100\u202F%\u00A0?'],
    ['a Chinese paragraph', '\u3000\u3000第一段。\u3000\u3000第二段。'],
    ['numbers and quotations with thin spaces', '1\u2009000\u2009km “\u200A‘Yes.’\u200A”'],
    ['words in Braille', '⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙'],
    ['hieroglyphs in a square', '\u{13000}\u{13430}\u{13001}'],
    ['Mongolian', 'ᠬᠠᠷ\u180Eᠠ ᠭ\u180B'],
  ])('finds nothing in %s', (_, text) => {
    expect(findHiddenCharacters(text)).toEqual([])
  })

  it.each([
    ['text in tags', `Search.${TAGGED}`, 'tag', 6],
    ['text in tags after a black flag', `🏴${TAGGED}`, 'tag', 6],
    ['a region without a recommended flag', '🏴\u{E0075}\u{E0073}\u{E007F}', 'tag', 3],
    ['an English flag and more', `${ENGLAND}${TAGGED}`, 'tag', 6],
    ['bytes in selectors after an emoji', '😀\u{E0110}\u{E0120}', 'variation_selector', 2],
    ['a second selector after an emoji', '✔️\uFE0E', 'variation_selector', 1],
    ['a second selector after an ideograph', '葛\u{E0100}\u{E0101}', 'variation_selector', 1],
    ['a selector after a digit without a keycap', '1\uFE0F', 'variation_selector', 1],
    ['a joiner in Latin, also beside Arabic', 'a\u200Cم', 'zero_width', 1],
    ['a second joiner in Persian', 'می\u200C\u200Cخ', 'zero_width', 2],
    ['a joiner after an emoji and before a word', '🚀\u200Dgo', 'zero_width', 1],
    ['a row of direction marks', 'א\u200E\u200F\u200Eא', 'bidi', 1],
    ['an override in Hebrew', 'א\u202Eב', 'bidi', 1],
    ['a row of no-break spaces', 'a\u00A0\u00A0\u00A0b', 'invisible', 2],
    ['a row of spaces of different widths', 'a\u2009 \u00A0\u202F  \u2003b', 'invisible', 3],
    ['a row of Braille patterns without dots', '⠓\u2800\u2800\u2800⠓', 'invisible', 1],
    ['a space without width in Persian', 'می\u200Bخ', 'zero_width', 1],
  ])('is not misled by %s', (_, text, kind, count) => {
    const found = findHiddenCharacters(text)
    expect(found.map((hidden) => hidden.kind)).toEqual(Array(count).fill(kind))
  })

  it('stops after ten characters, and counts in code units', () => {
    const found = findHiddenCharacters(`😀${'\u200B'.repeat(1_000_000)}`)
    expect(found.map(({ index }) => index)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('reads a long text in linear time', () => {
    const textOf = (count: number) => `${'👩🏽‍🚀می‌خ🏴'.repeat(count)}\u200B`
    expect(isLinear((count) => findHiddenCharacters(textOf(count)), 50)).toBe(true)
    const long = textOf(10_000)
    expect(findHiddenCharacters(long)).toEqual([{ codePoint: 'U+200B', index: long.length - 1, kind: 'zero_width' }])
  })

  it.each([' ', '\u00A0', '\u00A0 ', '      \u00A0a', '\u2800', '🏴\u{E0067}'])('reads many %j in linear time', (unit) => {
    expect(isLinear((count) => revealHiddenCharacters(unit.repeat(count)), 500)).toBe(true)
  })

  it('does not treat a selector as a letter that a joiner could join', () => {
    expect(findHiddenCharacters('\u180B\u200D').map(({ codePoint }) => codePoint)).toEqual(['U+180B', 'U+200D'])
  })

  it('finds nothing in a text that was revealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 40 }), (text) => {
        const revealed = revealHiddenCharacters(text)
        expect(findHiddenCharacters(revealed)).toEqual([])
        if (findHiddenCharacters(text).length === 0) expect(revealed).toBe(text)
      }),
    )
  })
})
