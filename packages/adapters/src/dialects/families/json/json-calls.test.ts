import { describe, expect, it } from 'vitest'
import type { DialectReading, ParserOptions } from '../../define/dialect.ts'
import { defineDialect } from '../../define/own-dialect.ts'
import { jsonBlock } from './json-block.ts'
import type { JsonCallShape } from './json-calls.ts'

/** Parses JSON between two markers. */
function readAll(json: string, shape?: Partial<JsonCallShape>, options?: ParserOptions, end = '>>'): DialectReading {
  const dialect = defineDialect({
    name: 'brackets',
    blocks: [jsonBlock({ open: '<<', close: '>>', shape })],
    formatCalls: () => '',
  })
  return dialect.parse(`<<${json}${end}`, options)
}

function read(json: string, shape?: Partial<JsonCallShape>, options?: ParserOptions): string[][] {
  return readAll(json, shape, options).toolCalls.map(({ name, arguments: text }) => [name, text])
}

const tools = [{ type: 'function', function: { name: 'a', description: '', parameters: {} } }] as const

describe('a call', () => {
  it('has a name and arguments under any key of its shape', () => {
    const shape = { name: ['tool', 'action'], arguments: ['args', 'input'] }
    expect(read('{"action":"a","input":{"q":1}}', shape)).toEqual([['a', '{"q":1}']])
    expect(read('{"name":"a","args":{}}', shape)).toEqual([])
  })

  it('may have arguments before its name, even if they contain a name', () => {
    expect(read('{"arguments":{"name":"b"},"name":"a"}')).toEqual([['a', '{"name":"b"}']])
  })

  it('is malformed with two names, or with two different arguments', () => {
    for (const json of [
      '{"name":"a","name":"b","arguments":{"q":1}}',
      '{"name":"a","arguments":{"q":1},"name":"b"}',
      '{"name":"a","arguments":{"q":1},"parameters":{"q":2}}',
      '{"name":"a","arguments":{"q":1},"arguments":{"q":2}}',
      '{"arguments":{},"name":"a","parameters":{"q":2}}',
    ])
      expect(readAll(json)).toMatchObject({ toolCalls: [], malformedCalls: [expect.stringContaining('"name":"a"')] })
  })

  it('may have a repeated name or repeated or empty arguments, which is tagged', () => {
    const tagged = (json: string) => readAll(json).toolCalls.map(({ name, arguments: text, tags }) => [name, text, tags])
    for (const json of [
      '{"name":"a","name":"a","arguments":{"q":1}}',
      '{"name":"a","arguments":{"q":1},"parameters":{"q":1}}',
      '{"name":"a","arguments":{"q":1},"parameters":{}}',
      '{"arguments":{"q":1},"name":"a","parameters":null}',
    ])
      expect(tagged(json)).toEqual([['a', '{"q":1}', ['repaired']]])
  })

  it('has its name as the key of its arguments if the shape says so, with other keys after it', () => {
    const keyed = (json: string, options?: ParserOptions) => read(json, { isKeyed: true }, options)
    const both = [
      ['a', '{"q":1}'],
      ['b', '{}'],
    ]
    expect(keyed('{"a":{"q":1},"b":{}}')).toEqual(both)
    expect(keyed('[{"a":{"q":1}},{"b":{}}]')).toEqual(both)
    expect(keyed('{"thought":null,"a":{"q":1},"name":"Bob"}')).toEqual([['a', '{"q":1}']])
    expect(keyed('{"name":"a","arguments":{"q":1},"metadata":{"x":1}}')).toEqual([['a', '{"q":1}']])
    expect(readAll('{"a":{"q":1}', { isKeyed: true }, { unfinished: 'never' }, '')).toMatchObject({
      toolCalls: [],
      malformedCalls: ['<<{"a":{"q":1}'],
    })
    expect(readAll('{"a":{"q":1}; x}', { isKeyed: true })).toMatchObject({ toolCalls: [], malformedCalls: ['<<{"a":{"q":1}'] })
    expect(keyed('{"name":"a","arguments":{"q":1}}')).toEqual([['a', '{"q":1}']])
    expect(readAll('{"a":{"q":1},"b" : {"q', { isKeyed: true })).toMatchObject({
      toolCalls: [{ name: 'a' }],
      malformedCalls: ['"b" : {"q>>'],
    })
    for (const json of ['{"b":{},"a":{"q":1}}', '{"a":{"q":1},"b":{}}'])
      expect(keyed(json, { tools, unknownTool: 'text' })).toEqual([['a', '{"q":1}']])
  })

  it('may have its name inside an object, a few levels deep', () => {
    const nested = (levels: number) => `${'{"function":'.repeat(levels)}{"name":"a"}${'}'.repeat(levels)}`
    expect(read(nested(1))).toEqual([['a', '{}']])
    expect(read(nested(10_000))).toEqual([])
  })

  it('may be in a list under a key', () => {
    expect(read('{"tool_calls":[{"name":"a"},{"name":"b"}]}', { lists: ['tool_calls'] })).toEqual([
      ['a', '{}'],
      ['b', '{}'],
    ])
  })

  it('keeps the id that the model wrote, unless it is taken', () => {
    const { toolCalls } = readAll('[{"name":"a","id":"x"},{"name":"b","id":"x"},{"name":"c","id":7}]')
    expect(toolCalls.map(({ id }) => id)).toEqual(['x', 'call_1', '7'])
  })

  it('may lack quotes and commas', () => {
    expect(read(`{name: 'a' arguments: {q: 1}}`)).toEqual([['a', '{q: 1}']])
  })

  it('may lack closing brackets', () => {
    const { toolCalls } = readAll('{"name":"a","arguments":{"q":[1')
    expect(toolCalls).toMatchObject([{ name: 'a', arguments: '{"q":[1]}', tags: ['repaired'] }])
    expect(read('[{"name":"a","arguments":{"q":1}')).toEqual([['a', '{"q":1}']])
  })

  it('requires a name that is a string', () => {
    for (const json of ['{"arguments":{}}', '{"name":5,"arguments":{}}', '{"name":null}', '{}', '[{}]'])
      expect(readAll(json)).toMatchObject({ toolCalls: [], malformedCalls: [`<<${json}>>`] })
  })

  it('is malformed if its arguments are an unquoted word', () => {
    expect(read('{"name":"a","arguments":hello}')).toEqual([])
  })

  it('may have the name of a property that every object inherits', () => {
    expect(read('{"name":"__proto__","arguments":{},"constructor":1}')).toEqual([['__proto__', '{}']])
  })
})

