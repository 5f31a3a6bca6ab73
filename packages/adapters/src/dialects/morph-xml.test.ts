import { describe, expect, it } from 'vitest'
import { morphXml } from './morph-xml.ts'

const properties = { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } }
const tools = [
  { type: 'function' as const, function: { name: 'read', description: '', parameters: { type: 'object', properties } } },
]

describe('morph_xml', () => {
  it('reads back what it writes', () => {
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

  it('refuses names that cannot be tags', () => {
    for (const name of ['a b', 'a<', '', 'think'])
      expect(morphXml.formatCall({ id: '', name, arguments: '{}' })).toMatchObject({ ok: false, code: 'invalid_name' })
    expect(morphXml.formatCall({ id: '', name: 'read', arguments: '{"a b": 1}' })).toMatchObject({
      ok: false,
      code: 'unsayable_value',
    })
  })

  it('reads a call of a tool that is not declared as text', () => {
    expect(morphXml.parse('<write><path>a</path></write>', { tools })).toEqual({
      text: '<write><path>a</path></write>',
      toolCalls: [],
    })
  })

  it('makes a list of what is repeated, unless told', () => {
    const text = '<read><path>a</path><path>b</path></read>'
    expect(morphXml.parse(text, { tools }).toolCalls[0]?.arguments).toBe('{"path": ["a", "b"]}')
    expect(morphXml.parse(text, { tools, repeatedParameter: 'last' }).toolCalls[0]?.arguments).toBe('{"path": "b"}')
  })

  it('leaves no tag in a result', () => {
    expect(morphXml.formatResult({ text: '1 < 2 <read/>' } as never)).toBe(
      '<tool_response>\n1 &lt; 2 &lt;read/>\n</tool_response>',
    )
  })
})
