import { describe, expect, it } from 'vitest'
import { yamlXml } from './yaml-xml.ts'

const tools = [{ type: 'function' as const, function: { name: 'write', description: '', parameters: {} } }]

describe('yaml_xml', () => {
  it('reads back what it writes', () => {
    const call = { id: 'call_0', name: 'write', arguments: '{"path": "a.py", "text": "def f():\\n  return \\"<b>\\"\\n"}' }
    const formatted = yamlXml.formatCall(call)
    expect(formatted).toEqual({ ok: true, text: '<write>\npath: a.py\ntext: |\n  def f():\n    return "<b>"\n</write>' })
    expect(formatted.ok && yamlXml.parse(formatted.text, { tools }).toolCalls).toMatchObject([call])
  })

  it('writes its own end tag with an escape', () => {
    const formatted = yamlXml.formatCall({ id: '', name: 'write', arguments: '{"text": "x\\n</write>\\n"}' })
    expect(formatted).toEqual({ ok: true, text: '<write>\ntext: "x\\n\\u003c/write>\\n"\n</write>' })
  })

  it('keeps what it cannot read in the text', () => {
    const text = '<write>\n- a list\n</write>'
    expect(yamlXml.parse(text, { tools })).toEqual({ text, toolCalls: [], unreadCalls: [text] })
  })

  it('decides by its policy what a repeated key is', () => {
    const text = '<write>\na: 1\nb: {}\na: x\n</write>'
    for (const [options, a] of [
      [{}, '"x"'],
      [{ repeatedParameter: 'first' }, '1'],
      [{ repeatedParameter: 'list' }, '[1, "x"]'],
    ] as const)
      expect(yamlXml.parse(text, { tools, ...options }).toolCalls).toMatchObject([
        { arguments: `{"a": ${a}, "b": {}}`, tags: ['repeated_parameter'] },
      ])
  })

  it.each([
    ['t: a\nt: b', '["a", "b"]'],
    ['t: [a]\nt: [b, c]', '["a", "b", "c"]'],
    ['t:\n  - a\nt: b', '["a", "b"]'],
    ['t: []\nt: b', '["b"]'],
    ['n: 1\nn: "2"', '[1, 2]'],
  ])('joins what is repeated where the schema declares an array: %j', (body, list) => {
    const properties = { t: { type: 'array', items: { type: 'string' } }, n: { type: 'array', items: { type: 'integer' } } }
    const parameters = { type: 'object', properties }
    const declared = [{ type: 'function' as const, function: { name: 'write', description: '', parameters } }]
    for (const repeatedParameter of ['first', 'last', 'list'] as const) {
      const [call] = yamlXml.parse(`<write>\n${body}\n</write>`, { tools: declared, repeatedParameter }).toolCalls
      expect(JSON.parse(call?.arguments ?? '')[body.charAt(0)]).toEqual(JSON.parse(list))
      expect(call?.tags ?? []).not.toContain('repeated_parameter')
    }
  })
})
