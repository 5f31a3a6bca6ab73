import { describe, expect, it } from 'vitest'
import type { ParserOptions } from '../define/dialect.ts'
import { defineDialect } from '../define/own-dialect.ts'
import type { BlockReader } from './block.ts'

const machine = (read: BlockReader, isMarkup = false) =>
  defineDialect({
    name: 'test',
    reasoning: { open: '<think>', close: '</think>' },
    blocks: [{ open: '[', read, isMarkup }],
    formatCalls: () => '',
  })

describe('a block in reasoning', () => {
  it("stays in the text with its open marker if it isn't a call", () => {
    const dialect = machine(function* ({ input }) {
      yield* input.takeWhile((code) => code !== 0x5d)
      return 'text'
    })
    expect(dialect.parse('<think>a [b] c')).toEqual({ text: '', reasoning: 'a [b] c', toolCalls: [] })
  })

  it('is read in place if it is markup, and the reasoning continues', () => {
    const read: BlockReader = function* ({ input }) {
      yield* input.takeWhile((code) => code !== 0x5d)
      input.at++
      return 'read'
    }
    const dialect = machine(read, true)
    expect(dialect.parse('<think>a [b] c</think>[d]e')).toEqual({ text: 'e', reasoning: 'a  c', toolCalls: [] })
  })
})

describe('a reader', () => {
  const dialect = machine(function* ({ input, giveText, giveReasoning, hasText }) {
    if (hasText) giveText('\n')
    yield* input.takeWhile((code) => {
      giveReasoning(String.fromCharCode(code))
      return code !== 0x5d
    })
    input.at++
    return 'read'
  })

  it('can emit text, including white space, and reasoning as they arrive', () => {
    const parser = dialect.streamParser()
    expect(parser.push('a[b')).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: '\n' },
      { type: 'reasoning', text: 'b' },
    ])
    expect(parser.push('c')).toEqual([{ type: 'reasoning', text: 'c' }])
  })

  it('emits nothing if text after calls is dropped', () => {
    const calls = machine(function* ({ input, calls: writer, giveText }) {
      yield* input.peek()
      giveText('before ')
      writer.start({ name: 'f' })
      writer.write('{}')
      writer.end()
      giveText('behind')
      return 'read'
    })
    expect(calls.parse('[', { textAfterCalls: 'drop' }).text).toBe('before')
  })
})

describe('an open call at the end of its block', () => {
  const callsOf = (outcome: 'read' | 'cut', isWhole: boolean, options?: ParserOptions) => {
    const dialect = machine(function* ({ input, calls }) {
      yield* input.takeWhile((code) => code !== 0x5d)
      calls.start({ name: 'f', reader: { closing: '}' } })
      calls.write(isWhole ? '{}' : '{')
      calls.isWhole = isWhole
      return outcome
    })
    return dialect.parse('[a', options).toolCalls
  }

  it('is ended by the machine: unchanged if it is complete, otherwise closed and truncated', () => {
    expect(callsOf('read', true)).toEqual([{ id: 'call_0', name: 'f', arguments: '{}' }])
    expect(callsOf('read', false)).toEqual([{ id: 'call_0', name: 'f', arguments: '{}', truncated: true }])
  })

  it('is kept if the text is truncated and the policy allows it', () => {
    expect(callsOf('cut', true)).toEqual([{ id: 'call_0', name: 'f', arguments: '{}', tags: ['missing_end'] }])
    expect(callsOf('cut', true, { unfinished: 'never' })).toEqual([])
    expect(callsOf('cut', false)).toEqual([])
    expect(callsOf('cut', false, { unfinished: 'cut' })).toMatchObject([{ arguments: '{}', truncated: true }])
  })
})

it("refuses tools that aren't specs", () => {
  const tools = [{ name: 'f', args: {} }] as unknown as ParserOptions['tools']
  expect(() =>
    machine(function* ({ input }) {
      yield* input.skipSpace()
      return 'text'
    }).parse('a', { tools }),
  ).toThrow('with toSpec from @x/tool-core')
})
