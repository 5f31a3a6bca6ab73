import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../../../protocol/collect.ts'
import type { LMDelta } from '../../../protocol/protocol.ts'
import type { WritableCall } from '../../define/definition.ts'
import type { DialectReading, ParserOptions } from '../../define/dialect.ts'
import { defineDialect } from '../../define/own-dialect.ts'
import { customLiteral } from './custom-literal.ts'

const dialect = defineDialect({ name: 'literal', ...customLiteral({ open: '<call>', close: '</call>', quote: '<q>' }) })

function toTools(properties: Readonly<Record<string, unknown>>): Pick<ParserOptions, 'tools'> {
  return { tools: [{ type: 'function', function: { name: 'f', description: '', parameters: { type: 'object', properties } } }] }
}

function readArguments(text: string, options?: ParserOptions): readonly unknown[] {
  return dialect.parse(`<call>call:f${text}</call>`, options).toolCalls.map((call) => JSON.parse(call.arguments))
}

function tagsOf({ toolCalls }: DialectReading): unknown {
  return toolCalls.map(({ tags }) => tags)
}

const TEXT = { type: 'string' }

describe('the language', () => {
  it('has strings, numbers, words, lists and objects, with or without white space', () => {
    const read = readArguments('{ s : <q>a<q> , n:-1.5e3,t:true,z:null,l:[<q>x<q>,[1],{}],o:{k:{v:<q><q>}} }')
    expect(read).toEqual([{ s: 'a', n: -1500, t: true, z: null, l: ['x', [1], {}], o: { k: { v: '' } } }])
  })

  it('keeps a string unchanged, with brackets, quotes, backslashes and line breaks', () => {
    expect(readArguments('{s:<q>a, b:{c}[d] "e" \\n \\" \n<q>}')).toEqual([{ s: 'a, b:{c}[d] "e" \\n \\" \n' }])
  })

  it('keeps an end marker in a string that continues', () => {
    expect(readArguments('{s:<q>ends with </call> always<q>}')).toEqual([{ s: 'ends with </call> always' }])
  })

  it('allows several calls in one block, and any name', () => {
    const { toolCalls } = dialect.parse('<call>call:a.b-c{}call:list files{n:1}</call>')
    expect(toolCalls.map(({ name, arguments: text }) => [name, text])).toEqual([
      ['a.b-c', '{}'],
      ['list files', '{"n": 1}'],
    ])
  })

  it('keeps the digits of a number', () => {
    const { toolCalls } = dialect.parse('<call>call:f{n:12345678901234567890.10}</call>')
    expect(toolCalls[0]?.arguments).toBe('{"n": 12345678901234567890.10}')
  })
})

describe('mistakes', () => {
  it.each([
    ['a JSON string', '{"s":"say \\"hi\\"",n:1}', { s: 'say "hi"', n: 1 }],
    ['a JSON string with unescaped quotes', '{s:"say "hi" now",n:1}', { s: 'say "hi" now', n: 1 }],
    ['single quotes', "{s:'it's \\w',n:1}", { s: "it's \\w", n: 1 }],
    ['an extra delimiter', "{s:'x'<q>,n:1}", { s: 'x', n: 1 }],
    ['no second delimiter', '{s:<q>x}', { s: 'x' }],
    ['no delimiters', '{s:hello there,n:1}', { s: 'hello there', n: 1 }],
    ['no closing brace', '{s:<q>x<q>', { s: 'x' }],
    ['no closing brackets', '{o:{l:[1,{a:2', { o: { l: [1, { a: 2 }] } }],
    ['an extra bracket', '{n:1]}}', { n: 1 }],
  ])('are repaired: %s', (_, text, args) => {
    const reading = dialect.parse(`<call>call:f${text}</call>`)
    expect([readArguments(text), tagsOf(reading)]).toEqual([[args], [['repaired']]])
  })

  it('keep commas and braces in unquoted text, up to the next key in the schema', () => {
    const options = toTools({ code: TEXT, mode: TEXT })
    const text = '{code:\nif (a, b) { c: [1, 2] }, note: more,mode:fast}'
    expect(readArguments(text, options)).toEqual([{ code: '\nif (a, b) { c: [1, 2] }, note: more', mode: 'fast' }])
  })

  it("are reported and stay in the text if they can't be repaired", () => {
    const text = '<call>call:f{a:<q>x<q> <q>y<q>}</call>'
    expect(dialect.parse(`${text} so`)).toEqual({ text: `${text} so`, toolCalls: [], malformedCalls: [text] })
  })

  it("don't turn a marker in prose into a call", () => {
    expect(dialect.parse('Write <call> and then').toolCalls).toEqual([])
    expect(dialect.parse('Write <call> and then').text).toBe('Write <call> and then')
  })
})

