import { describe, expect, it } from 'vitest'
import { deepseekV4 } from '../../deepseek-v4.ts'
import { deepseekV32 } from '../../deepseek-v32.ts'
import type { Dialect, ParserOptions } from '../../define/dialect.ts'
import { minimaxM2 } from '../../minimax-m2.ts'
import { step3 } from '../../step3.ts'

/** Returns the parsed calls with name, arguments and tags. */
function read(dialect: Dialect, text: string, options?: ParserOptions): unknown[] {
  return dialect.parse(text, options).toolCalls.map(({ name, arguments: json, tags = [] }) => [name, JSON.parse(json), ...tags])
}

const inBlock = (calls: string) => `<minimax:tool_call>\n${calls}\n</minimax:tool_call>`
const m2 = (calls: string, options?: ParserOptions) => read(minimaxM2, inBlock(calls), options)
const dsml = (parameters: string, options?: ParserOptions) =>
  read(deepseekV4, `<｜DSML｜tool_calls><｜DSML｜invoke name="f">${parameters}</｜DSML｜invoke></｜DSML｜tool_calls>`, options)
const dsmlParameter = (type: string, value: string, name = 'a') =>
  `<｜DSML｜parameter name="${name}" string="${type}">${value}</｜DSML｜parameter>`

function toolWith(properties: Record<string, unknown>): ParserOptions {
  const parameters = { type: 'object', properties }
  return { tools: [{ type: 'function', function: { name: 'f', description: '', parameters } }] }
}

describe('an invoke', () => {
  it('may have attributes in either kind of quotes, or without quotes', () => {
    const call = (name: string) => m2(`<invoke name=${name}><parameter name='a'>1</parameter></invoke>`)
    for (const name of ['"f"', "'f'", 'f', ' "f" ']) expect(call(name), name).toEqual([['f', { a: '1' }]])
    expect(call('"f')).toEqual([['f', { a: '1' }, 'repaired']])
  })

  it('may have any name, with dots, spaces and letters of any script', () => {
    for (const name of ['a.b-c/d:e', 'get weather', '天気', '__proto__']) {
      expect(m2(`<invoke name="${name}"></invoke>`)).toEqual([[name, {}]])
    }
  })

  it('may be one of several, each in its own tags', () => {
    const calls = [
      ['a', {}],
      ['b', { x: '1' }],
    ]
    expect(m2('<invoke name="a"></invoke>\n<invoke name="b"><parameter name="x">1</parameter></invoke>')).toEqual(calls)
  })

  it('without an end tag ends before the next one, and before the end of the block', () => {
    expect(m2('<invoke name="a"><parameter name="x">1</parameter><invoke name="b">')).toEqual([
      ['a', { x: '1' }, 'missing_end'],
      ['b', {}, 'missing_end'],
    ])
  })

  it('without a name is malformed, and stays in the text', () => {
    const text = inBlock('<invoke><parameter name="a">1</parameter></invoke>')
    expect(minimaxM2.parse(`Well: ${text}`)).toEqual({ text: `Well: ${text}`, toolCalls: [], malformedCalls: [text] })
  })

  it("is withdrawn alone if it can't be parsed", () => {
    const { text, toolCalls } = minimaxM2.parse(inBlock('<invoke name="a"></invoke><invoke><parameter'))
    expect(toolCalls).toMatchObject([{ name: 'a', arguments: '{}' }])
    expect(text).toBe('<invoke><parameter\n</minimax:tool_call>')
  })

  it("isn't a call if it is truncated, but a complete one needs no end of its block", () => {
    const cut = '<minimax:tool_call><invoke name="a"><parameter name="x">1</parameter>'
    expect(read(minimaxM2, cut)).toEqual([])
    expect(read(minimaxM2, `${cut}</invoke>\n</minimax:to`)).toEqual([['a', { x: '1' }, 'missing_end']])
    expect(read(minimaxM2, `${cut}</invoke>`, { unfinished: 'never' })).toEqual([])
    expect(minimaxM2.parse(`${cut}<parameter name="y">2`, { unfinished: 'cut' }).toolCalls).toMatchObject([
      { arguments: '{"x": "1", "y": "2"}', truncated: true },
    ])
  })

  it('is text if its tool is undeclared and the policy says so', () => {
    const text = inBlock('<invoke name="g"></invoke>')
    const asText = { ...toolWith({}), unknownTool: 'text' } as const
    for (const malformedBlock of ['text-unless-cut', 'drop'] as const)
      expect(minimaxM2.parse(text, { ...asText, malformedBlock })).toEqual({ text, toolCalls: [] })
    expect(read(minimaxM2, text, toolWith({}))).toEqual([['g', {}, 'unknown_tool']])
  })

  it("isn't a call without its block, and a block without a call is text", () => {
    for (const text of ['<invoke name="a"></invoke>', 'Write <minimax:tool_call> first.'])
      expect(minimaxM2.parse(text)).toEqual({ text, toolCalls: [] })
  })

  it('may contain one JSON object instead of parameters, which is emitted as it arrives', () => {
    const text = inBlock('<invoke name="a">\n{"x": "</invoke>", "y": [1]}\n</invoke>')
    expect(minimaxM2.parse(text).toolCalls).toEqual([{ id: 'call_0', name: 'a', arguments: '{"x": "</invoke>", "y": [1]}' }])
    expect(m2('<invoke name="a">{"x": [1</invoke>')).toEqual([['a', { x: [1] }, 'repaired']])
  })
})

