/** What holds for every text: cutting does not matter, nothing throws, nothing is quadratic, what is written is read again. */
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

/** What quotes a call, and reasoning that may never end. */
const quoting = fc.constantFrom(
  ...['`', '```', '"', "'", '\u201c', '\u201d', '> ', '    ', '\n', '\n\n', ' ', 'a', '<think>', '</think>'],
  '<tool_call>{"name":"a","arguments":{}}</tool_call>',
  '<tool_call>\n{"name":"b","arguments":{}}\n</tool_call>',
)
const quotingText = fc
  .array(fc.oneof({ weight: 4, arbitrary: quoting }, fragment), { maxLength: 25 })
  .map((parts) => parts.join(''))

/** The same text in pieces; cuts fall between any two UTF-16 units. */
const cut = fc.tuple(fc.oneof(modelText, quotingText), fc.array(fc.nat(), { maxLength: 8 })).map(([text, places]) => {
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
    fc.assert(fc.property(fc.oneof(modelText, quotingText), (text) => void expect(read(text.split(''))).toEqual(read([text]))))
  })

  it('without a call loses nothing', () => {
    const plain = modelText.filter((text) => read([text]).toolCalls.length === 0)
    fc.assert(fc.property(plain, (text) => void expect(given(text)).toBe(text)))
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
    const plain = modelText.filter((text) => !/<tool_call>|<\/?think>/.test(text))
    fc.assert(
      fc.property(plain, (text) => {
        const { malformedCalls, ...reading } = read([text])
        expect(reading).toEqual({ text, toolCalls: [] })
        // Only an end marker behind brackets shows a call.
        expect(malformedCalls === undefined || /[}\]]\s*<\/tool_call>|<\/tool_call>[\s>]*(?:<\/tool_call>|\{)/.test(text)).toBe(
          true,
        )
      }),
    )
  })
})

/** What the dialect writes for a call; there is nothing that it cannot say. */
function write(call: RawToolCall): string {
  const formatted = hermes.formatCall(call)
  if (!formatted.ok) throw new Error(formatted.message)
  return formatted.text
}

describe('a call that is written', () => {
  const json = fc.oneof(
    fc.dictionary(fc.oneof(fc.string(), fc.constant('</tool_call>')), fc.oneof(fc.jsonValue(), fragment), { maxKeys: 4 }),
    fc.constant({ html: '<tool_call>{"name":"x"}</tool_call>' }),
  )
  const call = fc.record({
    id: fc.constant('x'),
    name: fc.string({ minLength: 1 }),
    // A key that reaches prototypes is refused: see `forbidden_key`.
    arguments: json.map((value) => JSON.stringify(value)).filter((text) => !text.includes('"__proto__":')),
  })

  it('is read again, with the same name and the same arguments', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 4 }), (calls) => {
        const { toolCalls } = hermes.parse(calls.map(write).join('\n'))
        expect(toolCalls.map((one) => [one.name, one.arguments])).toEqual(calls.map((one) => [one.name, one.arguments]))
      }),
    )
  })

  it('inside a result is not read', () => {
    fc.assert(
      fc.property(call, modelText, (one, text) => {
        const result = hermes.formatResult({ callId: 'x', name: 'a', ok: true, text: text + write(one) })
        expect(hermes.parse(result).toolCalls).toEqual([])
      }),
    )
  })
})

/** All that a response without a call says, in its order. */
function given(text: string): string {
  const parser = hermes.streamParser({ malformedBlock: 'text' })
  const deltas = [...parser.push(text), ...parser.end()]
  return deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
}

const LENGTH = process.env.X_FULL ? 1_000_000 : 100_000

describe('hostile texts', () => {
  it(`of ${LENGTH} characters lose nothing`, () => {
    const pieces = ['<tool_call>', '<tool_call', '<', '</tool_call>', '<tool_call>{', '<tool_call>[', '{"a":"', '\\', '}']
    const texts = pieces.map((piece) => piece.repeat(LENGTH / piece.length))
    texts.push(`<tool_call>{"name":"a","arguments":{"q":"${'x'.repeat(LENGTH)}`, `<tool_call>${'['.repeat(LENGTH)}`)
    for (const text of texts) expect(given(text) === text).toBe(true)
  })

  it('may hold more calls in a list than a function takes arguments', () => {
    const list = '{"name":"a"},'.repeat(80_000)
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
