import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../../../protocol/collect.ts'
import { dialectContract } from '../../../testing/dialect-contract.ts'
import { deepseekV3 } from '../../deepseek-v3.ts'
import { deepseekV31 } from '../../deepseek-v31.ts'
import type { Dialect, ParserOptions } from '../../define/dialect.ts'
import { defineDialect } from '../../define/own-dialect.ts'
import { kimiK2 } from '../../kimi-k2.ts'
import { callSections } from './call-sections.ts'

const kimiCall = (head: string, json: string) => `<|tool_call_begin|>${head}<|tool_call_argument_begin|>${json}<|tool_call_end|>`
const kimiSection = (...calls: string[]) => `<|tool_calls_section_begin|>${calls.join('')}<|tool_calls_section_end|>`

function read(dialect: Dialect, text: string, options?: ParserOptions) {
  const { text: prose, toolCalls } = dialect.parse(text, options)
  return { text: prose, calls: toolCalls.map(({ name, arguments: json }) => [name, json]) }
}

it('a truncated call to an undeclared tool is text if the policy treats such calls as text', () => {
  const text = '<|tool_call_begin|>a<|tool_call_argument_begin|>{"x":'
  expect(kimiK2.parse(text, { tools: [], unknownTool: 'text' })).toEqual({ text, toolCalls: [] })
})

describe('a section', () => {
  it('contains any number of calls, or none', () => {
    expect(read(kimiK2, `Hi ${kimiSection()}`)).toEqual({ text: 'Hi', calls: [] })
    const text = kimiSection(kimiCall('functions.a:0', '{"x":1}'), ' \n', kimiCall('functions.b:1', '{}'))
    expect(read(kimiK2, text).calls).toEqual([
      ['a', '{"x":1}'],
      ['b', '{}'],
    ])
  })

  it('may lack its markers, and its calls may lack their end', () => {
    const text = '<|tool_call_begin|>a<|tool_call_argument_begin|>{"x":1}<|tool_call_begin|>b<|tool_call_argument_begin|>{}'
    expect(read(kimiK2, text).calls).toEqual([
      ['a', '{"x":1}'],
      ['b', '{}'],
    ])
    expect(kimiK2.parse(text).toolCalls.map(({ tags }) => tags)).toEqual([['missing_end'], ['missing_end']])
  })

  it('is text if it contains prose instead of calls', () => {
    const text = `<｜tool▁calls▁begin｜> ${'prose '.repeat(200)}end`
    expect(read(deepseekV3, text)).toEqual({ text, calls: [] })
  })

  it('is reported and stays text if its only call has a broken marker', () => {
    const text =
      '<|tool_calls_section_begin|><|tool_cal_begin|>a<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>'
    expect(kimiK2.parse(`Hi ${text}`)).toEqual({ text: `Hi ${text}`, toolCalls: [], malformedCalls: [text] })
    const prose = '<｜tool▁calls▁begin｜>No call.<｜tool▁calls▁end｜>'
    expect(deepseekV3.parse(prose)).toEqual({ text: prose, toolCalls: [], malformedCalls: [prose] })
  })

  it("isn't text if it is truncated before its first call", () => {
    const text = '<｜tool▁calls▁begin｜><｜tool▁call'
    expect(deepseekV3.parse(`Hi ${text}`)).toEqual({ text: 'Hi', toolCalls: [], malformedCalls: [text] })
  })

  it("accepts all of DeepSeek's spellings of its markers", () => {
    for (const text of [
      '<|tool_calls_begin|><|tool_call_begin|>f<|tool_sep|>{}<|tool_call_end|><|tool_calls_end|>',
      '<｜tool calls begin｜><｜tool\\_call\\_begin｜>f<｜tool▁sep｜>{}<|tool▁call▁end|>',
    ])
      expect(read(deepseekV31, text)).toEqual({ text: '', calls: [['f', '{}']] })
  })
})

