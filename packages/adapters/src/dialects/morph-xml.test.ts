import { describe, expect, it } from 'vitest'
import { morphXml } from './morph-xml.ts'

const properties = { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } }
const tools = [
  { type: 'function' as const, function: { name: 'read', description: '', parameters: { type: 'object', properties } } },
]

describe('morph_xml', () => {
  it('parses what it writes', () => {
    const call = { id: 'call_0', name: 'read', arguments: '{"path": "<a> & </read>", "lines": [1, 2]}' }
    const formatted = morphXml.formatCall(call)
    expect(formatted).toEqual({
      ok: true,
      text: '<read>\n<path>&lt;a&gt; &amp; &lt;/read&gt;</path>\n<lines>[1,2]</lines>\n</read>',
    })
    expect(formatted.ok && morphXml.parse(formatted.text, { tools }).toolCalls).toMatchObject([
      { name: 'read', arguments: '{"path": "<a> & </read>", "lines": [1,2]}' },
    ])
  })

  it("refuses names that can't be tags", () => {
    for (const name of ['a b', 'a<', '', 'think'])
      expect(morphXml.formatCall({ id: '', name, arguments: '{}' })).toMatchObject({
        ok: false,
        code: 'invalid_name',
        message: expect.stringMatching(/ Rename the tool\.$/),
      })
    expect(morphXml.formatCall({ id: '', name: 'read', arguments: '{"a b": 1}' })).toMatchObject({
      ok: false,
      code: 'unrepresentable_value',
      message: expect.stringMatching(/ Rename the parameter\.$/),
    })
  })

  it('treats a call to an undeclared tool as text', () => {
    expect(morphXml.parse('<write><path>a</path></write>', { tools })).toEqual({
      text: '<write><path>a</path></write>',
      toolCalls: [],
    })
  })

  it('creates a list from repeated elements by default', () => {
    const text = '<read><path>a</path><path>b</path></read>'
    expect(morphXml.parse(text, { tools }).toolCalls[0]?.arguments).toBe('{"path": ["a", "b"]}')
    expect(morphXml.parse(text, { tools, repeatedParameter: 'last' }).toolCalls[0]?.arguments).toBe('{"path": "b"}')
  })

  it('leaves no tag in a result', () => {
    expect(morphXml.formatResult({ callId: 'a', name: 'read', ok: true, text: '1 < 2 <read/>' })).toBe(
      '<tool_response>\n1 &lt; 2 &lt;read/>\n</tool_response>',
    )
  })
})

describe('reasoning', () => {
  const words =
    'get set list cancel select search send write read open close move copy merge split find drop add ask book call draw edit fetch go help index join keep look make note order pay query run save test update view'
  const names = words.split(' ').map((word) => `${word}_file`)
  const many = names.map((name) => ({ type: 'function' as const, function: { name, description: '', parameters: {} } }))
  const held = '<think>use <canvas> or <select> or </send_file> here'

  function push(text: string): string {
    return morphXml
      .streamParser({ tools: many })
      .push(text)
      .map((delta) => (delta.type === 'reasoning' ? delta.text : ''))
      .join('')
  }

  it("is emitted as it arrives after tags that aren't tools, however many tools there are", () => {
    expect(push(held)).toBe('use <canvas> or <select> or </send_file> here')
    expect(push(`${held} <send_file> there`)).toBe('use <canvas> or <select> or </send_file> here ')
  })

  it('keeps the tag of a tool if it is closed, and yields the call otherwise', () => {
    const call = '<send_file><a>1</a></send_file>'
    expect(morphXml.parse(`${held} ${call} so</think>ok`, { tools: many })).toEqual({
      text: 'ok',
      reasoning: `${held.slice('<think>'.length)} ${call} so`,
      toolCalls: [],
    })
    expect(morphXml.parse(`${held} ${call}`, { tools: many }).toolCalls).toMatchObject([{ name: 'send_file' }])
  })
})

it('accepts one JSON object with all arguments', () => {
  const tools = [{ type: 'function', function: { name: 'f', description: '', parameters: { type: 'object' } } } as const]
  expect(morphXml.parse('<f>\n{"q": "a < b"}\n</f>', { tools }).toolCalls[0]?.arguments).toBe('{"q": "a < b"}')
})
