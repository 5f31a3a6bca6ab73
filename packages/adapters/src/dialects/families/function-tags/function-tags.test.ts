import { describe, expect, it } from 'vitest'
import type { LMDelta } from '../../../protocol/protocol.ts'
import type { ParserOptions } from '../../define/dialect.ts'
import { defineDialect } from '../../define/own-dialect.ts'
import { formatFunctionTags } from './format-function-tags.ts'
import { functionTags } from './function-tags.ts'

const dialect = defineDialect({
  name: 'tags',
  blocks: functionTags({ wrapper: 'call', trim: 'lines' }),
  formatCalls: (calls) => formatFunctionTags(calls, { wrapper: 'call' }),
})
const lenient = defineDialect({
  name: 'lenient',
  blocks: functionTags({ wrapper: 'call', trim: 'pair', isLenient: true }),
  formatCalls: (calls) => formatFunctionTags(calls, { wrapper: 'call', isInline: true }),
})

const TOOLS = [{ type: 'function', function: { name: 'f', description: '', parameters: {} } }] as const

function read(text: string, options?: ParserOptions, of = dialect): { text: string; calls: string[][] } {
  const { text: prose, toolCalls } = of.parse(text, options)
  return { text: prose, calls: toolCalls.map((call) => [call.name, call.arguments, ...(call.tags ?? [])]) }
}

const A1 = '<parameter=a>\n1\n</parameter>\n'

describe('a call between function tags', () => {
  it('has parameters, each without one line break on each side', () => {
    expect(read(`<call>\n<function=f>\n${A1}<parameter=b>\n\n  x\n\n</parameter>\n</function>\n</call>`).calls).toEqual([
      ['f', '{"a": "1", "b": "\\n  x\\n"}'],
    ])
  })

  it('may have no parameters', () => {
    expect(read('<call><function=f></function></call>').calls).toEqual([['f', '{}']])
    expect(read('<call><function=f/></call>').calls).toEqual([['f', '{}']])
  })

  it('needs no wrapper, or only a part of one', () => {
    const one = `<function=f>${A1}</function>`
    expect(read(`x ${one} y`)).toEqual({ text: 'x  y', calls: [['f', '{"a": "1"}']] })
    expect(read(`${one}\n</call>`)).toEqual({ text: '', calls: [['f', '{"a": "1"}']] })
    expect(read(`<call>${one}`).calls).toHaveLength(1)
  })

  it('may be one of several, in one wrapper or in several', () => {
    const [f, g] = ['<function=f></function>', '<function=g></function>']
    for (const text of [`<call>${f}\n${g}</call>`, `<call>${f}</call><call>${g}</call>`, `<call>${f}<call>${g}`])
      expect(read(text)).toEqual({
        text: '',
        calls: [
          ['f', '{}'],
          ['g', '{}'],
        ],
      })
  })

  it('ends at the start of the next call', () => {
    const ended = [
      ['f', '{"a": "1"}', 'missing_end'],
      ['g', '{}'],
    ]
    for (const between of ['', '</call><call>', '<call>'])
      expect(read(`<call><function=f>${A1}${between}<function=g></function></call>`).calls).toEqual(ended)
  })

  it('may lack the end tags of parameters', () => {
    const repaired = [['f', '{"a": "1", "b": "2"}', 'repaired']]
    expect(read('<call><function=f><parameter=a>\n1\n<parameter=b>2</function></call>').calls).toEqual(repaired)
  })

  it('may have text between its parameters, which is removed and tagged', () => {
    const text = '<function=f><parameter=a>1</parameter> and <parameter=b>2</parameter></function>'
    expect(dialect.parse(text).toolCalls).toMatchObject([{ arguments: '{"a": "1", "b": "2"}', tags: ['repaired'] }])
  })

  it('may lack the end of a tag', () => {
    expect(read('<call><function=f\n<parameter=a\n1\n</parameter\n</function\n</call>')).toEqual({
      text: '',
      calls: [['f', '{"a": "1"}', 'repaired']],
    })
  })

  it('ends at the same position in any pieces if its end tag is closed on the next line', () => {
    for (const end of ['</function\n> b', '</function\n\n>\n</call> b', '</function\nb']) {
      const parser = dialect.streamParser()
      const deltas = [...`<call><function=f>${A1}${end}`].flatMap((unit) => [...parser.push(unit)])
      const text = [...deltas, ...parser.end()].map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
      expect(text.trim()).toBe('b')
      expect(read(`<call><function=f>${A1}${end}`)).toEqual({ text: 'b', calls: [['f', '{"a": "1"}']] })
    }
  })

  it('may have white space in its tags and quotes around its names', () => {
    const text = '< function = "f g" ><parameter= \'a b\' >1</ parameter ></ function >'
    expect(read(`<call>${text}</ call>`)).toEqual({ text: '', calls: [['f g', '{"a b": "1"}']] })
  })

  it('may have markup and close tags in a value', () => {
    const code = '<b>&amp;</b></parameter> // </functions>'
    expect(read(`<function=f><parameter=a>${code}</parameter></function>`).calls).toEqual([
      ['f', JSON.stringify({ a: code }).replace(':', ': ')],
    ])
  })

  it('may lack an equals sign if the dialect is lenient', () => {
    const text = '<call><functionf><parameter=a>1</parameter><parameter name="b">2</parameter></function></call>'
    expect(read(text, {}, lenient).calls).toEqual([['f', '{"a": "1", "b": "2"}']])
  })

  it("keeps a line break at the end of a value that doesn't start with one, if line breaks come in pairs", () => {
    expect(read('<function=f><parameter=a>x\n</parameter></function>', {}, lenient).calls).toEqual([['f', '{"a": "x\\n"}']])
    expect(read('<function=f><parameter=a>\nx\n</parameter></function>', {}, lenient).calls).toEqual([['f', '{"a": "x"}']])
  })
})