describe('types', () => {
  it('are those of the literal, unless the schema declares another type', () => {
    const options = toTools({
      zip: TEXT,
      n: { type: 'integer' },
      either: { type: ['string', 'integer'] },
      l: { items: { type: 'number' } },
    })
    const read = readArguments('{n:<q>42<q>,either:<q>7<q>,l:[<q>1<q>],other:<q>5<q>}', options)
    expect(read).toEqual([{ n: 42, either: '7', l: [1], other: '5' }])
    expect(readArguments('{zip:01234,n:1,either:2,l:[]}', options)).toEqual([{ zip: '01234', n: 1, either: 2, l: [] }])
  })

  it('include Python constants, which are tagged', () => {
    const reading = dialect.parse('<call>call:f{a:True,b:None}</call>')
    expect([reading.toolCalls[0]?.arguments, tagsOf(reading)]).toEqual(['{"a": true, "b": null}', [['coerced']]])
  })
})

describe('a stream', () => {
  it('emits a string as it arrives', () => {
    const parser = dialect.streamParser()
    parser.push('<call>call:f{s:<q>Hello')
    expect(parser.push(' there')).toEqual([{ type: 'arguments', index: 0, text: ' there' }])
  })

  it('holds back only text that may end a string', () => {
    const parser = dialect.streamParser()
    parser.push('<call>call:f{s:<q>')
    const deltas = ['a}', ' ', 'b<', 'q', '>}'].map((piece) => parser.push(piece).map((delta) => 'text' in delta && delta.text))
    expect(deltas).toEqual([['a'], [], ['} b'], [], ['"', '}']])
  })

  it('is parsed in the same way however it is split', () => {
    const text = `a <call>call:f{s:<q>x</call>}y<q>,t:b, c,n:'d'<q>,o:{p:[1,"e"]}}call:g{}</call> b`
    const parser = dialect.streamParser()
    const deltas: LMDelta[] = text.split('').flatMap((unit) => [...parser.push(unit)])
    expect(collectDeltas([...deltas, ...parser.end()]).toolCalls).toEqual(dialect.parse(text).toolCalls)
  })
})

describe('text that ends inside a block', () => {
  it('yields no truncated call, unless the policy says so', () => {
    const text = '<call>call:f{a:<q>x<q>,b:<q>yz'
    expect(dialect.parse(text).toolCalls).toEqual([])
    expect(dialect.parse(text, { unfinished: 'cut' }).toolCalls).toEqual([
      { id: 'call_0', name: 'f', arguments: '{"a": "x", "b": "yz"}', truncated: true },
    ])
  })

  it('never ends a number', () => {
    const { toolCalls } = dialect.parse('<call>call:f{a:1,b:23', { unfinished: 'cut' })
    expect(toolCalls.map((call) => call.arguments)).toEqual(['{"a": 1}'])
  })

  it('may replace the end marker', () => {
    expect(tagsOf(dialect.parse('<call>call:f{a:1}'))).toEqual([['missing_end']])
    expect(dialect.parse('<call>call:f{a:1}', { unfinished: 'never' }).toolCalls).toEqual([])
  })
})

describe('hostile text', () => {
  it('is nested no deeper than arguments may be', () => {
    expect(dialect.parse(`<call>call:f{a:${'['.repeat(600)}${']'.repeat(600)}}</call>`).toolCalls).toEqual([])
    expect(readArguments(`{a:${'['.repeat(300)}${']'.repeat(300)}}`)).toHaveLength(1)
  })

  it("can't change a prototype through a key", () => {
    const { toolCalls } = dialect.parse('<call>call:f{__proto__:{a:1},constructor:2}</call>')
    expect(toolCalls[0]?.arguments).toBe('{"__proto__": {"a": 1}, "constructor": 2}')
  })
})

describe('formatCalls', () => {
  function format(name: string, args: Readonly<Record<string, unknown>>): unknown {
    const call: WritableCall = { id: 'c', name, args, json: '' }
    const written = dialect.formatCalls([{ id: call.id, name, arguments: JSON.stringify(args) }])
    return written.ok ? written.text : written.code
  }

  it('writes what the model would write', () => {
    expect(format('f', { a: 'x', b: [1, true, null], 'c d': { e: 'y' } })).toBe(
      '<call>call:f{a:<q>x<q>,b:[1,true,null],<q>c d<q>:{e:<q>y<q>}}</call>',
    )
  })

  it('refuses a name or a string that would be parsed differently', () => {
    expect([format('', {}), format('a{', {}), format(' a', {})]).toEqual(['invalid_name', 'invalid_name', 'invalid_name'])
    expect([format('f', { a: 'x<q>' }), format('f', { a: ['}</call>'] }), format('f', { 'a<q>': 1 })]).toEqual([
      'unrepresentable_value',
      'unrepresentable_value',
      'unrepresentable_value',
    ])
    expect(format('f', { a: 'x </call> y' })).toBe('<call>call:f{a:<q>x </call> y<q>}</call>')
  })
})
