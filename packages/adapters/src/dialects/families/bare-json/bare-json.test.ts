import type { ToolSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import type { LMDelta } from '../../../protocol/protocol.ts'
import type { ParserOptions } from '../../define/dialect.ts'
import { genericJson } from '../../generic-json.ts'
import { llama3Json } from '../../llama3-json.ts'
import { xlam } from '../../xlam.ts'

function toTool(name: string, properties: object, required: readonly string[] = []): ToolSpec {
  return { type: 'function', function: { name, description: '', parameters: { type: 'object', properties, required } } }
}

const SEARCH = toTool('search', { query: { type: 'string' }, limit: { type: 'integer' } }, ['query'])
const TOOLS = [SEARCH, toTool('now', {})]

function read(text: string, options: ParserOptions = { tools: TOOLS }, dialect = genericJson): { text: string; calls: string[] } {
  const { text: prose, toolCalls } = dialect.parse(text, options)
  return { text: prose, calls: toolCalls.map(({ name, arguments: args }) => `${name} ${args}`) }
}

describe('a call', () => {
  it('may use many keys, in any order, and wrappers', () => {
    const texts = [
      '{"name":"search","arguments":{"query":"a"}}',
      '{"parameters":{"query":"a"},"tool_name":"search"}',
      '{"thought":"hm","action":"search","action_input":{"query":"a"}}',
      '{"function":{"name":"search","arguments":{"query":"a"}}}',
      '{"tool_calls":[{"id":"x","type":"function","function":{"name":"search","arguments":{"query":"a"}}}]}',
      '[{"tool":"search","args":{"query":"a"}}]',
      '```json\n{"name":"search","input":{"query":"a"}}\n```',
      '<tool_call>{"name":"search","input":{"query":"a"}}</tool_call>',
    ]
    for (const text of texts) expect(read(text)).toEqual({ text: '', calls: ['search {"query":"a"}'] })
  })

  it('may lack arguments, but then must not have other keys', () => {
    expect(read('{"name":"now"}').calls).toEqual(['now {}'])
    expect(read('{"name":"now","city":"here"}').calls).toEqual([])
  })

  it('may be between text, several in a row', () => {
    const call = '{"name":"now","arguments":{}}'
    expect(read(`So: ${call}; ${call}\n\n${call} done`)).toEqual({ text: 'So:  done', calls: ['now {}', 'now {}', 'now {}'] })
  })

  it('to a declared tool may have faults outside its arguments', () => {
    const texts = [
      "{'name': 'now', 'arguments': {}}",
      '{name: "now", arguments: {}}',
      '{“name”: “now”, “arguments”: {}}',
      '{"name": "now", /* soon */ "arguments": {}, }',
      '{\u00a0"name": "now", # soon\n "arguments": {}}',
      '{"name": "now" "arguments": {}}}',
      '{"name": "now", "arguments": {}',
      '[{"name": "now", "arguments": {}}',
    ]
    for (const text of texts) expect(read(text)).toEqual({ text: '', calls: ['now {}'] })
  })

  it('to an undeclared tool must be valid JSON', () => {
    expect(read('{"name":"a","arguments":{}}', {}).calls).toEqual(['a {}'])
    const texts = ["{'name':'a','arguments':{}}", '{"name":"a","arguments":{},}', '{"name":"a","arguments":{}', '{"name":"a"}']
    for (const text of texts) expect(read(text, {})).toEqual({ text, calls: [] })
  })

  it('may consist of the arguments alone if they match the only tool', () => {
    const options = { tools: [SEARCH] }
    expect(read('{"query":"a","limit":2}', options).calls).toEqual(['search {"query": "a", "limit": 2}'])
    for (const text of ['{"query":1}', '{"limit":2}', '{"query":"a","more":1}', '{}', '[{"query":"a"}]'])
      expect(read(text, options)).toEqual({ text, calls: [] })
    expect(read('{"query":"a"}').calls).toEqual([])
  })

  it('is parsed from the point at which the model starts it again', () => {
    const text = '{"name":"search","arguments":{{"name":"search","arguments":{"query":"a"}}'
    expect(read(text).calls).toEqual(['search {"query":"a"}'])
  })
})

describe('text', () => {
  it("is unchanged if it isn't a call", () => {
    const texts = [
      '{"name":"Bob","age":3}',
      '{"name":"unknown","arguments":{"inner":{"name":"now","arguments":{}}}}',
      '{"answer":{"name":"now","arguments":{}}}',
      '[1, {"name":"now","arguments":{}}]',
      '{"a":1}{"name":"now","arguments":{}}',
      '{"name":"search","description":"Finds.","parameters":{"type":"object","properties":{"query":{}}}}',
      'Write `{"name":"now","arguments":{}}` to know.',
      'You wrote "{"name":"now","arguments":{}}" to me.',
      '```python\ncall = {"name":"now","arguments":{}}\n```',
      '```json\n{"answer": 42}\n```',
      'for { print("{") } [1] [a](b) {{x}} {"unclosed',
    ]
    for (const text of texts) expect(read(text)).toEqual({ text, calls: [] })
  })

  it("doesn't affect a call after it", () => {
    const call = '{"name":"now","arguments":{}}'
    for (const text of ['{', '[x', "{'tis\n", '{ a }', '`x', '```js\n{\n```'])
      expect(read(`${text}\n${call}`)).toEqual({ text: text.trim(), calls: ['now {}'] })
  })

  it('in code is an example if the policy says so', () => {
    const text = '```json\n{"name":"now","arguments":{}}\n```'
    expect(read(text, { tools: TOOLS, callInFence: 'text' })).toEqual({ text, calls: [] })
  })
})

describe('an invalid call', () => {
  it('is reported as malformed if its arguments could change a prototype', () => {
    const text = '{"name":"now","arguments":{"__proto__":{"x":1}}}'
    expect(genericJson.parse(text, { tools: TOOLS })).toEqual({ text, toolCalls: [], malformedCalls: [text] })
  })

  it("to an unknown tool is reported, and doesn't affect other calls in its list", () => {
    const unknown = '{"name": "rm", "arguments": {"path":"/"}}'
    const { toolCalls, malformedCalls } = genericJson.parse(`[${unknown}, {"name":"now","arguments":{}}]`, { tools: TOOLS })
    expect(toolCalls.map(({ name }) => name)).toEqual(['now'])
    expect(malformedCalls).toEqual([unknown])
  })

  it('in truncated text keeps its complete arguments', () => {
    const { toolCalls } = genericJson.parse('{"name":"search","arguments":{"query":"a b","lim', { tools: TOOLS })
    expect(toolCalls).toMatchObject([{ name: 'search', arguments: '{"query":"a b"}', truncated: true }])
    expect(read('{"name":"search","argu', { tools: TOOLS, unfinished: 'whole' }).calls).toEqual([])
  })
})

describe('streaming', () => {
  const push = (...pieces: string[]): LMDelta[][] => {
    const parser = genericJson.streamParser({ tools: TOOLS })
    return [...pieces.map((piece) => [...parser.push(piece)]), [...parser.end()]]
  }

  it('emits arguments as they arrive, once the name is known', () => {
    const [opening, rest, last] = push('{"name":"search","arguments":{"que', 'ry":"a"', '}}')
    expect(opening?.map(({ type }) => type)).toEqual(['call_start', 'arguments', 'arguments'])
    expect(rest).toEqual([{ type: 'arguments', index: 0, text: 'ry":"a"' }])
    expect(last).toEqual([{ type: 'arguments', index: 0, text: '}' }])
  })

  it('emits text at once while no bracket is open', () => {
    expect(push('Hi [', '1] you')).toEqual([[{ type: 'text', text: 'Hi ' }], expect.anything(), []])
    const texts = push('f {', ' x y')[1]?.map((delta) => (delta.type === 'text' ? delta.text : ''))
    expect(texts?.join('')).toBe('{ x y')
  })

  it('emits code without a call as it arrives', () => {
    const [, code, more, end] = push('```js\n', 'const a = {', '}', '\n``` b')
    expect([code, more]).toEqual([[{ type: 'text', text: 'const a = {' }], [{ type: 'text', text: '}' }]])
    expect(end?.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')).toBe('\n``` b')
  })
})

describe('llama3_json', () => {
  it('requires parameters, and parses calls after its tag', () => {
    expect(read('{"name":"now"}', { tools: TOOLS }, llama3Json).calls).toEqual([])
    const text = '<|python_tag|>{"name":"now","parameters":{}}; {"name":"now","parameters":{}}<|eom_id|>'
    expect(read(text, { tools: TOOLS }, llama3Json)).toEqual({ text: '', calls: ['now {}', 'now {}'] })
  })
})

describe('JSON after a marker', () => {
  it('is text if it calls an unknown tool, and is reported if it is malformed', () => {
    const call = '<|python_tag|>{"name":"other","parameters":{}}'
    expect(llama3Json.parse(call, { tools: TOOLS, malformedBlock: 'drop' })).toEqual({ text: call, toolCalls: [] })
    const data = '<|python_tag|>{"x":[1]}'
    expect(llama3Json.parse(data, { tools: TOOLS }).malformedCalls).toEqual([data])
  })
})

describe('xlam', () => {
  it('parses a list after markers, but none in reasoning', () => {
    const list = '[{"name":"now","arguments":{}}]'
    for (const text of [list, `[TOOL_CALLS]${list}`, `<tool_call>${list}</tool_call>`, `\`\`\`json\n${list}\n\`\`\``])
      expect(read(text, {}, xlam)).toEqual({ text: '', calls: ['now {}'] })
    expect(read(`<think>${list}</think>${list}`, {}, xlam)).toEqual({ text: `<think>${list}</think>`, calls: ['now {}'] })
  })
})

