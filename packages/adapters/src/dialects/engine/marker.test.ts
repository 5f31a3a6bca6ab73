import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterSpace, loose, MarkerSet } from './marker.ts'

const set = new MarkerSet({ open: '<call>', close: ['</call>', '<end>'], wide: loose('< x = y >') })

describe('find', () => {
  it('returns the first marker, in any of its variants', () => {
    expect(set.find('a <call> </call>', 0, true)).toEqual({ key: 'open', start: 2, end: 8 })
    expect(set.find('a <call> <end>', 3, true)).toEqual({ key: 'close', start: 9, end: 14 })
    expect(set.find('no marker', 0, true)).toBeUndefined()
  })

  it('returns the position of a possible marker at the end of the text, while more text may follow', () => {
    expect(set.find('a <ca', 0, false)).toEqual({ key: undefined, start: 2, end: 5 })
    expect(set.find('a <ca', 0, true)).toBeUndefined()
    expect(set.find('a <cat', 0, false)).toBeUndefined()
  })

  it('prefers an incomplete marker to a complete one after it', () => {
    const nested = new MarkerSet({ long: '<<a>>', short: '<a>' })
    expect(nested.find('<<a>', 0, false)).toEqual({ key: undefined, start: 0, end: 4 })
    expect(nested.find('<<a>', 0, true)).toMatchObject({ key: 'short', start: 1 })
  })

  it('accepts a limited amount of white space in a loose marker', () => {
    for (const text of ['<x=y>', '< x\n=  y >']) expect(set.find(text, 0, true)).toMatchObject({ key: 'wide' })
    expect(set.find(`<${' '.repeat(100)}x=y>`, 0, true)).toBeUndefined()
    expect(set.find(`<${' '.repeat(100)}`, 0, false)).toBeUndefined()
  })

  it('treats regular-expression characters as ordinary ones', () => {
    const odd = new MarkerSet({ odd: '[(.*+?^$|{}\\)]', pair: '😀' })
    expect(odd.find('x[(.*+?^$|{}\\)]', 0, true)).toMatchObject({ key: 'odd', start: 1 })
    expect(odd.find('\ud83d', 0, false)).toEqual({ key: undefined, start: 0, end: 1 })
  })

  it('finds nothing without markers', () => {
    expect(new MarkerSet({}).find('<call>', 0, false)).toBeUndefined()
  })

  it('finds the same position, however much of the text has arrived', () => {
    const piece = fc.constantFrom('<', '<call>', '</call', '>', 'a', '< x', ' = y >', '<end>', ' ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const whole = set.find(text, 0, true)
        const first = Array.from({ length: text.length }, (_, index) => set.find(text.slice(0, index + 1), 0, false)).find(
          (found) => found?.key !== undefined,
        )
        if (first !== undefined) expect(first).toEqual(whole)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('match', () => {
  it('matches only at the given position', () => {
    expect(set.match('a<call>', 0, true)).toBeUndefined()
    expect(set.match('a<call>', 1, true)).toEqual({ key: 'open', start: 1, end: 7 })
  })

  it('waits while a marker may still follow', () => {
    expect(set.match('a<ca', 1, false)).toMatchObject({ key: undefined })
    expect(set.match('a', 1, false)).toMatchObject({ key: undefined })
    expect(set.match('a<ca', 1, true)).toBeUndefined()
    expect(set.match('a<cx', 1, false)).toBeUndefined()
  })
})

it('afterSpace also matches white space before a marker', () => {
  const close = new MarkerSet({ close: afterSpace(['</a>', loose('< / b >')]) })
  for (const text of ['</a>', '\n </a>', ' </b>']) expect(close.match(text, 0, true)).toMatchObject({ end: text.length })
})

it('returns the first characters of all markers, and the markers', () => {
  expect(set.firstUnits).toBe('<')
  expect([set.has('open'), new MarkerSet({ close: [] }).has('close')]).toEqual([true, false])
})

it('refuses an empty marker, which would match everywhere', () => {
  for (const open of ['', ['<a>', ''], loose(' ')]) expect(() => new MarkerSet({ open })).toThrow('The marker "open" is empty')
  expect(new MarkerSet({ open: [] }).find('a', 0, true)).toBeUndefined()
})

it('finds the earliest of the matches of many markers', () => {
  const markers = [loose(' Action :'), loose(' Action Input :'), '\nThought:', 'Obs', loose('< / a >'), '<a>', loose(' < b')]
  const all = new MarkerSet(Object.fromEntries(markers.map((marker, index) => [index, marker])))
  const alone = markers.map((marker) => new MarkerSet({ it: marker }))
  const word = fc.constantFrom(' ', '\n', 'Action', ':', 'Input', 'Thought', 'Obs', 'O', '<', '/', 'a', '>', 'b', 'Act', '\t')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 24 }), fc.boolean(), (words, isOver) => {
      const text = words.join('')
      const starts = alone.map((set) => set.find(text, 0, isOver)?.start ?? text.length)
      expect(all.find(text, 0, isOver)?.start ?? text.length).toBe(Math.min(...starts))
    }),
    { numRuns: 2000 },
  )
})

describe('a marker that starts with another one', () => {
  const nested = new MarkerSet({ short: '<call', long: '<calls>', wide: loose('<call >') })

  it('is found if it is complete', () => {
    expect(nested.find('a <calls> b', 0, true)).toEqual({ key: 'long', start: 2, end: 9 })
    expect(nested.find('a <call > b', 0, true)).toEqual({ key: 'wide', start: 2, end: 9 })
    expect(nested.find('a <call b', 0, true)).toEqual({ key: 'short', start: 2, end: 7 })
    expect(nested.match('<callsy', 0, true)).toEqual({ key: 'short', start: 0, end: 5 })
  })

  it('is awaited while it may still follow', () => {
    expect(nested.find('a <call', 0, false)).toEqual({ key: undefined, start: 2, end: 7 })
    expect(nested.match('<calls', 0, false)).toEqual({ key: undefined, start: 0, end: 6 })
    expect(nested.match('<call', 0, true)).toEqual({ key: 'short', start: 0, end: 5 })
    expect(nested.find('a <callx', 0, false)).toEqual({ key: 'short', start: 2, end: 7 })
  })

  it('is awaited if white space in the shorter one is optional in the longer one', () => {
    const ends = new MarkerSet({ end: [loose('< / f >'), '</f\n'] })
    expect(ends.match('</f\n', 0, false)).toMatchObject({ key: undefined })
    expect(ends.match('</f\n> b', 0, false)).toEqual({ key: 'end', start: 0, end: 5 })
    expect(ends.match('</f\nb', 0, false)).toEqual({ key: 'end', start: 0, end: 4 })
    expect(ends.match('</f\n', 0, true)).toEqual({ key: 'end', start: 0, end: 4 })
  })
})