describe('a parameter', () => {
  it('loses one line break on each side, and no other white space', () => {
    expect(m2('<invoke name="f"><parameter name="a">\n  x\n\n</parameter></invoke>')).toEqual([['f', { a: '  x\n' }]])
  })

  it('may contain tags, even its own end tag, unless another parameter or the end of the call follows', () => {
    const value = 'a < b && </div> </parameter> <parameter>'
    expect(m2(`<invoke name="f"><parameter name="a">${value}</parameter></invoke>`)).toEqual([['f', { a: value }]])
  })

  it('without an end tag ends at the next one', () => {
    expect(m2('<invoke name="f"><parameter name="a">1<parameter name="b">2</invoke>')).toEqual([
      ['f', { a: '1', b: '2' }, 'repaired'],
    ])
  })

  it('may have text after it, which is removed and tagged', () => {
    const text = '<invoke name="f"><parameter name="a">1</parameter> and then <parameter name="b">2</parameter></invoke>'
    expect(m2(text)).toEqual([['f', { a: '1', b: '2' }, 'repaired']])
  })

  it('is coerced to its schema', () => {
    const options = toolWith({
      a: { type: 'integer' },
      b: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      c: { enum: ['none'] },
    })
    const parameters = '<parameter name="a">5</parameter><parameter name="b">null</parameter><parameter name="c">none</parameter>'
    expect(m2(`<invoke name="f">${parameters}</invoke>`, options)).toEqual([['f', { a: 5, b: null, c: 'none' }]])
  })

  it('named __proto__ is ordinary data', () => {
    const [call] = minimaxM2.parse(inBlock('<invoke name="f"><parameter name="__proto__">1</parameter></invoke>')).toolCalls
    expect(call?.arguments).toBe('{"__proto__": "1"}')
  })

  it('removes and tags text before the next one', () => {
    const parameter = '<parameter name="a">1</parameter>'
    expect(m2(`<invoke name="f">I think ${parameter}</invoke>`)).toEqual([['f', { a: '1' }, 'repaired']])
  })

  it('is emitted as it arrives if it is a string', () => {
    const parser = minimaxM2.streamParser()
    const text = '<minimax:tool_call><invoke name="f"><parameter name="a">one two three'
    const deltas = [...parser.push(text), ...parser.push(' four')]
    expect(deltas.map((delta) => (delta.type === 'arguments' ? delta.text : delta.type)).join('')).toBe(
      'call_start{"a": "one two three four',
    )
  })
})

describe('DSML', () => {
  it('determines which values are strings, whatever the schema declares', () => {
    expect(dsml(dsmlParameter('true', '42'), toolWith({ a: { type: 'integer' } }))).toEqual([['f', { a: '42' }]])
  })

  it("determines which values are JSON, and the schema decides only what JSON can't", () => {
    const asNull = dsmlParameter('false', 'null')
    expect(dsml(asNull)).toEqual([['f', { a: null }]])
    expect(dsml(asNull, toolWith({ a: { type: 'string' } }))).toEqual([['f', { a: 'null' }]])
    expect(dsml(dsmlParameter('false', 'abc'), toolWith({ a: { type: 'integer' } }))).toEqual([['f', { a: 'abc' }]])
    expect(dsml(dsmlParameter('false', '[1.5]'), toolWith({ a: { type: 'integer' } }))).toEqual([['f', { a: [1.5] }]])
    expect(dsml(dsmlParameter('false', '1e999'))).toEqual([['f', { a: '1e999' }]])
  })

  it('trims no value', () => {
    expect(dsml(dsmlParameter('true', '\n x \n'))).toEqual([['f', { a: '\n x \n' }]])
  })

  it('may have all arguments in one undeclared parameter', () => {
    const wrapped = dsmlParameter('false', '{"q": "tea"}', 'arguments')
    const declared = toolWith({ q: { type: 'string' } })
    expect(dsml(wrapped, declared)).toEqual([['f', { q: 'tea' }, 'repaired']])
    expect(dsml(dsmlParameter('true', '{"q": "tea"}', 'input'), declared)).toEqual([['f', { q: 'tea' }, 'repaired']])
    expect(dsml(wrapped, toolWith({ arguments: { type: 'object' } }))).toEqual([['f', { arguments: { q: 'tea' } }]])
    expect(dsml(wrapped + dsmlParameter('false', '1', 'q'), declared)).toEqual([['f', { arguments: { q: 'tea' }, q: '1' }]])
  })

  it('has a marker with several spellings', () => {
    for (const marker of ['｜DSML｜', '｜｜DSML｜｜', '‖DSML‖', '|DSML|']) {
      const call = `<${marker}invoke name="f"><${marker}parameter name="a" string="false">1</${marker}parameter></${marker}invoke>`
      const text = `<${marker}function_calls>${call}</${marker}function_calls>`
      expect(read(deepseekV32, text), marker).toEqual([['f', { a: 1 }]])
    }
  })
})

