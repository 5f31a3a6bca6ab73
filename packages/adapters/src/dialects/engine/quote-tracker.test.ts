import { describe, expect, it } from 'vitest'
import { QuoteTracker } from './quote-tracker.ts'

/** Returns whether text after the given text is quoted. The text is pushed whole and one character at a time. */
function isOpenAfter(text: string): boolean {
  const whole = new QuoteTracker()
  whole.push(text)
  const cut = new QuoteTracker()
  for (let at = 0; at < text.length; at++) cut.push(text.charAt(at))
  expect(cut.isOpen(false)).toBe(whole.isOpen(false))
  return whole.isOpen(false)
}

describe('the following text is quoted', () => {
  it.each([
    ['in a code span', 'Write `'],
    ['further in a code span', 'Write `run '],
    ['in a span of two ticks', 'Write ``a ` '],
    ['between quotation marks', 'He wrote "'],
    ['further between them', 'He wrote "please run '],
    ['between curly ones', 'He wrote \u201cplease '],
    ['between German ones', 'Er schrieb \u201ebitte '],
    ['between French ones', 'Il dit \u00ab '],
    ['between Japanese ones', '\u5f7c\u306f\u300c'],
    ['behind a mark without a space, in Chinese', '\u5199"'],
    ['behind a single mark', "He wrote '"],
    ['on a quoted line', 'He wrote:\n> '],
    ['on an indented line behind an empty one', 'So:\n\n    '],
    ['on a line with a tab behind an empty one', 'So:\n \t\n\t'],
    ['behind words in indented code', 'So:\n\n    run '],
    ['on the second line of indented code', 'So:\n\n    one\n    '],
    ['behind an empty line in indented code', 'So:\n\n\tone\n\n\t'],
    ['where the text begins indented', '    '],
    ['on the second line of a text that begins indented', '    one\n    '],
    ['in indented code of a text that is indented', '\n    So:\n\n        '],
    ['where a text is not indented any more', '\n    So:\nso\n\n    '],
    ['in indented code behind a heading', '# So\n    '],
    ['in indented code behind an underlined heading', 'So\n---\n    '],
    ['in indented code behind a rule', '* * *\n    '],
    ['in indented code behind a fence', '```\nx\n```\n    '],
    ['in indented code in a list', '- a\n\n      '],
    ['in indented code that begins an item', '1.     '],
    ['in indented code behind a list', '- a\n\nb\n\n    '],
    ['on a quoted line in a list', '- > '],
    ['on a quoted line in a numbered list', '1. a\n2) > '],
    ['on a quoted line in a list in a list', '- a\n  * > '],
    ['behind words on a quoted line', '   > run '],
    ['behind an escaped tick', 'Write \\`a` '],
    ['further between curly single ones', 'Say \u2018use '],
    ['behind an apostrophe in a quotation', 'Say \u2018it\u2019s '],
    ['further between straight single ones', "Say 'don't "],
    ['between low single ones', 'Sag \u201a'],
    ['between Swedish ones', 'S\u00e4g \u201dett '],
    ['between Swedish single ones', 'S\u00e4g \u2019ett '],
    ['behind a quotation in a quotation', '\u201ca "b" '],
    ['behind a quotation of the same marks in one', '\u201ca \u201cb\u201d '],
    ['between single French ones', 'Il dit \u2039'],
    ['between wide ones', '\uff02'],
    ['between wide single ones', '\uff07a '],
    ['between half-wide Japanese ones', '\u5f7c\u306f\uff62'],
    ['between Japanese primes', '\u301da '],
  ])('%s', (_, text) => {
    expect(isOpenAfter(text)).toBe(true)
  })
})

describe("the following text isn't quoted", () => {
  it.each([
    ['behind a code span', 'Write `a` '],
    ['behind a quotation', 'He wrote "a"'],
    ['behind a curly one', 'He wrote \u201ca\u201d '],
    ['behind single marks', "He wrote 'done.'"],
    ['behind an apostrophe', "the users'"],
    ['behind inches', 'It is 5\'10" tall. '],
    ['on the next line', 'Write `a\nand "b\n'],
    ['behind a fence', '```\nx\n```'],
    ['on an indented line behind text', '- a\n    '],
    ['where the text is indented', '\n\n    '],
    ['behind words of a text that is indented', '\n    So:\n\n    run '],
    ['on an indented line that continues a paragraph', 'So:\n    one\n    '],
    ['in the paragraph of a list item', '1. a\n\n   b\n\n    '],
    ['in a list in a list', '- a\n\n    - b '],
    ['behind a number', '1986 '],
    ['behind a bullet', '- '],
    ['behind low single marks', 'Sag \u201aa\u2018 '],
    ['behind Swedish marks', 'S\u00e4g \u201da\u201d '],
    ['behind curly single marks', 'Say \u2018don\u2019t\u2019 '],
    ['behind a letter that looks like a mark', 'Hawai\u2018i '],
    ['behind a quotation in a quotation and its end', '\u201ca "b" c\u201d '],
    ['behind an arrow', 'a -> '],
    ['without any text', ''],
  ])('%s', (_, text) => {
    expect(isOpenAfter(text)).toBe(false)
  })
})

it('continues after white space that belongs to removed text', () => {
  const tracker = new QuoteTracker()
  tracker.push('Write "')
  tracker.skipSpace()
  tracker.push('\n')
  expect(tracker.isOpen(false)).toBe(true)
  tracker.push('\n" and\n')
  expect(tracker.isOpen(false)).toBe(false)
})

it('finds a quoted line after removed text', () => {
  const tracker = new QuoteTracker()
  tracker.push('So: ')
  tracker.skipSpace()
  tracker.push('\n\n    ')
  expect(tracker.isOpen(false)).toBe(false)
  tracker.push('\n> ')
  expect(tracker.isOpen(false)).toBe(true)
})

it('ignores indentation in a code fence', () => {
  const tracker = new QuoteTracker()
  tracker.push('```\n\n    ')
  expect([tracker.isOpen(true), tracker.isOpen(false)]).toEqual([false, true])
})

it('treats an indented line after a call as code if an empty line is between them', () => {
  const tracker = new QuoteTracker()
  tracker.push('So:\n')
  tracker.passCall()
  tracker.push('\n    ')
  expect(tracker.isOpen(false)).toBe(false)
  tracker.passCall()
  tracker.push('\n\n    ')
  expect(tracker.isOpen(false)).toBe(true)
})

it('finds a quoted line after a call whose reader consumed the line break', () => {
  const tracker = new QuoteTracker()
  tracker.push('So: ')
  tracker.passCall()
  tracker.push('> ')
  expect(tracker.isOpen(false)).toBe(true)
})
