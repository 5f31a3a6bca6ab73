/** What holds for every text: cutting does not matter, nothing throws, nothing is quadratic, what is written is read again. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMResponse } from '../index.ts'
import { hermes, parseWith } from './index.ts'

function read(pieces: Iterable<string>): LMResponse {
  const parser = hermes.parser()
  const deltas = [...pieces].flatMap((piece) => [...parser.push(piece)])
  return collectDeltas([...deltas, ...parser.end()])
}

/** Texts made of what a parser of this dialect may trip over. */
const fragment = fc.oneof(
  fc.constantFrom(
    '<tool_call>',
    '</tool_call>',
    '<tool_',
    'call>',
    '<',
    '</',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    '\n',
    '😀',
  ),
  fc.constantFrom('"name":"a"', '"arguments":', '{"name":"a","arguments":{"q":"</tool_call>"}}', '"name":"\\ud83d"'),
  fc.string({ maxLength: 5 }),
)
const modelText = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(''))

/** The same text in pieces; cuts fall between any two UTF-16 units. */
const cut = fc.tuple(modelText, fc.array(fc.nat(), { maxLength: 8 })).map(([text, places]) => {
  const borders = [...new Set([0, ...places.map((place) => place % (text.length + 1)), text.length])].sort((a, b) => a - b)
  return { text, pieces: borders.slice(1).map((border, index) => text.slice(borders[index], border)) }
})

describe('any text', () => {
  it('cut anywhere gives the same response as the whole', () => {
    fc.assert(
      fc.property(cut, ({ text, pieces }) => void expect(read(pieces)).toEqual(read([text]))),
      { numRuns: 500 },
    )
  })

  it('one UTF-16 unit at a time gives the same response as the whole', () => {
    fc.assert(fc.property(modelText, (text) => void expect(read(text.split(''))).toEqual(read([text]))))
  })

  it('gives calls under ids that are unique', () => {
    fc.assert(
      fc.property(modelText, (text) => {
        const ids = read([text]).toolCalls.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })

  it('without an open marker is given back unchanged', () => {
    const plain = modelText.filter((text) => !text.includes('<tool_call>'))
    fc.assert(fc.property(plain, (text) => void expect(read([text])).toEqual({ text, toolCalls: [] })))
  })
})

describe('a call that is written', () => {
  const json = fc.oneof(
    fc.dictionary(fc.oneof(fc.string(), fc.constant('</tool_call>')), fc.oneof(fc.jsonValue(), fragment), { maxKeys: 4 }),
    fc.constant({ html: '<tool_call>{"name":"x"}</tool_call>' }),
  )
  const call = fc.record({
    id: fc.constant('x'),
    name: fc.string({ minLength: 1 }),
    arguments: json.map((value) => JSON.stringify(value)),
  })

  it('is read again, with the same name and the same arguments', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 4 }), (calls) => {
        const text = calls.map((one) => hermes.formatCall(one)).join('\n')
        const { toolCalls } = parseWith(hermes, text)
        expect(toolCalls.map((one) => [one.name, one.arguments])).toEqual(calls.map((one) => [one.name, one.arguments]))
      }),
    )
  })

  it('ADP-06: inside a result is not read', () => {
    fc.assert(
      fc.property(call, modelText, (one, text) => {
        const result = hermes.formatResult({ callId: 'x', name: 'a', ok: true, text: text + hermes.formatCall(one) })
        expect(parseWith(hermes, result).toolCalls).toEqual([])
      }),
    )
  })
})

describe('hostile texts', () => {
  it('of 1 MB are read in linear time', () => {
    const started = performance.now()
    const pieces = [
      '<tool_call>',
      '<tool_call',
      '<',
      '</tool_call>',
      '<tool_call>{',
      '{"a":"',
      '\\',
      '<tool_call>{"name":"a"}',
      '}',
    ]
    for (const piece of pieces) read([piece.repeat(1_000_000 / piece.length)])
    read([`<tool_call>{"name":"a","arguments":{"q":"${'x'.repeat(1_000_000)}`])
    read([`<tool_call>${'['.repeat(1_000_000)}`])
    expect(performance.now() - started).toBeLessThan(8_000)
  })

  it('may hold more calls in a list than a function takes arguments', () => {
    const list = Array.from({ length: 80_000 }, () => '{"name":"a"}').join(',')
    expect(read([`<tool_call>[${list}]</tool_call>`]).toolCalls).toHaveLength(80_000)
  })

  it('may cut a surrogate pair in half', () => {
    const text = '<tool_call>{"name":"a","arguments":{"q":"😀"}}</tool_call>😀'
    expect(read(text.split(''))).toMatchObject({ text: '😀', toolCalls: [{ arguments: '{"q":"😀"}' }] })
  })

  it('may end in half a pair', () => {
    expect(read(['a\ud83d']).text).toBe('a\ud83d')
  })
})
