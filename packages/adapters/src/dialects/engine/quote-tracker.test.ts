import { describe, expect, it } from 'vitest'
import { QuoteTracker } from './quote-tracker.ts'

/** Whether what comes behind the text is quoted; the text comes whole and one unit at a time. */
function isOpenAfter(text: string): boolean {
  const whole = new QuoteTracker()
  whole.push(text)
  const cut = new QuoteTracker()
  for (let at = 0; at < text.length; at++) cut.push(text.charAt(at))
  expect(cut.isOpen).toBe(whole.isOpen)
  return whole.isOpen
}

describe('what comes next is quoted', () => {
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
  ])('%s', (_, text) => {
    expect(isOpenAfter(text)).toBe(true)
  })
})

describe('what comes next is not quoted', () => {
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
    ['behind an arrow', 'a -> '],
    ['without any text', ''],
  ])('%s', (_, text) => {
    expect(isOpenAfter(text)).toBe(false)
  })
})

it('goes on behind white space that belongs to what was taken out', () => {
  const tracker = new QuoteTracker()
  tracker.push('Write "')
  tracker.skipSpace()
  tracker.push('\n')
  expect(tracker.isOpen).toBe(true)
  tracker.push('\n" and\n')
  expect(tracker.isOpen).toBe(false)
})
