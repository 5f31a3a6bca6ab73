/** Tests that bodies are written as by `JSON.stringify`, whatever was written before. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createBodyWriter } from './body-text.ts'

const message = (text: string) => Object.freeze({ role: 'user', content: text })

it('writes each frozen item of a growing list once', () => {
  const write = createBodyWriter()
  let written = 0
  const counted = (text: string) => Object.freeze({ text, toJSON: () => `${++written}: ${text}` })
  const [first, second, third] = ['a', 'b', 'c'].map(counted)
  write({ messages: [first, second] })
  expect(write({ messages: [first, second, third] })).toBe('{"messages":["1: a","2: b","3: c"]}')
})

it('writes the items that are not frozen each time', () => {
  const write = createBodyWriter()
  const [first, last] = [message('a'), { text: 'b' }]
  write({ list: [first, last] })
  last.text = 'c'
  expect(write({ list: [first, last] })).toBe(JSON.stringify({ list: [first, last] }))
})

it('writes a frozen list again if one of its items has changed', () => {
  const write = createBodyWriter()
  const [first, last] = [message('a'), { text: 'b' }]
  for (const list of [Object.freeze([first, last]), Object.freeze([first])]) {
    expect([write({ list }), write({ list })]).toEqual([JSON.stringify({ list }), JSON.stringify({ list })])
    last.text = 'c'
    expect(write({ list })).toBe(JSON.stringify({ list }))
  }
})

it('writes conversations that begin with the same message', () => {
  const write = createBodyWriter()
  const [first, ...others] = ['a', 'b', 'c', 'd'].map(message)
  for (const list of [[first, others[0], others[1]], [first, others[2]], [first], [first, others[0], others[1]]])
    expect(write({ messages: list })).toBe(JSON.stringify({ messages: list }))
})

const leaf = fc.constantFrom(null, undefined, 1, Number.NaN, 'text "quoted"', '\ud800', true, () => 1, [undefined], {
  toJSON: () => 'x',
})
const shared = Array.from({ length: 4 }, (_, index) => message(String(index)))
const item = fc.oneof(leaf, fc.constantFrom(...shared), fc.dictionary(fc.string(), leaf, { maxKeys: 3 }))
const body = fc.oneof(leaf, fc.dictionary(fc.string(), fc.oneof(item, fc.array(item)), { maxKeys: 4 }), fc.array(item))

it('writes the same text as JSON.stringify for any sequence of bodies', () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 6 }), (bodies) => {
      const write = createBodyWriter()
      for (const one of bodies) expect(write(one)).toBe(JSON.stringify(one))
    }),
  )
})
