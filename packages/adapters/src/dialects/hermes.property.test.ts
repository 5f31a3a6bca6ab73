/**
 * Property tests for every text: splitting doesn't change the result, nothing throws, time is linear, and written calls are parsed
 * unchanged.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../protocol/collect.ts'
import type { LMResponse, RawToolCall } from '../protocol/protocol.ts'
import { hermes } from './hermes.ts'

function read(pieces: Iterable<string>): LMResponse {
  const parser = hermes.streamParser()
  const deltas = [...pieces].flatMap((piece) => [...parser.push(piece)])
  return collectDeltas([...deltas, ...parser.end()])
}

/** Text that consists of pieces which may confuse a parser of this dialect. */
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

/** Text that quotes a call, and reasoning that may never end. */
const quoting = fc.constantFrom(
  ...['`', '```', '"', "'", '\u201c', '\u201d', '> ', '    ', '\n', '\n\n', ' ', 'a', '<think>', '</think>'],
  '<tool_call>{"name":"a","arguments":{}}</tool_call>',
  '<tool_call>\n{"name":"b","arguments":{}}\n</tool_call>',
)
const quotingText = fc
  .array(fc.oneof({ weight: 4, arbitrary: quoting }, fragment), { maxLength: 25 })
  .map((parts) => parts.join(''))

/** The same text in pieces, split between any two UTF-16 units. */
const cut = fc.tuple(fc.oneof(modelText, quotingText), fc.array(fc.nat(), { maxLength: 8 })).map(([text, places]) => {
  const borders = [...new Set([0, ...places.map((place) => place % (text.length + 1)), text.length])].sort((a, b) => a - b)
  return { text, pieces: borders.slice(1).map((border, index) => text.slice(borders[index], border)) }
})

describe('any text', () => {
  it('yields the same response however it is split', () => {
    fc.assert(
      fc.property(cut, ({ text, pieces }) => void expect(read(pieces)).toEqual(read([text]))),
      { numRuns: 500 },
    )
  })

  it('yields the same response one UTF-16 unit at a time', () => {
    fc.assert(fc.property(fc.oneof(modelText, quotingText), (text) => void expect(read(text.split(''))).toEqual(read([text]))))
  })

  it('loses nothing if it contains no call', () => {
    const plain = modelText.filter((text) => read([text]).toolCalls.length === 0)
    fc.assert(fc.property(plain, (text) => void expect(given(text)).toBe(text)))
  })

  it('yields calls with unique ids', () => {
    fc.assert(
      fc.property(modelText, (text) => {
        const ids = read([text]).toolCalls.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })

  it('is returned unchanged if it contains no open marker', () => {
    const plain = modelText.filter((text) => !/<tool_call>|<\/?think>/.test(text))
    fc.assert(
      fc.property(plain, (text) => {
        const { malformedCalls, ...reading } = read([text])
        expect(reading).toEqual({ text, toolCalls: [] })
        // Without an open marker, only an end marker after brackets indicates a call.
        expect(malformedCalls === undefined || /[}\]]\s*<\/tool_call>|<\/tool_call>[\s>]*(?:<\/tool_call>|\{)/.test(text)).toBe(
          true,
        )
      }),
    )
  })
})

/** Returns the text that the dialect writes for a call. This dialect refuses none. */
function write(call: RawToolCall): string {
  const formatted = hermes.formatCall(call)
  if (!formatted.ok) throw new Error(formatted.message)
  return formatted.text
}

describe('a written call', () => {
  const json = fc.oneof(
    fc.dictionary(fc.oneof(fc.string(), fc.constant('</tool_call>')), fc.oneof(fc.jsonValue(), fragment), { maxKeys: 4 }),
    fc.constant({ html: '<tool_call>{"name":"x"}</tool_call>' }),
  )
  const call = fc.record({
    id: fc.constant('x'),
    name: fc.string({ minLength: 1 }),
    // A key that could change a prototype is refused: see `forbidden_key`.
    arguments: json.map((value) => JSON.stringify(value)).filter((text) => !text.includes('"__proto__":')),
  })

  it('is parsed with the same name and the same arguments', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 4 }), (calls) => {
        const { toolCalls } = hermes.parse(calls.map(write).join('\n'))
        expect(toolCalls.map((one) => [one.name, one.arguments])).toEqual(calls.map((one) => [one.name, one.arguments]))
      }),
    )
  })

  it("isn't parsed inside a result", () => {
    fc.assert(
      fc.property(call, modelText, (one, text) => {
        const result = hermes.formatResult({ callId: 'x', name: 'a', ok: true, text: text + write(one) })
        expect(hermes.parse(result).toolCalls).toEqual([])
      }),
    )
  })
})

/** Returns all content of a response without calls, in order. */
function given(text: string): string {
  const parser = hermes.streamParser({ malformedBlock: 'text' })
  const deltas = [...parser.push(text), ...parser.end()]
  return deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
}

const LENGTH = process.env.X_FULL ? 1_000_000 : 100_000

describe('malicious text', () => {
  it(`of ${LENGTH} characters loses nothing`, () => {
    const pieces = ['<tool_call>', '<tool_call', '<', '</tool_call>', '<tool_call>{', '<tool_call>[', '{"a":"', '\\', '}']
    const texts = pieces.map((piece) => piece.repeat(LENGTH / piece.length))
    texts.push(`<tool_call>{"name":"a","arguments":{"q":"${'x'.repeat(LENGTH)}`, `<tool_call>${'['.repeat(LENGTH)}`)
    for (const text of texts) expect(given(text) === text).toBe(true)
  })

  it('may have more calls in a list than a function accepts arguments', () => {
    const list = '{"name":"a"},'.repeat(80_000)
    expect(read([`<tool_call>[${list}]</tool_call>`]).toolCalls).toHaveLength(80_000)
  })

  it('may be split between surrogates', () => {
    const text = '<tool_call>{"name":"a","arguments":{"q":"😀"}}</tool_call>😀'
    expect(read(text.split(''))).toMatchObject({ text: '😀', toolCalls: [{ arguments: '{"q":"😀"}' }] })
  })

  it('may end with half of a surrogate pair', () => {
    expect(read(['a\ud83d']).text).toBe('a\ud83d')
  })
})
