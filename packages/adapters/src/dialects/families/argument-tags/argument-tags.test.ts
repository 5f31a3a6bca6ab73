import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParserOptions } from '../../define/dialect.ts'
import { glm45 } from '../../glm45.ts'
import { glm47 } from '../../glm47.ts'
import { hunyuanV3 } from '../../hunyuan-v3.ts'
import { hunyuanV4 } from '../../hunyuan-v4.ts'

const TOOLS = [
  {
    type: 'function' as const,
    function: {
      name: 'edit',
      description: 'Edits a file.',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          line: { type: 'integer' },
          tags: { type: 'array' },
          note: { type: ['string', 'null'] },
        },
      },
    },
  },
]

function read(text: string, options: ParserOptions = { tools: TOOLS }, dialect = glm45) {
  const { text: prose, toolCalls } = dialect.parse(text, options)
  return { text: prose, calls: toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]) }
}

/** Parses one parameter of the tool `edit`. */
function readValue(key: string, value: string, dialect = glm45): unknown {
  const { calls } = read(
    `<tool_call>edit\n<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n</tool_call>`,
    { tools: TOOLS },
    dialect,
  )
  return calls[0]?.[1][key]
}

/** Returns the tags of the only call, and whether it is truncated. */
function tagsOf(text: string, options: ParserOptions = {}, dialect = glm45) {
  const [call] = dialect.parse(text, options).toolCalls
  return { arguments: call?.arguments, tags: call?.tags, truncated: call?.truncated }
}

describe('a call in argument tags', () => {
  it('needs neither line breaks nor arguments', () => {
    expect(read('<tool_call>edit<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>').calls).toEqual([
      ['edit', { path: 'a' }],
    ])
    expect(read('<tool_call>edit</tool_call>').calls).toEqual([['edit', {}]])
  })

  it('may have arguments after its name', () => {
    expect(read('<tool_call>edit path="a b" line=3</tool_call>').calls).toEqual([['edit', { path: 'a b', line: 3 }]])
  })

  it('may have escaped line breaks', () => {
    expect(read('<tool_call>edit\\n<arg_key>path</arg_key>\\n<arg_value>a</arg_value>\\n</tool_call>').calls).toEqual([
      ['edit', { path: 'a' }],
    ])
  })

  it('may lack the tags around its values', () => {
    const text = '<tool_call>edit<arg_key>path</arg_key>a</arg_value><arg_key>line<arg_value>3</tool_call>'
    expect(read(text).calls).toEqual([['edit', { path: 'a', line: 3 }]])
    expect(tagsOf(text)).toMatchObject({ tags: ['repaired'] })
  })

  it('is malformed if a key has no value', () => {
    for (const end of ['</tool_call>', '<arg_key>note</arg_key><arg_value>b</arg_value></tool_call>']) {
      const text = `<tool_call>edit<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>line</arg_key>${end}`
      expect(glm45.parse(text, { tools: TOOLS })).toEqual({ text, toolCalls: [], malformedCalls: [text] })
    }
  })

  it('ends a value without a close tag before the line break of the next tag', () => {
    for (const space of ['\n', '\r\n', '\n  '])
      for (const end of [`<arg_key>line</arg_key>${space}<arg_value>3</arg_value>${space}</tool_call>`, '</tool_call>']) {
        const text = `<tool_call>edit${space}<arg_key>path</arg_key>${space}<arg_value>a b${space}${end}`
        expect(read(text).calls).toMatchObject([['edit', { path: 'a b' }]])
      }
    const closed = '<tool_call>edit<arg_key>path</arg_key><arg_value>a\n</arg_value></tool_call>'
    expect(read(closed).calls).toEqual([['edit', { path: 'a\n' }]])
  })

  it('may have text between its arguments, which is removed and tagged', () => {
    const text =
      '<tool_call>edit<arg_key>path</arg_key><arg_value>a</arg_value> and <arg_key>line</arg_key><arg_value>3</arg_value></tool_call>'
    expect(tagsOf(text)).toMatchObject({ arguments: '{"path": "a", "line": 3}', tags: ['repaired'] })
    expect(tagsOf(text.replace(' and ', '\n')).tags).toBeUndefined()
  })

  it('ends at the start of the next call', () => {
    const text = '<tool_call>edit<arg_key>path</arg_key><arg_value>a</arg_value>\n<tool_call>now</tool_call>'
    expect(read(text).calls).toEqual([
      ['edit', { path: 'a' }],
      ['now', {}],
    ])
  })

  it('is text if prose only mentions the tag', () => {
    for (const text of [
      'Write <tool_call> before each call.',
      'Between <tool_call> and <b>',
      `<tool_call>${' word'.repeat(400)}`,
    ])
      expect(read(text)).toEqual({ text, calls: [] })
  })

  it("isn't a call if its JSON has no name, and stays in the text", () => {
    const text = '<tool_call>{"title": "edit"}</tool_call>'
    expect(glm45.parse(text)).toEqual({ text, toolCalls: [], malformedCalls: [text] })
  })

  it('is text if its tool is unknown and the policy says so', () => {
    const text = '<tool_call>drop</tool_call>'
    expect(read(text, { tools: TOOLS, unknownTool: 'text' })).toEqual({ text, calls: [] })
  })
})

