import { describe, expect, it } from 'vitest'
import type { LMDelta } from '../protocol/protocol.ts'
import { hermes } from './hermes.ts'

/** Returns the text, and each call with its name and arguments. */
function read(text: string): { text: string; calls: string[][] } {
  const parsed = hermes.parse(text)
  return { text: parsed.text, calls: parsed.toolCalls.map((call) => [call.name, call.arguments]) }
}

describe('a block', () => {
  it('is a call', () => {
    expect(read('<tool_call>\n{"name": "search", "arguments": {"q": "tea"}}\n</tool_call>')).toEqual({
      text: '',
      calls: [['search', '{"q": "tea"}']],
    })
  })

  it('may have its keys in any order, and parameters instead of arguments', () => {
    expect(read('<tool_call>{"parameters":{"q":1},"name":"search"}</tool_call>').calls).toEqual([['search', '{"q":1}']])
  })

  it('may lack its arguments', () => {
    expect(read('<tool_call>{"name":"now"}</tool_call>').calls).toEqual([['now', '{}']])
    expect(read('<tool_call>{"name":"now","arguments":null}</tool_call>').calls).toEqual([['now', 'null']])
  })

  it('returns arguments in a string unchanged', () => {
    expect(read('<tool_call>{"name":"a","arguments":"{\\"q\\":1}"}</tool_call>').calls).toEqual([['a', '"{\\"q\\":1}"']])
  })

  it('may contain several calls, in a list or in a row', () => {
    const calls = [
      ['a', '{}'],
      ['b', '{"q":1}'],
    ]
    expect(read('<tool_call>[{"name":"a"}, {"name":"b","arguments":{"q":1}}]</tool_call>').calls).toEqual(calls)
    expect(read('<tool_call>{"name":"a"}\n{"name":"b","arguments":{"q":1}}</tool_call>').calls).toEqual(calls)
  })

  it("isn't closed by a marker in a string", () => {
    const text = '<tool_call>{"name":"write","arguments":{"html":"</tool_call><tool_call>"}}</tool_call>'
    expect(read(text).calls).toEqual([['write', '{"html":"</tool_call><tool_call>"}']])
  })

  it('needs no end marker after complete JSON, which is tagged', () => {
    expect(hermes.parse('<tool_call>{"name":"a"}').toolCalls).toMatchObject([{ name: 'a', tags: ['missing_end'] }])
    expect(read('<tool_call>{"name":"a"}</tool_c')).toEqual({ text: '', calls: [['a', '{}']] })
  })

  it('may be followed by the next one without an end marker', () => {
    expect(read('<tool_call>{"name":"a"}<tool_call>{"name":"b"}</tool_call>').calls).toEqual([
      ['a', '{}'],
      ['b', '{}'],
    ])
  })

  it('may have doubled braces, as in some prompts', () => {
    for (const [json, ...calls] of [
      ['{{"name":"a","arguments":{"q":1}}}', ['a', '{"q":1}']],
      ['{{"name":"a","arguments":{"q":1}}', ['a', '{"q":1}']],
      ['{{"name":"a","arguments":{{"q":1}}}}', ['a', '{"q":1}']],
      ['{{"arguments":{{}},"name":"a"}}', ['a', '{}']],
      ['{{"name":"a"}},{{"name":"b","arguments":{{"q":1}}}}', ['a', '{}'], ['b', '{"q":1}']],
      ['[{{"name":"a"}}, {{"name":"b"}}]', ['a', '{}'], ['b', '{}']],
      ['{{"type":"function","function":{{"name":"a"}}}}', ['a', '{}']],
    ] as const) {
      const parsed = hermes.parse(`<tool_call>\n${json}\n</tool_call>`)
      const toolCalls = calls.map(([name, args]) => ({ name, arguments: args, tags: ['repaired'] }))
      expect([json, parsed]).toMatchObject([json, { text: '', toolCalls }])
      expect(parsed.malformedCalls).toBeUndefined()
    }
  })

  it('may have extra brackets', () => {
    expect(read('<tool_call>{"name":"a"}}]\n</tool_call>done')).toEqual({ text: 'done', calls: [['a', '{}']] })
  })

  it('keeps a name with any characters', () => {
    const name = 'päth/to.tool-1 <x>'
    expect(read(`<tool_call>{"name":${JSON.stringify(name)}}</tool_call>`).calls).toEqual([[name, '{}']])
  })

  it("is a call even if its arguments can't be parsed, so that the model gets an error", () => {
    for (const text of ['{"q":1,}', '{"q": <b>}'])
      expect(read(`<tool_call>{"name":"a","arguments":${text}}</tool_call>`).calls).toEqual([['a', text]])
  })
})