describe('the tokens of Step3', () => {
  it('are around each call, and some may be missing', () => {
    const call = '<steptml:invoke name="f"><steptml:parameter name="a">1 < 2</steptml:parameter></steptml:invoke>'
    for (const [before, after] of [
      ['<｜tool_call_begin｜>function<｜tool_sep｜>', '<｜tool_call_end｜>\n'],
      ['<｜tool_call_begin｜>', '<｜tool_call_end｜>'],
      ['', ''],
    ])
      expect(read(step3, `<｜tool_calls_begin｜>${before}${call}${after}<｜tool_calls_end｜>`)).toEqual([['f', { a: '1 < 2' }]])
  })

  it('end a call without an end tag', () => {
    const call = '<｜tool_call_begin｜><steptml:invoke name="f"><steptml:parameter name="a">1<｜tool_call_end｜>'
    expect(read(step3, `<｜tool_calls_begin｜>${call}<｜tool_calls_end｜>`)).toEqual([
      ['f', { a: '1' }, 'repaired', 'missing_end'],
    ])
  })
})

describe('writing', () => {
  const write = (dialect: Dialect, args: object, name = 'f') =>
    dialect.formatCall({ id: '', name, arguments: JSON.stringify(args) })

  it('writes what the model would write', () => {
    expect(write(minimaxM2, { a: 'x', b: [1] })).toMatchObject({
      text: inBlock('<invoke name="f">\n<parameter name="a">x</parameter>\n<parameter name="b">[1]</parameter>\n</invoke>'),
    })
  })

  it("uses one JSON object for arguments that tags can't express", () => {
    for (const args of [{ a: '</invoke>' }, { '': 1 }, { '<': 1 }, { a: '<parameter name="b">' }]) {
      const written = write(minimaxM2, args)
      expect(written.ok && read(minimaxM2, written.text)).toEqual([['f', args]])
    }
    const wrapper = write(deepseekV4, { arguments: { a: 1 } })
    expect(wrapper.ok && read(deepseekV4, wrapper.text)).toEqual([['f', { arguments: { a: 1 } }]])
  })

  it('refuses a name that would be parsed differently', () => {
    for (const name of ['', ' f', 'a>b', `"'`])
      expect(write(step3, {}, name)).toMatchObject({
        ok: false,
        code: 'invalid_name',
        message: expect.stringMatching(/ Rename the tool\.$/),
      })
  })
})

describe('one of several calls', () => {
  const block = (...inner: string[]) => `<minimax:tool_call>\n${inner.join('\n')}\n</minimax:tool_call>`
  const invoke = (name: string, value = '1') => `<invoke name="${name}"><parameter name="a">${value}</parameter></invoke>`

  it("doesn't affect the next one if it can't be parsed", () => {
    const bad = '<invoke name="bad"><parameter nme="a">1</parameter></invoke>'
    const { toolCalls, malformedCalls } = minimaxM2.parse(block(invoke('f'), bad, invoke('g')))
    expect(toolCalls.map(({ name }) => name)).toEqual(['f', 'g'])
    expect(malformedCalls?.map((text) => text.trim())).toEqual([bad])
  })

  it('keeps the last line break of a value that starts on the line of its tag', () => {
    const argsOf = (value: string) => minimaxM2.parse(block(invoke('f', value))).toolCalls[0]?.arguments
    expect(argsOf('x = 1\n')).toBe('{"a": "x = 1\\n"}')
    expect(argsOf('\nx = 1\n')).toBe('{"a": "x = 1"}')
  })
})