describe('a value in argument tags', () => {
  it('is unchanged if it is declared as a string', () => {
    for (const value of ['  a\n', '12', '<b> & </b>', '"a" and "b"', 'null']) expect(readValue('path', value)).toBe(value)
  })

  it('is parsed if it is declared as another type', () => {
    expect([readValue('line', ' 3 '), readValue('tags', "['a', True]"), readValue('note', 'null')]).toEqual([
      3,
      ['a', true],
      null,
    ])
  })

  it('may be escaped once if a list is declared', () => {
    expect(readValue('tags', '[{\\"a\\": \\"b\\\\\\\\c\\"}]')).toEqual([{ a: 'b\\c' }])
  })

  it("is a JSON or Python literal, or a string, if it isn't declared", () => {
    const values = ['42', 'True', "{'a': None}", '[see notes]', '2025-08-01', '1e999', '"a"'].map((value) =>
      readValue('other', value),
    )
    expect(values).toEqual([42, true, { a: null }, '[see notes]', '2025-08-01', '1e999', 'a'])
  })

  it('loses the quotes of a declared string only if the string needs them, but always in GLM 4.7', () => {
    expect([readValue('path', '"use client"'), readValue('path', '"12"')]).toEqual(['"use client"', '12'])
    expect(readValue('path', '"London"', glm47)).toBe('London')
  })

  it("may contain tags that don't end it", () => {
    for (const value of ['a</arg_value>b', '<tool_call>edit', '</tool_cal', '</tool_calls>', 'a <arg_key'])
      expect(readValue('path', value)).toBe(value)
  })

  it("can't change a prototype", () => {
    const text = '<tool_call>edit<arg_key>__proto__</arg_key><arg_value>{"bad": 1}</arg_value></tool_call>'
    expect(tagsOf(text).arguments).toBe('{"__proto__": {"bad": 1}}')
    expect('bad' in {}).toBe(false)
  })

  it('is emitted as it arrives if it is a string', () => {
    const parser = glm45.streamParser({ tools: TOOLS })
    parser.push('<tool_call>edit\n<arg_key>path</arg_key>\n<arg_value>src')
    expect(parser.push('/a</arg')).toEqual([{ type: 'arguments', index: 0, text: '/a' }])
  })
})

