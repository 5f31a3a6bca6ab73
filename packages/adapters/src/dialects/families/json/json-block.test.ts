import { describe, expect, it } from 'vitest'
import type { LMDelta } from '../../../protocol/protocol.ts'
import { apriel } from '../../apriel.ts'
import type { WritableCall } from '../../define/definition.ts'
import type { Dialect, ParserOptions } from '../../define/dialect.ts'
import { defineDialect } from '../../define/own-dialect.ts'
import { hunyuanA13b } from '../../hunyuan-a13b.ts'
import { mistral } from '../../mistral.ts'
import { phi4mini } from '../../phi4mini.ts'
import { formatJsonBlocks, type JsonBlockOptions, jsonBlock } from './json-block.ts'

function toDialect(options: Partial<JsonBlockOptions> = {}): Dialect {
  return defineDialect({
    name: 'brackets',
    blocks: [jsonBlock({ open: '<<', close: '>>', ...options })],
    formatCalls: () => '',
  })
}

function readNames(text: string, options?: Partial<JsonBlockOptions>, policy?: ParserOptions): string[] {
  return toDialect(options)
    .parse(text, policy)
    .toolCalls.map(({ name }) => name)
}

describe('the content of a block', () => {
  it('is an object or a list, or only one of them, depending on an option', () => {
    const object = '<<{"name":"a"}>>'
    const list = '<<[{"name":"a"}]>>'
    expect([readNames(object), readNames(list)]).toEqual([['a'], ['a']])
    expect([readNames(object, { holds: 'object' }), readNames(list, { holds: 'object' })]).toEqual([['a'], []])
    expect([readNames(object, { holds: 'list' }), readNames(list, { holds: 'list' })]).toEqual([[], ['a']])
  })

  it('may be a list whose opening bracket is part of the open marker', () => {
    const options = { open: 'calls[', close: undefined, holds: 'items' } as const
    expect(readNames('so calls[{"name":"a"}, {"name":"b"}] done', options)).toEqual(['a', 'b'])
    expect(toDialect(options).parse('calls[0] = 1')).toEqual({ text: 'calls[0] = 1', toolCalls: [] })
  })

  it('is reported as malformed if it is other JSON', () => {
    const text = '<<{"name":"a"}>>'
    expect(toDialect({ holds: 'list' }).parse(text)).toEqual({ text, toolCalls: [], malformedCalls: [text] })
  })

  it('may be in a code fence', () => {
    const { text, toolCalls } = toDialect().parse('<<\n```json\n{"name":"a"}\n```\n>> done')
    expect(text).toBe('done')
    expect(toolCalls).toMatchObject([{ name: 'a', arguments: '{}', tags: ['repaired'] }])
  })

  it('is no call if it is an empty list, and not malformed either', () => {
    for (const list of ['[]', ' [ ]\n', '```json\n[]\n```'])
      expect(toDialect().parse(`Hi. <<${list}>>`)).toEqual({ text: 'Hi.', toolCalls: [] })
    expect(toDialect({ open: 'calls[', close: undefined, holds: 'items' }).parse('calls[]')).toEqual({ text: '', toolCalls: [] })
    for (const { parse } of [hunyuanA13b, mistral, phi4mini, apriel])
      for (const text of ['<tool_calls>[]</tool_calls>', '[TOOL_CALLS] []', 'functools[]'])
        expect(parse(text).malformedCalls).toBeUndefined()
  })

  it("is text if it isn't JSON", () => {
    expect(toDialect().parse('1 << 2 and 8 >> 1')).toEqual({ text: '1 << 2 and 8 >> 1', toolCalls: [] })
  })
})

