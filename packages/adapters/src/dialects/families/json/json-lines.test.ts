import { expect, it } from 'vitest'
import type { ParserOptions } from '../../define/dialect.ts'
import { minimax } from '../../minimax.ts'

const line = (name: string) => `{"name": "${name}", "arguments": {"a": 1}}`
const block = (...lines: string[]) => `<tool_calls>\n${lines.join('\n')}\n</tool_calls>`

function read(text: string, options?: ParserOptions) {
  const { toolCalls, malformedCalls = [], text: content } = minimax.parse(text, options)
  return { calls: toolCalls.map(({ name }) => name), malformed: malformedCalls.map((one) => one.trim()), text: content }
}

it.each([
  ["that isn't JSON", 'no JSON'],
  ['without arguments', '{"name": "bad"}'],
  ['without a name', '{"arguments": {}}'],
  ['without a value', '{"name": , "arguments": {}}'],
  ['with an unclosed string', '{"name": "bad", "arguments": {"a": "x}}'],
])("a line %s doesn't affect other calls", (_, bad) => {
  expect(read(block(line('f'), bad, line('g'), line('h')))).toEqual({ calls: ['f', 'g', 'h'], malformed: [bad], text: '' })
  expect(read(block(bad, line('g')))).toEqual({ calls: ['g'], malformed: [`<tool_calls>\n${bad}`], text: '' })
  expect(read(block(line('f'), bad)).calls).toEqual(['f'])
})

it('a line without its last brackets ends at the start of the next line', () => {
  const { toolCalls } = minimax.parse(block('{"name": "f", "arguments": {"a": 1', line('g')))
  expect(toolCalls.map(({ name, tags }) => [name, tags])).toEqual([
    ['f', ['repaired']],
    ['g', undefined],
  ])
})

it('a line that ends before its arguments loses no call of the next line', () => {
  const good = '{"name": "b", "arguments": {"x": 1}}'
  for (const bad of ['{', '{"name"', '{"name":', '{"name": "a"', "{'name': 'a',", '{"name": a', '{"id": 1'])
    for (const space of ['\n', '\n  ', '\r\n']) {
      const { toolCalls, malformedCalls } = minimax.parse(`<tool_calls>\n${bad}${space}${good}\n</tool_calls>`)
      expect([bad, toolCalls.map(({ name, arguments: args }) => [name, args])]).toEqual([bad, [['b', '{"x": 1}']]])
      expect([bad, malformedCalls?.length]).toEqual([bad, 1])
    }
})

it('an object with a name in a list is a value', () => {
  const json = '{"people": [\n{"name": "Ann"},\n{"name": "Bo"}]}'
  expect(minimax.parse(block(`{"name": "f", "arguments": ${json}}`)).toolCalls[0]?.arguments).toBe(json)
})

it('a malformed line is kept in the text if the policy says so', () => {
  expect(read(block(line('f'), 'no JSON', line('g')), { malformedBlock: 'text' })).toMatchObject({
    calls: ['f', 'g'],
    text: 'no JSON',
  })
})

it('prose about the marker is text', () => {
  const text = 'Write <tool_calls> before the calls.\nThen one on each line.'
  expect(read(text)).toEqual({ calls: [], malformed: [], text })
})

it('an empty block is reported, and a truncated block yields its call', () => {
  expect(minimax.parse('<tool_calls>\n</tool_calls> x')).toEqual({
    text: 'x',
    toolCalls: [],
    malformedCalls: ['<tool_calls>\n</tool_calls>'],
  })
  expect(minimax.parse(`${block(line('f')).slice(0, -14)}`).toolCalls).toMatchObject([{ name: 'f', tags: ['missing_end'] }])
})