describe('a call without arguments', () => {
  it("has empty arguments, or isn't a call, depending on the policy", () => {
    expect(read('{"name":"a"}')).toEqual([['a', '{}']])
    expect(read('{"name":"a"}', undefined, { missingArguments: 'malformed' })).toEqual([])
  })

  it("isn't a call if another value may be its arguments", () => {
    expect(read('{"name":"a","params":{"q":1}}')).toEqual([])
    expect(read('{"name":"a","type":"function"}')).toEqual([['a', '{}']])
  })
})

describe('a list', () => {
  it("keeps its calls if one of its elements isn't a call", () => {
    expect(read('[{"name":"a"}, "junk", null, [], {"name":"b"}]')).toEqual([
      ['a', '{}'],
      ['b', '{}'],
    ])
  })

  it('may have extra braces and commas', () => {
    expect(read('[{"name":"a"}},,{"name":"b"},]')).toEqual([
      ['a', '{}'],
      ['b', '{}'],
    ])
  })
})

describe('an undeclared tool', () => {
  it("is called with a tag, or isn't called, depending on the policy", () => {
    const json = '[{"name":"a"},{"name":"b"}]'
    expect(readAll(json, undefined, { tools }).toolCalls).toMatchObject([{ name: 'a' }, { name: 'b', tags: ['unknown_tool'] }])
    expect(read(json, undefined, { tools, unknownTool: 'text' })).toEqual([['a', '{}']])
  })

  it('is text if the policy says so, regardless of the policy for malformed blocks', () => {
    const asText = { tools, unknownTool: 'text', malformedBlock: 'drop' } as const
    for (const json of [
      '{"name":"b","arguments":{"q":1}}',
      '{"arguments":{},"name":"b"}',
      '[{"name":"b"}]',
      '{"name":"b","arguments":{',
    ])
      expect(readAll(json, undefined, asText)).toEqual({ text: `<<${json}>>`, toolCalls: [] })
    expect(readAll('{"tool_calls":[{"name":"b"}]}', { lists: ['tool_calls'] }, asText).text).toBe(
      '<<{"tool_calls":[{"name":"b"}]}>>',
    )
  })

  it('is text next to the calls of a list, which are parsed', () => {
    const asText = { tools, unknownTool: 'text' } as const
    const [before, behind] = ['[{"name":"b"},{"name":"a"}]', '[{"name":"a"},{"name":"b"}]'].map((json) =>
      readAll(json, undefined, asText),
    )
    expect(before).toMatchObject({ text: '<<[{"name":"b"}', toolCalls: [{ name: 'a' }] })
    expect(behind).toMatchObject({ text: '{"name":"b"}]>>', toolCalls: [{ name: 'a' }] })
    for (const reading of [before, behind]) expect(reading?.malformedCalls).toBeUndefined()
  })
})