describe('several objects in a block', () => {
  const text = '<<{"name":"a"}\n{"name":"b"} ; {"x":1} {"name":"c"}>>'

  it('are several calls if there are separators', () => {
    expect(readNames(text, { separators: ';' })).toEqual(['a', 'b', 'c'])
  })

  it("are emitted as text at their end if they aren't calls", () => {
    expect(toDialect({ separators: '' }).parse('<<{"name":"a"} {"x":1}>>')).toMatchObject({
      text: '{"x":1}',
      toolCalls: [{ name: 'a' }],
      malformedCalls: ['{"x":1}'],
    })
  })

  it('are kept if they are complete when the text ends inside another one', () => {
    expect(toDialect({ separators: '' }).parse('<<{"name":"a"}{"name":"b","arguments":{"q"')).toMatchObject({
      text: '',
      toolCalls: [{ name: 'a' }],
      malformedCalls: ['{"name":"b","arguments":{"q"'],
    })
  })
})

describe('the end of a block', () => {
  it('may be missing, which is tagged, unless the policy refuses such a call', () => {
    const text = '<<{"name":"a","arguments":{}}'
    expect(toDialect().parse(text).toolCalls).toMatchObject([{ tags: ['missing_end'] }])
    expect(toDialect().parse(text, { unfinished: 'never' })).toEqual({ text: '', toolCalls: [], malformedCalls: [text] })
    expect(toDialect({ close: undefined }).parse(text).toolCalls[0]).not.toHaveProperty('tags')
  })

  it('may be truncated', () => {
    expect(toDialect().parse('<<{"name":"a"}\n>')).toMatchObject({ text: '', toolCalls: [{ name: 'a' }] })
  })

  it('yields the received part of a truncated call if the policy says so', () => {
    const { toolCalls } = toDialect().parse('<<{"name":"a","arguments":{"q":["x', { unfinished: 'cut' })
    expect(toolCalls).toMatchObject([{ name: 'a', arguments: '{"q":["x"]}', truncated: true }])
  })
})

describe('streaming', () => {
  it('starts a call once its name and the first character of its arguments have arrived', () => {
    const parser = toDialect().streamParser()
    const types = (piece: string) => parser.push(piece).map(({ type }: LMDelta) => type)
    expect(types('<<{"name":"a"')).toEqual([])
    expect(types(',"arguments": ')).toEqual([])
    expect(types('{')).toEqual(['call_start', 'arguments'])
    expect(types('}')).toEqual(['arguments'])
    expect(types('}')).toEqual([])
    expect(types('>>')).toEqual(['call_end'])
  })

  it('holds back arguments that come before the name', () => {
    const parser = toDialect().streamParser()
    expect(parser.push('<<{"arguments":{"q":1},')).toEqual([])
    expect(parser.push('"name":"a"}>>')).toMatchObject([
      { type: 'call_start', name: 'a' },
      { type: 'arguments', text: '{"q":1}' },
      { type: 'call_end' },
    ])
  })
})

describe('formatJsonBlocks', () => {
  const calls: readonly WritableCall[] = [
    { id: 'x', name: 'a "b"', args: {}, json: '{}' },
    { id: 'y', name: 'c', args: { q: '>>' }, json: '{"q":">>"}' },
  ]

  it('writes one block per call, one list, or one line per call', () => {
    const first = '{"name": "a \\"b\\"", "arguments": {}}'
    const second = '{"name": "c", "arguments": {"q":">>"}}'
    const markers = { open: '<<', close: '>>' }
    expect(formatJsonBlocks(markers)(calls)).toBe(`<<${first}>>\n<<${second}>>`)
    expect(formatJsonBlocks({ ...markers, together: 'list' })(calls)).toBe(`<<[${first}, ${second}]>>`)
    expect(formatJsonBlocks({ ...markers, together: 'lines' })(calls)).toBe(`<<${first}\n${second}>>`)
  })

  it("writes arguments under the dialect's key", () => {
    expect(formatJsonBlocks({ open: '!', argumentsKey: 'parameters' })(calls.slice(1))).toBe(
      '!{"name": "c", "parameters": {"q":">>"}}',
    )
  })
})
