import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta } from '../index.ts'
import { hermes, parseWith } from './index.ts'

/** What is read of a text, each call as its name and its arguments. */
function read(text: string): { text: string; calls: string[][] } {
  const parsed = parseWith(hermes, text)
  return { text: parsed.text, calls: parsed.toolCalls.map((call) => [call.name, call.arguments]) }
}

describe('a block', () => {
  it('is a call', () => {
    expect(read('<tool_call>\n{"name": "search", "arguments": {"q": "tea"}}\n</tool_call>')).toEqual({
      text: '',
      calls: [['search', '{"q": "tea"}']],
    })
  })

  it('may have its keys in any order, and parameters for arguments', () => {
    expect(read('<tool_call>{"parameters":{"q":1},"name":"search"}</tool_call>').calls).toEqual([['search', '{"q":1}']])
  })

  it('may lack its arguments', () => {
    expect(read('<tool_call>{"name":"now"}</tool_call>').calls).toEqual([['now', '']])
    expect(read('<tool_call>{"name":"now","arguments":null}</tool_call>').calls).toEqual([['now', 'null']])
  })

  it('passes arguments in a string on as they are', () => {
    expect(read('<tool_call>{"name":"a","arguments":"{\\"q\\":1}"}</tool_call>').calls).toEqual([['a', '"{\\"q\\":1}"']])
  })

  it('may hold a list of calls', () => {
    expect(read('<tool_call>[{"name":"a"}, {"name":"b","arguments":{}}]</tool_call>').calls).toEqual([
      ['a', ''],
      ['b', '{}'],
    ])
  })

  it('is not closed by a marker in a string', () => {
    const text = '<tool_call>{"name":"write","arguments":{"html":"</tool_call><tool_call>"}}</tool_call>'
    expect(read(text).calls).toEqual([['write', '{"html":"</tool_call><tool_call>"}']])
  })

  it('needs no end marker once its JSON is whole', () => {
    expect(read('<tool_call>{"name":"a"}').calls).toEqual([['a', '']])
    expect(read('<tool_call>{"name":"a"}</tool_c').calls).toEqual([['a', '']])
  })

  it('may be followed by the next one without an end marker', () => {
    expect(read('<tool_call>{"name":"a"}<tool_call>{"name":"b"}</tool_call>').calls).toEqual([
      ['a', ''],
      ['b', ''],
    ])
  })

  it('may have a surplus bracket', () => {
    expect(read('<tool_call>{"name":"a"}}\n</tool_call>done')).toEqual({ text: 'done', calls: [['a', '']] })
  })

  it('keeps a name of any characters', () => {
    const name = 'päth/to.tool-1 <x>'
    expect(read(`<tool_call>{"name":${JSON.stringify(name)}}</tool_call>`).calls).toEqual([[name, '']])
  })

  it('with arguments that do not parse is still a call, so that the model is told', () => {
    expect(read('<tool_call>{"name":"a","arguments":{"q":1,}}</tool_call>').calls).toEqual([['a', '{"q":1,}']])
  })
})

describe('text', () => {
  it('around and between calls is kept, in its order', () => {
    expect(read('one <tool_call>{"name":"a"}</tool_call> two <tool_call>{"name":"b"}</tool_call> three').text).toBe(
      'one  two  three',
    )
  })

  it('that is no call is given back whole', () => {
    const texts = [
      '<tool_call>not json</tool_call>',
      '<tool_call>{"nam":"a"}</tool_call>',
      '<tool_call>{"name":5}</tool_call>',
      '<tool_call>{"name":"a","arguments":{"q":',
      '<tool_call>"a"</tool_call>',
      '<tool_call>',
      '<tool_cal',
      '<',
      'a </tool_call> b',
      '<TOOL_CALL>{"name":"a"}</TOOL_CALL>',
      '<tool_call>{"name":"a","arguments":{"q": <b>}}</tool_call>',
    ]
    for (const text of texts) expect(read(text)).toEqual({ text, calls: [] })
  })

  it('that looks like the beginning of a marker is not lost', () => {
    const texts = ['1 < 2 <tool <tool_calls> <<tool_call', '<tool_<tool_', '<<<<']
    for (const text of texts) expect(read(text)).toEqual({ text, calls: [] })
  })

  it('before a marker does not hide it', () => {
    expect(read('<<tool_call>{"name":"a"}</tool_call>')).toEqual({ text: '<', calls: [['a', '']] })
    expect(read('<tool_<tool_call>{"name":"a"}</tool_call>')).toEqual({ text: '<tool_', calls: [['a', '']] })
    expect(read('<tool_call><tool_call>{"name":"a"}</tool_call>')).toEqual({ text: '<tool_call>', calls: [['a', '']] })
  })
})

describe('streaming', () => {
  const push = (...pieces: string[]): LMDelta[][] => {
    const parser = hermes.parser()
    return [...pieces.map((piece) => [...parser.push(piece)]), [...parser.end()]]
  }

  it('gives plain text at once', () => {
    expect(push('Hello ', 'you')).toEqual([[{ type: 'text', text: 'Hello ' }], [{ type: 'text', text: 'you' }], []])
  })

  it('holds back only what may become a marker', () => {
    expect(push('a <tool', '_box>')).toEqual([[{ type: 'text', text: 'a ' }], [{ type: 'text', text: '<tool_box>' }], []])
  })

  it('flushes a partial marker at the end', () => {
    expect(push('a <tool_c').flat()).toEqual([
      { type: 'text', text: 'a ' },
      { type: 'text', text: '<tool_c' },
    ])
  })

  it('gives a call as soon as its JSON is whole, under an id of its own', () => {
    const deltas = push('<tool_call>{"name":"a"', '}', '</tool_call><tool_call>{"name":"a"}')
    expect(deltas[1]).toEqual([
      { type: 'call_start', index: 0, id: 'call_0', name: 'a' },
      { type: 'arguments', index: 0, text: '' },
      { type: 'call_end', index: 0 },
    ])
    expect(deltas[2]).toMatchObject([{ index: 1, id: 'call_1' }, { index: 1 }, { index: 1 }])
  })

  it('starts from nothing with each parser', () => {
    push('<tool_call>{"name":"a"')
    expect(collectDeltas(push('}').flat())).toEqual({ text: '}', toolCalls: [] })
  })

  it('gives nothing at a second end', () => {
    const parser = hermes.parser()
    parser.push('<tool_call>{')
    expect(parser.end()).toEqual([
      { type: 'text', text: '<tool_call>{' },
      { type: 'unread_call', text: '<tool_call>{' },
    ])
    expect(parser.end()).toEqual([])
  })
})

describe('format', () => {
  it('shows each tool as its spec on a line of its own, and how to call one', () => {
    const spec = { type: 'function', function: { name: 'a', description: 'A.\nB.', parameters: {} } } as const
    const text = hermes.formatTools([spec, spec])
    expect(text.split('\n').filter((line) => line === JSON.stringify(spec))).toHaveLength(2)
    expect(text).toContain('<tool_call>\n{"name": <name of the tool>, "arguments": <its arguments as an object>}\n</tool_call>')
  })

  it('writes a call without arguments with an empty object', () => {
    const text = hermes.formatCall({ id: 'x', name: 'now', arguments: ' ' })
    expect(text).toBe('<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')
  })

  it('writes a result in its frame', () => {
    expect(hermes.formatResult({ callId: 'a', name: 'b', ok: true, text: '1 < 2' })).toBe(
      '<tool_response>\n1 < 2\n</tool_response>',
    )
  })
})
