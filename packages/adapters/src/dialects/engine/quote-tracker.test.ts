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
    ['after words in a code span', 'Write `run '],
    ['in a code span of two backticks', 'Write ``a ` '],
    ['after a quotation mark', 'He wrote "'],
    ['after words between quotation marks', 'He wrote "please run '],
    ['between curly quotation marks', 'He wrote \u201cplease '],
    ['between German quotation marks', 'Er schrieb \u201ebitte '],
    ['between French quotation marks', 'Il dit \u00ab '],
    ['between Japanese quotation marks', '\u5f7c\u306f\u300c'],
    ['after a quotation mark without a space, in Chinese', '\u5199"'],
    ['after a single quotation mark', "He wrote '"],
    ['on a quoted line', 'He wrote:\n> '],
    ['on an indented line after an empty line', 'So:\n\n    '],
    ['on a line with a tab after an empty line', 'So:\n \t\n\t'],
    ['after words in indented code', 'So:\n\n    run '],
    ['on the second line of indented code', 'So:\n\n    one\n    '],
    ['after an empty line in indented code', 'So:\n\n\tone\n\n\t'],
    ['at the start of an indented text', '    '],
    ['on the second line of an indented text', '    one\n    '],
    ['in indented code of an indented text', '\n    So:\n\n        '],
    ['in indented code after a line that is not indented', '\n    So:\nso\n\n    '],
    ['in indented code after a heading', '# So\n    '],
    ['in indented code after an underlined heading', 'So\n---\n    '],
    ['in indented code after a horizontal rule', '* * *\n    '],
    ['in indented code after a fence', '```\nx\n```\n    '],
    ['in indented code in a list', '- a\n\n      '],
    ['in indented code at the start of a list item', '1.     '],
    ['in indented code after a list', '- a\n\nb\n\n    '],
    ['on a quoted line in a list', '- > '],
    ['on a quoted line in a numbered list', '1. a\n2) > '],
    ['on a quoted line in a nested list', '- a\n  * > '],
    ['after words on a quoted line', '   > run '],
    ['after an escaped backtick', 'Write \\`a` '],
    ['after words between curly single quotation marks', 'Say \u2018use '],
    ['after an apostrophe in a quotation', 'Say \u2018it\u2019s '],
    ['after words between straight single quotation marks', "Say 'don't "],
    ['between low single quotation marks', 'Sag \u201a'],
    ['between Swedish quotation marks', 'S\u00e4g \u201dett '],
    ['between Swedish single quotation marks', 'S\u00e4g \u2019ett '],
    ['after a quotation inside a quotation', '\u201ca "b" '],
    ['after a quotation inside a quotation with the same marks', '\u201ca \u201cb\u201d '],
    ['between single French quotation marks', 'Il dit \u2039'],
    ['between full-width quotation marks', '\uff02'],
    ['between full-width single quotation marks', '\uff07a '],
    ['between half-width Japanese quotation marks', '\u5f7c\u306f\uff62'],
    ['between Japanese prime marks', '\u301da '],
  ])('%s', (_, text) => {
    expect(isOpenAfter(text)).toBe(true)
  })
})

describe("the following text isn't quoted", () => {
  it.each([
    ['after a code span', 'Write `a` '],
    ['after a quotation', 'He wrote "a"'],
    ['after a quotation in curly marks', 'He wrote \u201ca\u201d '],
    ['after a quotation in single marks', "He wrote 'done.'"],
    ['after an apostrophe', "the users'"],
    ['after inches', 'It is 5\'10" tall. '],
    ['on the next line', 'Write `a\nand "b\n'],
    ['after a fence', '```\nx\n```'],
    ['on an indented line after a list item', '- a\n    '],
    ['at the start of an indented text after empty lines', '\n\n    '],
    ['after words of an indented text', '\n    So:\n\n    run '],
    ['on an indented line that continues a paragraph', 'So:\n    one\n    '],
    ['in the paragraph of a list item', '1. a\n\n   b\n\n    '],
    ['in a nested list', '- a\n\n    - b '],
    ['after a number', '1986 '],
    ['after a bullet', '- '],
    ['after a quotation in low single marks', 'Sag \u201aa\u2018 '],
    ['after a quotation in Swedish marks', 'S\u00e4g \u201da\u201d '],
    ['after a quotation in curly single marks', 'Say \u2018don\u2019t\u2019 '],
    ['after a letter that looks like a quotation mark', 'Hawai\u2018i '],
    ['after the end of a quotation that contains another one', '\u201ca "b" c\u201d '],
    ['after an arrow', 'a -> '],
    ['at the start of the text', ''],
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