describe('a call', () => {
  it('has a name before the separator, or after it on its own line', () => {
    expect(read(deepseekV31, '<｜tool▁call▁begin｜>f.g-h<｜tool▁sep｜>{"x":1}<｜tool▁call▁end｜>').calls).toEqual([
      ['f.g-h', '{"x":1}'],
    ])
    const fenced = '<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"x":1}```<｜tool▁call▁end｜>'
    expect(read(deepseekV3, fenced).calls).toEqual([['f', '{"x":1}']])
    expect(read(deepseekV3, '<｜tool▁calls｜>function<｜tool▁sep｜>f\n{"x":1}').calls).toEqual([['f', '{"x":1}']])
  })

  it('of Kimi has an id if it has a number, and may lack number and namespace', () => {
    const calls = kimiK2.parse(kimiSection(kimiCall(' functions.a:b:3 ', '{}'), kimiCall('c', '{}'))).toolCalls
    expect(calls.map(({ id, name }) => [id, name])).toEqual([
      ['functions.a:b:3', 'a:b'],
      ['call_1', 'c'],
    ])
  })

  it("isn't ended by a marker in a string", () => {
    const json = '{"x":"<|tool_call_end|><|tool_calls_section_end|>"}'
    expect(read(kimiK2, kimiSection(kimiCall('functions.a:0', json))).calls).toEqual([['a', json]])
  })

  it('with unclosed brackets is repaired at its end marker', () => {
    const [call] = kimiK2.parse(kimiSection(kimiCall('functions.a:0', '{"x":{"y":1 '))).toolCalls
    expect(call).toEqual({ id: 'functions.a:0', name: 'a', arguments: '{"x":{"y":1 }}', tags: ['repaired'] })
  })

  it("doesn't affect the next one if it can't be parsed", () => {
    const text = kimiSection(kimiCall('a:0', '{not json}'), kimiCall('b:0', 'bare words'), kimiCall('c:0', '{}'))
    const { toolCalls, malformedCalls } = kimiK2.parse(text)
    expect(toolCalls.map(({ name }) => name)).toEqual(['c'])
    expect(malformedCalls?.map((malformed) => malformed.includes('not json') || malformed.includes('bare words'))).toEqual([
      true,
      true,
    ])
  })

  it('without arguments has empty ones, or is malformed', () => {
    const text = kimiSection(kimiCall('functions.now:0', ''))
    expect(read(kimiK2, text).calls).toEqual([['now', '{}']])
    expect(read(kimiK2, text, { missingArguments: 'malformed' }).calls).toEqual([])
  })

  it('of an undeclared tool is text if the policy says so', () => {
    const text = kimiSection(kimiCall('functions.a:0', '{"x":"<|tool_call_begin|>"}'))
    const options: ParserOptions = { tools: [], unknownTool: 'text' }
    expect(read(kimiK2, text, options)).toEqual({ text, calls: [] })
  })

  it('is malformed if it is truncated, or is kept as truncated', () => {
    const text = '<｜tool▁call▁begin｜>f<｜tool▁sep｜>{"x": "y'
    expect(deepseekV31.parse(text)).toEqual({ text: '', toolCalls: [], malformedCalls: [text] })
    expect(deepseekV31.parse(text, { unfinished: 'cut' }).toolCalls).toMatchObject([{ arguments: '{"x": "y"}', truncated: true }])
  })

  it('emits its arguments as they arrive', () => {
    const parser = kimiK2.streamParser()
    parser.push('<|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>{"x":')
    expect(parser.push('"yes')).toEqual([{ type: 'arguments', index: 0, text: '"yes' }])
  })
})

describe('a written call', () => {
  it('is refused if its name would be parsed differently', () => {
    const write = (dialect: Dialect, name: string) => dialect.formatCall({ id: 'call_0', name, arguments: '{}' })
    for (const name of ['', 'a<|tool_call_argument_begin|>', 'a'.repeat(600)])
      expect(write(kimiK2, name)).toMatchObject({ ok: false, code: 'invalid_name' })
    expect(write(deepseekV31, ' a')).toMatchObject({
      ok: false,
      code: 'invalid_name',
      message: expect.stringMatching(/ Rename the tool\.$/),
    })
    expect(write(deepseekV3, 'a\nb')).toMatchObject({ ok: false, code: 'invalid_name' })
  })

  it('keeps an id of Kimi, to which the result refers', () => {
    const call = { id: 'functions.a:7', name: 'a', arguments: '{"x":1}' }
    const written = kimiK2.formatCall(call)
    expect(written).toEqual({ ok: true, text: kimiSection(kimiCall('functions.a:7', '{"x":1}')) })
    expect(kimiK2.formatResult({ callId: 'functions.a:7', name: 'a', ok: true, text: 'yes' })).toBe(
      '## Return of functions.a:7\nyes',
    )
  })

  it('is parsed one character at a time', () => {
    const calls = ['a', 'functions.b'].map((name, index) => ({ id: `call_${index}`, name, arguments: '{"x": "\\n```\\n"}' }))
    for (const dialect of [kimiK2, deepseekV3, deepseekV31]) {
      const written = dialect.formatCalls(calls)
      const parser = dialect.streamParser()
      const deltas = (written.ok ? written.text : '').split('').flatMap((unit) => [...parser.push(unit)])
      const response = collectDeltas([...deltas, ...parser.end()])
      expect(response.toolCalls.map(({ name }) => name)).toEqual(['a', 'functions.b'])
      expect(response.text).toBe('')
    }
  })
})

describe('calls without a section', () => {
  const orca = defineDialect({
    name: 'orca',
    ...callSections({ call: { open: ['<<call '], separator: ['>>'], close: ['<</call>>'] }, name: 'before' }),
  })

  it('are written in a row', () => {
    const calls = ['a', 'b'].map((name) => ({ id: name, name, arguments: '{"x": 1}' }))
    const written = orca.formatCalls(calls)
    expect(written).toEqual({ ok: true, text: '<<call a>>{"x": 1}<</call>><<call b>>{"x": 1}<</call>>' })
    expect(written.ok && read(orca, `Hi. ${written.text}`)).toEqual({
      text: 'Hi.',
      calls: [
        ['a', '{"x": 1}'],
        ['b', '{"x": 1}'],
      ],
    })
  })

  it.each(dialectContract(orca, { runs: 20 }))('satisfy the contract: $name', ({ run }) => run())
})
