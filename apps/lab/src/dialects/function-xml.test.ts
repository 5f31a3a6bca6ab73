import { defineDialect, type ParserOptions } from '@x/adapters/dialects'
import { describe, expect, it } from 'vitest'
import { functionXml } from './function-xml.ts'

const dialect = defineDialect({ name: 'xml', blocks: [functionXml], formatCalls: () => '' })

function read(text: string, options?: ParserOptions): readonly string[] {
  return dialect.parse(text, options).toolCalls.map((call) => `${call.name} ${call.arguments}`)
}

describe('functions in XML', () => {
  it('have a tag for each parameter, with its value in it or in an attribute', () => {
    const inside = '<function name="f"><param name="a" type="integer">3</param><param name="b">x &lt; y</param></function>'
    const attributes = `<function name='f'><params><param name="a" value="3" type="integer"/>\n<param name="b" value="x > y"></param></params></function>`
    expect(read(`<functions>${inside}</functions>`)).toEqual(['f {"a": 3, "b": "x < y"}'])
    expect(read(`<functions>\n${attributes}\n</functions>`)).toEqual(['f {"a": 3, "b": "x > y"}'])
  })

  it('may be several, empty, or without the tag around them', () => {
    expect(read('<functions><function name="f"></function><function name="g"/></functions>')).toEqual(['f {}', 'g {}'])
    expect(read('so <function name="f"></function> and')).toEqual(['f {}'])
    expect(read('<functions></functions>')).toEqual([])
  })

  it('are not calls without parameters, if requested', () => {
    const text =
      '<functions><function name="f"></function></functions><function name="g"/><function name="h"><param name="a">1</param></function>'
    expect(read(text, { missingArguments: 'malformed' })).toEqual(['h {"a": "1"}'])
  })

  it('prefer types of the schema to those of the attribute', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } } }
    const tools = [{ type: 'function', function: { name: 'f', description: '', parameters } }] as const
    const text = '<function name="f"><param name="a" type="integer">3</param><param name="b">true</param></function>'
    expect(read(text, { tools })).toEqual(['f {"a": "3", "b": true}'])
  })

  it('are not calls when truncated, and repaired when only tags are missing', () => {
    expect(read('<functions><function name="f"><param name="a">x')).toEqual([])
    expect(dialect.parse('<functions><function name="f"><param name="a">x</functions>').toolCalls).toEqual([
      { id: 'call_0', name: 'f', arguments: '{"a": "x"}', tags: ['repaired'] },
    ])
  })
})