describe('text that ends inside a call', () => {
  const of = (...keys: string[]) => {
    const parameters = { type: 'object', properties: Object.fromEntries(keys.map((key) => [key, {}])) }
    return { tools: [{ type: 'function' as const, function: { name: 'f', description: '', parameters } }] }
  }
  const text = `<call><function=f>${A1}`

  it('is a complete call if all declared parameters are present', () => {
    for (const end of ['', '<', '</fun']) expect(read(text + end, of('a')).calls).toEqual([['f', '{"a": 1}', 'missing_end']])
    expect(read(text, { ...of('a'), unfinished: 'never' }).calls).toEqual([])
  })

  it('is a truncated call if parameters may be missing, or are unknown', () => {
    const parameters = { allOf: [{ properties: { a: {} } }, { $ref: '#/$defs/b' }], $defs: { b: { properties: { b: {} } } } }
    const referring = { tools: [{ type: 'function' as const, function: { name: 'f', description: '', parameters } }] }
    for (const options of [of('a', 'b'), of(), undefined, referring]) {
      const { toolCalls } = dialect.parse(text, options)
      expect(toolCalls).toMatchObject([{ name: 'f', truncated: true, tags: ['missing_end'] }])
    }
    expect(read(text, { unfinished: 'never' }).calls).toEqual([])
  })

  it('is a truncated call without parameters only if the tool declares none', () => {
    expect(dialect.parse('<call><function=f>').toolCalls).toMatchObject([{ arguments: '{}', truncated: true }])
    expect(read('<call><function=f>', of('a')).calls).toEqual([])
  })

  it('is a complete call after the end of the function', () => {
    for (const end of ['</function>', '</function></ca', '</call>', '<call><function='])
      expect(read(text + end).calls[0]?.[1]).toBe('{"a": "1"}')
  })

  it('is dropped inside a parameter', () => {
    for (const end of ['<par', '<parameter=b', '<parameter=b>', '<parameter=b>x', '<parameter=b>x</para'])
      expect(read(`<call><function=f>${A1}${end}`)).toEqual({ text: '', calls: [] })
  })

  it('is a call with the received parameters if the policy says so', () => {
    const { toolCalls } = dialect.parse(`<call><function=f>${A1}<parameter=b>x`, { unfinished: 'cut' })
    expect(toolCalls).toMatchObject([{ arguments: '{"a": "1", "b": "x"}', truncated: true }])
  })
})