describe('text', () => {
  it('around and between calls is kept in order', () => {
    expect(read('one <tool_call>{"name":"a"}</tool_call> two <tool_call>{"name":"b"}</tool_call> three').text).toBe(
      'one  two  three',
    )
  })

  it("is returned unchanged if it isn't a call", () => {
    const texts = [
      '<tool_call>not json</tool_call>',
      '<tool_call>{"nam":"a"}</tool_call>',
      '<tool_call>{"name":5}</tool_call>',
      '<tool_call>"a"</tool_call>',
      '<tool_cal',
      '<',
      'a </tool_call> b',
      '<TOOL_CALL>{"name":"a"}</TOOL_CALL>',
    ]
    for (const text of texts) expect(read(text)).toEqual({ text, calls: [] })
  })

  it('of a malformed call is reported as well', () => {
    const text = '<tool_call>{"nam":"a"}</tool_call>'
    expect(hermes.parse(text)).toEqual({ text, toolCalls: [], malformedCalls: [text] })
  })

  it("doesn't contain a truncated block", () => {
    for (const text of ['<tool_call>', '<tool_call>{"name":"a","arguments":{"q":'])
      expect(hermes.parse(`so ${text}`)).toEqual({ text: 'so', toolCalls: [], malformedCalls: [text] })
  })

  it("that looks like the start of a marker isn't lost", () => {
    const texts = ['1 < 2 <tool <tool_calls> <<tool_call', '<tool_<tool_', '<<<<']
    for (const text of texts) expect(read(text)).toEqual({ text, calls: [] })
  })

  it("before a marker doesn't affect the marker", () => {
    expect(read('<<tool_call>{"name":"a"}</tool_call>')).toEqual({ text: '<', calls: [['a', '{}']] })
    expect(read('<tool_<tool_call>{"name":"a"}</tool_call>')).toEqual({ text: '<tool_', calls: [['a', '{}']] })
    expect(read('<tool_call><tool_call>{"name":"a"}</tool_call>')).toEqual({ text: '<tool_call>', calls: [['a', '{}']] })
  })

  it('in a code fence is an example', () => {
    const text = '```\n<tool_call>{"name":"a"}</tool_call>\n```'
    expect(read(text)).toEqual({ text, calls: [] })
  })
})

describe('reasoning', () => {
  const call = '<tool_call>{"name":"a"}</tool_call>'

  it('is separate, and a call inside it is ignored', () => {
    expect(hermes.parse(`<think>so ${call}</think>\nYes.`)).toEqual({ text: 'Yes.', toolCalls: [], reasoning: `so ${call}` })
  })

  it('may contain a call if it never ends', () => {
    expect(hermes.parse(`so ${call}`, { startsInReasoning: true })).toMatchObject({
      text: '',
      reasoning: 'so ',
      toolCalls: [{ name: 'a' }],
    })
  })
})

describe('streaming', () => {
  const push = (...pieces: string[]): LMDelta[][] => {
    const parser = hermes.streamParser()
    return [...pieces.map((piece) => [...parser.push(piece)]), [...parser.end()]]
  }

  it('emits plain text at once', () => {
    expect(push('Hello ', 'you')).toEqual([[{ type: 'text', text: 'Hello ' }], [{ type: 'text', text: 'you' }], []])
  })

  it('holds back only text that may become a marker', () => {
    expect(push('a <tool', '_box>')).toEqual([[{ type: 'text', text: 'a ' }], [{ type: 'text', text: '<tool_box>' }], []])
  })

  it('emits arguments as they arrive, after the id of the call', () => {
    expect(push('<tool_call>{"name":"a","arguments":{"q":', '"tea"', '}}</tool_call>')).toEqual([
      [
        { type: 'call_start', index: 0, id: 'call_0', name: 'a' },
        { type: 'arguments', index: 0, text: '{"q":' },
      ],
      [{ type: 'arguments', index: 0, text: '"tea"' }],
      [
        { type: 'arguments', index: 0, text: '}' },
        { type: 'call_end', index: 0 },
      ],
      [],
    ])
  })

  it('has separate state for each parser', () => {
    push('<tool_call>{"name":"a"')
    expect(push('}')).toEqual([[{ type: 'text', text: '}' }], []])
  })

  it('withdraws a truncated call once', () => {
    const parser = hermes.streamParser()
    parser.push('<tool_call>{"name":"a","arguments":{')
    expect(parser.end()).toEqual([{ type: 'malformed_call', index: 0, text: '<tool_call>{"name":"a","arguments":{' }])
    expect(parser.end()).toEqual([])
  })
})

describe('format', () => {
  it('lists each tool as a spec on its own line, and shows how to call one', () => {
    const spec = { type: 'function', function: { name: 'a', description: 'A.\nB.', parameters: {} } } as const
    const text = hermes.formatTools([spec, spec])
    expect(text.split('\n').filter((line) => line === JSON.stringify(spec))).toHaveLength(2)
    expect(text).toContain('<tool_call>\n{"name": "tool_name", "arguments": {"argument": "value"}}\n</tool_call>')
  })

  it('writes a call without arguments with an empty object', () => {
    expect(hermes.formatCall({ id: 'x', name: 'now', arguments: ' ' })).toEqual({
      ok: true,
      text: '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    })
  })

  it("refuses arguments that can't be parsed", () => {
    expect(hermes.formatCall({ id: 'x', name: 'now', arguments: '{"q": <b>}' })).toMatchObject({
      ok: false,
      code: 'invalid_arguments',
    })
  })

  it('writes a result between its tags', () => {
    expect(hermes.formatResult({ callId: 'a', name: 'b', ok: true, text: '1 < 2' })).toBe(
      '<tool_response>\n1 < 2\n</tool_response>',
    )
  })
})
