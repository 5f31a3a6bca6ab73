/** Tests calls in Python syntax, between markers and in a list within text. */
import { describe, expect, it } from 'vitest'
import type { ParserOptions } from '../../define/dialect.ts'
import { defineDialect } from '../../define/own-dialect.ts'
import { olmo3 } from '../../olmo3.ts'
import { pythonBlock, pythonList } from './python-block.ts'
import { formatPythonCalls } from './python-format.ts'

const marked = defineDialect({
  name: 'marked',
  blocks: [pythonBlock({ open: '<calls>', close: '</calls>', bareWords: true, mayEcho: true })],
  ignored: '</calls>',
  formatCalls: (calls) => formatPythonCalls(calls, (texts) => `<calls>${texts.join('\n')}</calls>`),
})
const listed = defineDialect({
  name: 'listed',
  blocks: [{ open: '[', read: pythonList({}) }],
  formatCalls: (calls) => formatPythonCalls(calls, (texts) => `[${texts.join(', ')}]`),
})
const lenient = defineDialect({
  name: 'lenient',
  blocks: [{ open: '[', read: pythonList({ nestedCalls: true, dropsPositional: true }) }],
  formatCalls: () => '',
})

function toolsOf(...names: string[]): ParserOptions {
  return { tools: names.map((name) => ({ type: 'function', function: { name, description: '', parameters: {} } })) }
}

function read(dialect: typeof marked, text: string, options?: ParserOptions): { text: string; calls: string[][] } {
  const parsed = dialect.parse(text, options)
  return { text: parsed.text, calls: parsed.toolCalls.map((call) => [call.name, call.arguments]) }
}

describe('a call', () => {
  it('has named arguments', () => {
    expect(read(listed, `[f(a=1, b='x', c={'d': [None, -2.5]},), g()]`)).toEqual({
      text: '',
      calls: [
        ['f', '{"a": 1, "b": "x", "c": {"d": [null, -2.5]}}'],
        ['g', '{}'],
      ],
    })
  })

  it('may have any name without characters of the syntax', () => {
    for (const name of ['a.b.c', 'get-weather', 'ns:tool/v2', 'größe', '天気'])
      expect(read(listed, `[${name}(a=1)]`).calls).toEqual([[name, '{"a": 1}']])
  })

  it('may have a name with spaces in prose only if a tool has that name', () => {
    expect(read(listed, '[my tool(a=1)]', toolsOf('my tool')).calls).toEqual([['my tool', '{"a": 1}']])
    expect(read(listed, '[my tool(a=1)]')).toEqual({ text: '[my tool(a=1)]', calls: [] })
  })

  it("may have argument names that aren't valid in Python, in a dictionary or in quotes", () => {
    expect(read(listed, `[f(a=1, **{"two words": 2, '': 3}, "c d"=4)]`).calls).toEqual([
      ['f', '{"a": 1, "two words": 2, "": 3, "c d": 4}'],
    ])
  })

  it("isn't a call if it has an unnamed argument, unless such arguments are dropped", () => {
    expect(read(listed, '[f(1, b=2)]')).toEqual({ text: '[f(1, b=2)]', calls: [] })
    expect(lenient.parse('[f(1, "x", [2], b=2)]').toolCalls).toMatchObject([{ arguments: '{"b": 2}', tags: ['repaired'] }])
  })

  it('may be a value if the dialect allows it', () => {
    expect(read(listed, '[f(a=g(b=1))]').calls).toEqual([])
    expect(read(lenient, `[f(a=g(b=1, c=h(d=')')))]`).calls).toEqual([['f', '{"a": {"g": {"b": 1, "c": {"h": {"d": ")"}}}}}']])
    expect(read(lenient, '[f(a=g(1, 2), b=g())]').calls).toEqual([['f', '{"a": "g(1, 2)", "b": "g()"}']])
    const tooMany = `[f(a=${'g(b='.repeat(20)}1${')'.repeat(20)})]`
    expect(read(lenient, tooMany)).toEqual({ text: tooMany, calls: [] })
  })

  it('is malformed if an argument is repeated with another value, or uses the last one if the policy says so', () => {
    expect(listed.parse('[f(a=1, a=2)]')).toMatchObject({ toolCalls: [], malformedCalls: ['[f(a=1, a=2)]'] })
    const last = { arguments: '{"a": 2}', tags: ['repeated_parameter'] }
    expect(listed.parse('[f(a=1, a=2)]', { repeatedParameter: 'last' }).toolCalls).toMatchObject([last])
    expect(listed.parse('[f(a=2, a=2)]').toolCalls).toMatchObject([last])
  })

  it('of an unknown tool is returned, or is text', () => {
    expect(listed.parse('[f(a=1)]', toolsOf('g')).toolCalls).toMatchObject([{ name: 'f', tags: ['unknown_tool'] }])
    expect(read(listed, '[f(a=1)]', { ...toolsOf('g'), unknownTool: 'text' })).toEqual({ text: '[f(a=1)]', calls: [] })
  })
})