describe('text that ends inside a call', () => {
  const PAIR = '<tool_call>edit<arg_key>path</arg_key><arg_value>a</arg_value>'

  it('yields a truncated call if arguments may be missing', () => {
    expect(tagsOf(PAIR)).toEqual({ arguments: '{"path": "a"}', tags: ['missing_end'], truncated: true })
  })

  it('yields a complete call if all declared parameters were written', () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } } }
    const tools = [{ type: 'function' as const, function: { name: 'edit', description: '', parameters } }]
    expect(tagsOf(PAIR, { tools })).toEqual({ arguments: '{"path": "a"}', tags: ['missing_end'], truncated: undefined })
  })

  it('yields no call inside a parameter, and none at all in GLM 4.7', () => {
    for (const rest of ['<arg', '<arg_key>line', '<arg_key>line</arg_key>', '<arg_key>line</arg_key><arg_value>1'])
      expect(glm45.parse(PAIR + rest).toolCalls).toEqual([])
    expect(glm47.parse(PAIR).toolCalls).toEqual([])
  })

  it('yields the received arguments in Hunyuan, without the start of a tag', () => {
    const cut = (rest: string) => tagsOf(`<tool_calls>\n<tool_call>edit<tool_sep>${rest}`, { tools: TOOLS }, hunyuanV3)
    expect(cut('<arg_key>path</arg_key>')).toMatchObject({ arguments: '{}', truncated: true })
    for (const rest of ['', '</arg', '</arg_value>\n<arg_'])
      expect(cut(`<arg_key>path</arg_key><arg_value>src${rest}`)).toMatchObject({ arguments: '{"path": "src"}', truncated: true })
  })
})

describe('a written call', () => {
  const DIALECTS = [glm45, glm47, hunyuanV3, hunyuanV4]

  it('is parsed without any schema', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('12', ' true', "'a'", '</arg_value>\n<arg_key>', '"', 'a</tool_call>'))
    const args = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value)
    fc.assert(
      fc.property(args, fc.constantFrom(...DIALECTS), (given, dialect) => {
        const written = dialect.formatCall({ id: '1', name: 'edit', arguments: JSON.stringify(given) })
        // A key that could change a prototype is never parsed, so it isn't written either.
        if (JSON.stringify(given).includes('"__proto__":')) {
          expect(written).toMatchObject({ code: 'invalid_arguments' })
          return
        }
        const [call] = written.ok ? dialect.parse(written.text).toolCalls : []
        expect(JSON.parse(call?.arguments ?? '')).toEqual(JSON.parse(JSON.stringify(given)))
      }),
      { examples: [[{ a: [{ ['__proto__']: 0 }] }, glm45]] },
    )
  })

  it('is refused if its name or a key would be parsed differently', () => {
    for (const name of ['', ' a', 'a<arg_key>', '{a', 'a b=1'])
      expect(glm45.formatCall({ id: '1', name, arguments: '{}' })).toMatchObject({ ok: false, code: 'invalid_name' })
    for (const key of [' a', 'a</arg_key>'])
      expect(glm45.formatCall({ id: '1', name: 'edit', arguments: JSON.stringify({ [key]: 1 }) })).toMatchObject({
        code: 'unrepresentable_value',
      })
  })
})

describe('a body that is one JSON object', () => {
  const calls = (text: string, options?: ParserOptions) =>
    glm47.parse(text, options).toolCalls.map(({ name, arguments: args, tags }) => [name, args, ...(tags ?? [])])

  it('contains the arguments after a name, or a whole call', () => {
    const args = '{"q": "a <b> {c}"}'
    for (const text of [`f\n${args}\n`, `f${args}`, `f: ${args}`, ` {"name": "f", "arguments": ${args}} `])
      expect(calls(`<tool_call>${text}</tool_call>`)).toEqual([['f', args]])
  })

  it('is complete only with the end tag, if the policy says so', () => {
    for (const text of ['<tool_call>f {"q": 1}', '<tool_call>{"name": "f", "arguments": {"q": 1}}']) {
      expect(calls(text)).toEqual([])
      expect(calls(text, { unfinished: 'whole' })).toEqual([['f', '{"q": 1}', 'missing_end']])
    }
  })

  it("doesn't affect the next call if it can't be parsed", () => {
    const { toolCalls, malformedCalls } = glm47.parse('<tool_call>f {no JSON}</tool_call><tool_call>g {"q": 1}</tool_call>')
    expect([toolCalls.map(({ name }) => name), malformedCalls]).toEqual([['g'], ['<tool_call>f {no JSON}</tool_call>']])
  })
})