describe("text that isn't a call", () => {
  it('stays in the text', () => {
    for (const text of [
      'Use <call> tags.',
      'Write <function=name> and so on',
      '<call>\n<function>\n</function>\n</call>',
      'a < function = b > c',
    ])
      expect(read(text)).toEqual({ text, calls: [] })
  })

  it('is reported as malformed if it was meant as a call', () => {
    const { text, malformedCalls } = dialect.parse('<call>{"title":"f"}</call> x')
    expect([text, malformedCalls]).toEqual(['<call>{"title":"f"}</call> x', ['<call>{"title":"f"}</call>']])
  })

  it('may be a call without arguments', () => {
    const text = '<call><function=f></function></call>'
    for (const one of [text, '<function=f/>', '<call><function=f></call>'])
      expect(read(one, { missingArguments: 'malformed' }).calls).toEqual([])
    expect(dialect.parse(text, { missingArguments: 'malformed' }).malformedCalls).toHaveLength(1)
  })

  it('may be a call to an undeclared tool', () => {
    const text = '<function=g></function>'
    expect(read(text, { tools: TOOLS }).calls).toEqual([['g', '{}', 'unknown_tool']])
    expect(read(text, { tools: TOOLS, unknownTool: 'text' })).toEqual({ text, calls: [] })
  })

  it('is withdrawn alone after a complete call', () => {
    const { text, toolCalls, malformedCalls } = dialect.parse('<call><function=f></function><function=g>?</function></call>')
    expect([toolCalls.length, text, malformedCalls]).toEqual([1, '<function=g>?</function></call>', ['<function=g>']])
  })
})

describe('a stream', () => {
  it('emits string parameters as they arrive', () => {
    const parser = dialect.streamParser()
    const emitted = (piece: string) => parser.push(piece).map((delta: LMDelta) => ('text' in delta ? delta.text : delta.type))
    expect(emitted('<call><function=f><para')).toEqual([])
    expect(emitted('meter=a>\nab')).toEqual(['call_start', '{', '"a": ', '"', 'ab'])
    expect(emitted('c\n</par')).toEqual(['c'])
    expect(emitted('ty>')).toEqual(['\\n</party>'])
    expect(emitted('</parameter></function>')).toEqual(['"', '}', 'call_end'])
    expect(emitted('\n')).toEqual([])
  })

  it('waits for the end of a number', () => {
    const parameters = { type: 'object', properties: { a: { type: 'integer' } } }
    const parser = dialect.streamParser({ tools: [{ type: 'function', function: { name: 'f', description: '', parameters } }] })
    const emitted = (piece: string) => parser.push(piece).flatMap((delta) => (delta.type === 'arguments' ? [delta.text] : []))
    expect(emitted('<function=f><parameter=a>4')).toEqual(['{'])
    expect(emitted('2</parameter></function>').join('')).toBe('"a": 42}')
  })
})

describe('writing calls', () => {
  const format = (name: string, args: object, of = dialect) => of.formatCall({ id: '', name, arguments: JSON.stringify(args) })

  it('writes strings unchanged, and other values as JSON', () => {
    expect(format('f', { a: 'x', b: [1] })).toEqual({
      ok: true,
      text: '<call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n<parameter=b>\n[1]\n</parameter>\n</function>\n</call>',
    })
    expect(format('f', { a: 'x' }, lenient)).toMatchObject({ text: expect.stringContaining('<parameter=a>x</parameter>') })
  })

  it('refuses values that would be parsed differently', () => {
    expect(format('f>', {})).toMatchObject({ ok: false, code: 'invalid_name' })
    expect(format('f', { '': 1 })).toMatchObject({ ok: false, code: 'unrepresentable_value' })
    for (const value of ['</function>', 'x<parameter=b>', '<call>\n<function=g>', '< / call >'])
      expect(format('f', { a: value })).toMatchObject({
        ok: false,
        code: 'unrepresentable_value',
        message: expect.stringMatching(/ Use a dialect that writes arguments as JSON\.$/),
      })
  })

  it('escapes an end tag in JSON', () => {
    const formatted = format('f', { a: ['</function>', '< parameter =b>'] })
    expect(formatted).toMatchObject({ text: expect.stringContaining('["\\u003c/function>","\\u003c parameter =b>"]') })
  })
})

describe('a body that is one JSON object', () => {
  const calls = (text: string) => dialect.parse(text).toolCalls.map(({ name, arguments: args }) => [name, args])

  it('contains the arguments of a function, or a whole call', () => {
    const args = '{"q": "a < b"}'
    for (const text of [
      `<call><function=f>${args}</function></call>`,
      `<function=f>\n${args}\n</function>`,
      `<call>{"name": "f", "arguments": ${args}}</call>`,
    ])
      expect(calls(text)).toEqual([['f', args]])
  })

  it("isn't accepted in prose", () => {
    for (const text of ['Write <function=f>{', '<function=f>{x} and so on', '<function=f>{"q": 1} and so on'])
      expect(calls(text)).toEqual([])
  })
})