describe('a list in text', () => {
  it('keeps the text around it', () => {
    expect(read(listed, 'Now: [f(a="]")] Done.')).toEqual({ text: 'Now:  Done.', calls: [['f', '{"a": "]"}']] })
  })

  it("isn't found in other brackets", () => {
    for (const text of [
      'See [1] and [a](b).',
      'x[i](y)',
      '[]',
      '[note (a=1)]',
      '[[1], [f]]',
      'a [f(x)] b',
      '[f(a=1) is a call]',
      '[f(a=x)]',
    ])
      expect(read(listed, text)).toEqual({ text, calls: [] })
  })

  it('may start directly after another bracket', () => {
    expect(read(listed, '[[f(a=1)]')).toEqual({ text: '[', calls: [['f', '{"a": 1}']] })
  })

  it('yields the calls before a truncated one', () => {
    expect(listed.parse('Hm [f(a=1), g(b="x', toolsOf('f', 'g'))).toMatchObject({
      text: 'Hm',
      toolCalls: [{ name: 'f' }],
      malformedCalls: [expect.stringContaining('g(b="x')],
    })
  })

  it('needs no closing bracket after a complete call, unless the policy requires it', () => {
    expect(listed.parse('[f(a=1)').toolCalls).toMatchObject([{ name: 'f', tags: ['missing_end'] }])
    expect(listed.parse('[f(a=1)', { unfinished: 'never' }).toolCalls).toEqual([])
    expect(listed.parse('[f(a=1, b="x', { unfinished: 'cut' }).toolCalls).toMatchObject([
      { arguments: '{"a": 1, "b": "x"}', truncated: true },
    ])
  })

  it('at the end of the text is truncated only if a tool may have that name', () => {
    expect(read(listed, 'Look: [get_', toolsOf('get_it')).text).toBe('Look:')
    expect(read(listed, 'Look: [see', toolsOf('get_it')).text).toBe('Look: [see')
  })
})

describe('a block', () => {
  const calls = [
    ['f', '{"a": 1}'],
    ['g', '{}'],
  ]

  it('contains calls with or without brackets, separated by commas or lines', () => {
    for (const inside of ['[f(a=1), g()]', 'f(a=1)\ng()', ' f( a = 1 ) , g ( ) ', '[f(a=1)\n g()]', '[f(a=1), g(),]'])
      expect(read(marked, `<calls>${inside}</calls>`)).toEqual({ text: '', calls })
  })

  it('may contain calls as JSON', () => {
    expect(read(marked, '<calls>[{"name":"f","arguments":{"a": 1}},{"name":"g"}]</calls>').calls).toEqual(calls)
  })

  it('treats a word as a string, and tags the call', () => {
    expect(marked.parse('<calls>f(unit=celsius, day=2024-01-02)</calls>').toolCalls).toMatchObject([
      { arguments: '{"unit": "celsius", "day": "2024-01-02"}', tags: ['repaired'] },
    ])
  })

  it("isn't closed by a marker in a string", () => {
    expect(read(marked, `<calls>f(a='</calls>')</calls>`).calls).toEqual([['f', '{"a": "</calls>"}']])
  })

  it("stays in the text with both markers if it can't be parsed", () => {
    const text = 'a <calls>[f(a=\t)f(]</calls> b'
    expect(marked.parse(text)).toEqual({ text, toolCalls: [], malformedCalls: ['<calls>[f(a=\t)f(]</calls>'] })
  })

  it('is removed if it contains no calls', () => {
    expect(read(marked, '<calls> \n </calls>')).toEqual({ text: '', calls: [] })
  })

  it('may be repeated after its end', () => {
    expect(read(marked, '<calls>[f(a=1)]</calls>[f(a=1)]</calls>')).toEqual({ text: '', calls: [['f', '{"a": 1}']] })
    expect(read(marked, '<calls>[f(a=1)]</calls>[f(a=1)] says it').text).toBe('[f(a=1)] says it')
  })
})

describe('calls in pieces', () => {
  it('emit a string as it arrives, escape by escape', () => {
    const parser = listed.streamParser()
    const pieces = ['[f(a="one ', 'two\\', 'nthree', '", b=[1', ', 2])]']
    const texts = pieces.map((piece) =>
      parser
        .push(piece)
        .flatMap((delta) => (delta.type === 'arguments' ? [delta.text] : []))
        .join(''),
    )
    expect(texts).toEqual(['{"a": "one ', 'two', '\\nthree', '"', ', "b": [1, 2]}'])
  })

  it('emit text up to a bracket as it arrives', () => {
    const parser = listed.streamParser()
    expect(parser.push('See [')).toEqual([{ type: 'text', text: 'See ' }])
    expect(parser.push('1')).toEqual([])
    expect(parser.push('] for')).toMatchObject([{ text: '[1' }, { text: '] for' }])
  })
})

describe('written calls', () => {
  const write = (name: string, args: unknown) => listed.formatCalls([{ id: '', name, arguments: JSON.stringify(args) }])

  it('are valid Python', () => {
    expect(write('f', { a: [true, null, { b: "it's" }], 'two words': -1 })).toEqual({
      ok: true,
      text: `[f(a=[True, None, {"b": "it's"}], **{"two words": -1})]`,
    })
  })

  it('are refused if the name would end early', () => {
    for (const name of ['', ' f', 'f(', 'a,b', 'a\nb', '<f>', 'a'.repeat(300)])
      expect(write(name, {})).toMatchObject({ ok: false, code: 'invalid_name' })
  })

  it('are refused if a value is nested too deeply', () => {
    const nested = (depth: number) => ({ a: JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown })
    expect(write('f', nested(128))).toMatchObject({ ok: true })
    expect(write('f', nested(129))).toMatchObject({
      ok: false,
      code: 'unrepresentable_value',
      message: expect.stringMatching(/ Flatten the argument\.$/),
    })
  })
})

it("a line that can't be parsed doesn't affect other calls", () => {
  const { toolCalls, malformedCalls } = olmo3.parse('<function_calls>f(a=1)\ng(a=)b\nh(a=1)</function_calls>')
  expect([toolCalls.map(({ name }) => name), malformedCalls]).toEqual([['f', 'h'], ['g(a=)b\n']])
})
