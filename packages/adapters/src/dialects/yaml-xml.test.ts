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
})
