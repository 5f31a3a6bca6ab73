import { describe, expect, it } from 'vitest'
import { mistral } from './mistral.ts'

/** Returns the text, and each call with its name and arguments. */
function read(text: string): { text: string; calls: string[] } {
  const { text: prose, toolCalls } = mistral.parse(text)
  return { text: prose, calls: toolCalls.map((call) => `${call.name} ${call.arguments}`) }
}

describe('a call', () => {
  it('consists of a name and arguments, with or without a marker between them', () => {
    for (const text of ['[TOOL_CALLS]a[ARGS]{"q":1}', '[TOOL_CALLS]a{"q":1}', '[TOOL_CALLS] a \n[ARGS] {"q":1}'])
      expect(read(text)).toEqual({ text: '', calls: ['a {"q":1}'] })
  })

  it('is an object in a list in older models, with its keys in any order', () => {
    expect(read('[TOOL_CALLS] [{"arguments":{"name":"x"},"name":"a"},{"name":"b"}]').calls).toEqual(['a {"name":"x"}', 'b {}'])
  })

  it('has the id that the model wrote before its arguments', () => {
    const text = '[TOOL_CALLS]a[CALL_ID]123456789[ARGS]{}[TOOL_CALLS] [{"id":"abcdefghi","name":"b","arguments":{}}]'
    expect(mistral.parse(text).toolCalls.map(({ id }) => id)).toEqual(['123456789', 'abcdefghi'])
  })

  it('may consist of a name alone, but not of a sentence', () => {
    expect(read('[TOOL_CALLS]now').calls).toEqual(['now {}'])
    expect(read('[TOOL_CALLS]no call at all')).toEqual({ text: '[TOOL_CALLS]no call at all', calls: [] })
  })

  it('is malformed if it has only a name and the text after it may contain its arguments', () => {
    const toTools = (properties: object) => [
      { type: 'function' as const, function: { name: 'a', description: 'A.', parameters: { type: 'object', properties } } },
    ]
    const text = '[TOOL_CALLS]a\nwith {"q": 1}'
    const malformed = mistral.parse(text, { tools: toTools({ q: { type: 'integer' } }) })
    expect(malformed).toEqual({ text, toolCalls: [], malformedCalls: ['[TOOL_CALLS]a\n'] })
    expect(mistral.parse('[TOOL_CALLS]a\nDone.', { tools: toTools({}) })).toMatchObject({
      text: 'Done.',
      toolCalls: [{ name: 'a', arguments: '{}' }],
    })
  })

  it('may be repeated with its marker, and text may follow', () => {
    expect(read('Hi[TOOL_CALLS]a[ARGS]{}\n[TOOL_CALLS]b[ARGS]{"c":"[TOOL_CALLS]"}bye')).toEqual({
      text: 'Hibye',
      calls: ['a {}', 'b {"c":"[TOOL_CALLS]"}'],
    })
  })

  it("doesn't affect the next one if it has no end", () => {
    expect(read('[TOOL_CALLS]a[ARGS]{"q":1[TOOL_CALLS]b[ARGS]{}').calls).toEqual(['a {"q":1}', 'b {}'])
  })

  it('in an unclosed list stays in the text', () => {
    const text = '[TOOL_CALLS] [{"name":"a","arguments":{}'
    expect(mistral.parse(text)).toEqual({ text, toolCalls: [], malformedCalls: [text] })
  })

  it('in an unclosed list is truncated', () => {
    const text = '[TOOL_CALLS] [{"name":"a","arguments":{}'
    expect(mistral.parse(text, { malformedBlock: 'text-unless-cut' })).toEqual({
      text: '',
      toolCalls: [],
      malformedCalls: [text],
    })
    expect(mistral.parse(text, { unfinished: 'cut' }).toolCalls).toMatchObject([{ name: 'a', arguments: '{}' }])
  })

  it('of an unknown tool is text if the policy says so', () => {
    const text = '[TOOL_CALLS]a[ARGS]{}'
    expect(mistral.parse(text, { tools: [], unknownTool: 'text' })).toEqual({ text, toolCalls: [] })
    const list = '[TOOL_CALLS] [{"name":"a","arguments":{}}]'
    expect(mistral.parse(list, { tools: [], unknownTool: 'text', malformedBlock: 'drop' })).toEqual({ text: list, toolCalls: [] })
  })
})

describe('a name at the end of the text', () => {
  const parameters = { type: 'object', properties: { city: {} } }
  const tools = [{ type: 'function' as const, function: { name: 'get_weather', description: '', parameters } }]

  it('is a truncated call if it is a tool, or if the tools are unknown', () => {
    for (const [text, options] of [
      ['[TOOL_CALLS]get_wea', {}],
      ['[TOOL_CALLS]get_weather', { tools }],
    ] as const)
      expect(mistral.parse(text, options).toolCalls).toMatchObject([{ arguments: '{}', truncated: true }])
  })

  it("isn't a call if it isn't a tool, or if the policy requires the end of calls", () => {
    const text = '[TOOL_CALLS]get_wea'
    expect(mistral.parse(text, { tools })).toEqual({ text, toolCalls: [], malformedCalls: [text] })
    for (const options of [{}, { tools }])
      expect(mistral.parse('[TOOL_CALLS]get_weather', { ...options, unfinished: 'never' }).toolCalls).toEqual([])
  })
})

describe('reasoning', () => {
  it('may come after text, and removes the white space before it', () => {
    expect(mistral.parse('one \n [THINK]two[/THINK]three')).toEqual({ text: 'onethree', reasoning: 'two', toolCalls: [] })
  })

  it('contains no call if it is closed, and otherwise ends at a call', () => {
    const call = '[TOOL_CALLS]a[ARGS]{}'
    expect(mistral.parse(`[THINK]so ${call}[/THINK]done`)).toEqual({ text: 'done', reasoning: `so ${call}`, toolCalls: [] })
    expect(mistral.parse(`[THINK]so ${call}`)).toMatchObject({ reasoning: 'so ', toolCalls: [{ name: 'a' }] })
  })
})

describe('formatCalls', () => {
  const format = (name: string) => mistral.formatCalls([{ id: 'x', name, arguments: '{}' }])

  it('writes names as the model does, and other names in a list', () => {
    expect(format('a.b')).toEqual({ ok: true, text: '[TOOL_CALLS]a.b[ARGS]{}' })
    expect(format('a[ARGS]b')).toEqual({ ok: true, text: '[TOOL_CALLS] [{"name": "a[ARGS]b", "arguments": {}}]' })
  })
})