describe('a call in data', () => {
  const call = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'

  it.each([
    `{"event": "log", "payload": ${call}}`,
    `{"status": "ok", "action": ${call}}`,
    `{"status": 200, "tool_calls": [${call}]}`,
    `[[${call}]]`,
    `{"payload": {"tool_call": ${call}}}`,
  ])('stays data: %s', (text) => {
    const tools = [
      { type: 'function', function: { name: 'get_weather', description: '', parameters: { type: 'object' } } } as const,
    ]
    expect(genericJson.parse(text, { tools })).toEqual({ text, toolCalls: [] })
    expect(genericJson.parse(text)).toEqual({ text, toolCalls: [] })
  })

  it.each([`{"function": ${call}, "result": 20}`, `{"tool_calls": [${call}], "error": "too slow"}`])(
    'is withdrawn if a later member shows that it is data: %s',
    (text) => {
      expect(genericJson.parse(text)).toEqual({ text, toolCalls: [], malformedCalls: [text] })
    },
  )

  it.each([
    `{"role": "assistant", "content": null, "tool_calls": [${call}]}`,
    `{"thought": "Look.", "action": ${call}}`,
    `{"id": "a", "type": "function", "function": ${call}}`,
  ])('is a call if the data is a message: %s', (text) => {
    expect(genericJson.parse(text).toolCalls).toMatchObject([{ name: 'get_weather', arguments: '{"city": "Oslo"}' }])
  })
})
