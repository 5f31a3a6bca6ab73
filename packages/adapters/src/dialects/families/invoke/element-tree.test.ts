import { describe, expect, it } from 'vitest'
import { readPieces } from '../../../testing/dialect-checks/reading.ts'
import type { ParserOptions } from '../../define/dialect.ts'
import { minimaxM3 } from '../../minimax-m3.ts'

const MARK = ']<]minimax[>['
/** Adds the mark before each tag. */
const marked = (text: string) => text.replaceAll('<', `${MARK}<`)
const inBlock = (body: string) => marked(`<tool_call>\n<invoke name="f">${body}</invoke>\n</tool_call>`)

function read(text: string, options?: ParserOptions): unknown[] {
  return minimaxM3.parse(text, options).toolCalls.map(({ name, arguments: json, tags = [] }) => [name, JSON.parse(json), ...tags])
}
const readBody = (body: string, properties?: Record<string, unknown>) => read(inBlock(body), properties && toolWith(properties))

function toolWith(properties: Record<string, unknown>): ParserOptions {
  const parameters = { type: 'object', properties }
  return { tools: [{ type: 'function', function: { name: 'f', description: '', parameters } }] }
}

describe('an element', () => {
  it('is a parameter, and is text unless its schema declares another type', () => {
    expect(readBody('<a>1</a><b>2</b>', { b: { type: 'integer' } })).toEqual([['f', { a: '1', b: 2 }]])
  })

  it('is an object of its child elements', () => {
    expect(readBody('<a><b>x</b><c><d>y</d></c></a>')).toEqual([['f', { a: { b: 'x', c: { d: 'y' } } }]])
  })

  it('may have the name of the tag around calls, unless a call follows it', () => {
    const properties = { a: { type: 'object' } }
    expect(readBody('<a><tool_call>x</a>', properties)).toEqual([['f', { a: { tool_call: 'x' } }, 'repaired']])
    const call = '<tool_call>\n<invoke name="g"><b>x</b></invoke>\n</tool_call>'
    for (const text of [inBlock('<a><tool_call>x</a>'), inBlock(`<a><c>${call}</c></a>`)]) {
      const options = toolWith(properties)
      expect(readPieces(minimaxM3, [...text], options).toolCalls).toEqual(minimaxM3.parse(text, options).toolCalls)
    }
    expect(readBody(`<a><c>${call}</c></a>`, properties)).toEqual([['f', { a: { c: marked(call) } }]])
  })

  it('is a list of its child elements if that is declared, whatever their names', () => {
    const items = { type: 'object', properties: { n: { type: 'integer' } } }
    const body = '<a><item><n>1</n></item><other><n>2</n></other></a>'
    expect(readBody(body, { a: { type: 'array', items } })).toEqual([['f', { a: [{ n: 1 }, { n: 2 }] }]])
  })

  it('becomes a list if it is repeated, with each item coerced to the schema', () => {
    expect(readBody('<a><b>1</b><b>2</b></a>', { a: { properties: { b: { type: 'integer' } } } })).toEqual([
      ['f', { a: { b: [1, 2] } }],
    ])
    const numbers = { type: 'array', items: { type: 'integer' } }
    expect(readBody('<a>1</a><a>2</a>', { a: numbers })).toEqual([['f', { a: [1, 2] }, 'repeated_parameter']])
  })

  it('among text makes that text a member whose name is still free', () => {
    expect(readBody('<a>text<b>x</b></a>')).toEqual([['f', { a: { $text: 'text', b: 'x' } }]])
    expect(readBody('<a>text<$text>x</$text></a>')).toEqual([['f', { a: { $$text: 'text', $text: 'x' } }]])
  })

  it('may contain JSON, nothing, null, and numbers with leading zeros', () => {
    const types = {
      o: { type: 'object' },
      l: { type: 'array' },
      e: { type: 'object' },
      n: { type: ['object', 'null'] },
      z: { type: 'integer' },
    }
    expect(readBody('<o>{"x": 1}</o><l>[1]</l><e></e><n>null</n><z>018956</z>', types)).toEqual([
      ['f', { o: { x: 1 }, l: [1], e: {}, n: null, z: 18956 }, 'coerced'],
    ])
  })

  it('is never trimmed', () => {
    expect(readBody('<a>\n x \n</a>')).toEqual([['f', { a: '\n x \n' }]])
  })

  it('without an end tag ends with its parent, or with the call', () => {
    expect(readBody('<a><b>x<c>y</c></a><d>z</d>')).toEqual([['f', { a: { b: { $text: 'x', c: 'y' } }, d: 'z' }, 'repaired']])
    expect(readBody('<a>x', { a: { type: 'string' } })).toEqual([['f', { a: 'x' }, 'repaired']])
  })

  it('named __proto__ is ordinary data', () => {
    const [call] = minimaxM3.parse(inBlock('<__proto__><__proto__>1</__proto__></__proto__>')).toolCalls
    expect(call?.arguments).toBe('{"__proto__": {"__proto__": "1"}}')
  })

  it("isn't parsed below the depth limit, however deep it is", () => {
    expect(readBody('<a>'.repeat(60) + '</a>'.repeat(60))).toHaveLength(1)
    expect(minimaxM3.parse(inBlock('<a>'.repeat(50_000))).malformedCalls).toHaveLength(1)
  })

  it('is emitted as it arrives if it is declared as a string', () => {
    const parser = minimaxM3.streamParser(toolWith({ a: { type: 'string' } }))
    const deltas = [...parser.push(marked('<tool_call><invoke name="f"><a>one')), ...parser.push(' two ]<]mini')]
    expect(deltas.map((delta) => (delta.type === 'arguments' ? delta.text : delta.type)).join('')).toBe(
      'call_start{"a": "one two ',
    )
  })
})

describe('a call', () => {
  it('ends at text between its elements', () => {
    const body = `${marked('<a>x</a>')}I need more.${marked('<b>y</b>')}`
    const text = `${marked('<tool_call><invoke name="f">')}${body}${marked('</invoke></tool_call>')}`
    expect(read(text)).toEqual([['f', { a: 'x' }, 'repaired']])
  })

  it('leaves nothing in the text if it is truncated or malformed', () => {
    for (const text of [
      marked('<tool_call><invoke name="f"><a>x</a>'),
      marked('<tool_call><bad></tool_call>'),
      marked('<tool_call>'),
    ])
      expect(minimaxM3.parse(`Well: ${text}`)).toEqual({ text: 'Well:', toolCalls: [], malformedCalls: [text] })
  })

  it('drops the text after it', () => {
    expect(minimaxM3.parse(`Before.${inBlock('')} After.`)).toMatchObject({ text: 'Before.', toolCalls: [{ arguments: '{}' }] })
  })
})

describe('writing', () => {
  const write = (args: object) => minimaxM3.formatCall({ id: '', name: 'f', arguments: JSON.stringify(args) })

  it('uses one element per parameter', () => {
    expect(write({ a: 'x', b: [1] })).toEqual({ ok: true, text: inBlock('<a>x</a><b>[1]</b>') })
  })

  it("uses one JSON object for values that elements can't express", () => {
    for (const args of [{ a: marked('</a>') }, { '': 1 }, { '/a': 1 }, { invoke: 1 }, { ['x'.repeat(300)]: 1 }]) {
      const written = write(args)
      expect(written.ok && read(written.text)).toEqual([['f', args]])
    }
  })
})
