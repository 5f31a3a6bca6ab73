/**
 * Tests of calls from which a part of the text was removed, with one example for each kind. The property test in this folder generates
 * more.
 */
import { describe, expect, it } from 'vitest'
import { FIRST, SECOND, tools } from '../../test/dialects/two-calls.ts'
import { deepseekV4 } from './deepseek-v4.ts'
import type { Dialect } from './define/dialect.ts'
import { dspyChatadapter } from './dspy-chatadapter.ts'
import { functiongemma } from './functiongemma.ts'
import { gemma4 } from './gemma4.ts'
import { glm45 } from './glm45.ts'
import { granite20bFc } from './granite-20b-fc.ts'
import { harmony } from './harmony.ts'
import { hermes } from './hermes.ts'
import { kimiK2 } from './kimi-k2.ts'
import { kimiK3 } from './kimi-k3.ts'
import { llama3Json } from './llama3-json.ts'
import { minimaxM2 } from './minimax-m2.ts'
import { minimaxM3 } from './minimax-m3.ts'
import { mistral } from './mistral.ts'
import { morphXml } from './morph-xml.ts'
import { phi4mini } from './phi4mini.ts'
import { pythonic } from './pythonic.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { xlam } from './xlam.ts'

type Row = readonly [what: string, dialect: Dialect, from: string, to: string]
const named = (rows: readonly Row[]) =>
  rows.map(([what, dialect, from, to]): readonly [string, Dialect, string, string] => [
    `${dialect.name}: ${what}`,
    dialect,
    from,
    to,
  ])

/** Replaces a part of the text of two calls and parses the result. */
function read(dialect: Dialect, from: string, to: string) {
  const written = dialect.formatCalls([FIRST, SECOND])
  const text = written.ok ? written.text : ''
  expect(text).toContain(from)
  return dialect.parse(text.replace(from, to), { tools })
}

describe('a call is malformed if it is the rest of two calls, or lacks a parameter', () => {
  it.each(
    named([
      ['the parameters of the next call', deepseekV4, '</｜DSML｜invoke>\n<｜DSML｜invoke name="tool_9">\n', ''],
      ['the parameters of the next call', glm45, '</tool_call>\n<tool_call>tool_9\n', ''],
      ['a key that holds the rest of a tag', qwen3Coder, 'city>\nalphaville\n</parameter', 'ci\n</parameter'],
      ['a key that an attribute ends in', deepseekV4, 'name="city" string', 'name="cit string'],
      ['a key that an attribute ends in', kimiK3, 'key="city" type', 'key="cit type'],
      [
        'a second name in the object',
        hermes,
        'arguments": {"city": "alphaville", "count": 11}}\n</tool_call>\n<tool_call>\n{"',
        'argum',
      ],
      ['the next call in the arguments', hermes, 'count": 11}}\n</tool_call>\n<tool_call>\n{"', 'co'],
      ['a value with its own end tag and the rest of another one', glm45, '<arg_key>count</arg_key>\n<arg_value>', '<arg_lue>'],
      ['a string that lacks its delimiter', functiongemma, '<escape>,count', ',coun'],
      ['a string with the rest of a delimiter', functiongemma, '<escape>alpha', '<escalpha'],
      ['an end tag without its element', minimaxM3, ']<]minimax[>[<city>alphaville', ''],
      ['an end tag without its parameter', minimaxM2, '<parameter name="city">alphaville', ''],
      ['an attribute that is the rest of another tag', minimaxM2, '>alphaville</parameter>\n<parameter n', ''],
      ['an element that is opened twice', morphXml, '</city>\n<count>11</count>\n</tool_7>\n<tool_9>\n<zone>', '\n<city>'],
    ]),
  )('%s', (_, dialect, from, to) => {
    const { toolCalls, malformedCalls = [] } = read(dialect, from, to)
    expect(toolCalls.filter(({ arguments: json }) => json !== FIRST.arguments && json !== SECOND.arguments)).toEqual([])
    expect(malformedCalls.join()).toMatch(/alphaville|11|tool_7/)
  })

  it('but each of these faults alone is accepted', () => {
    const call = (body: string) => `<tool_call>\n<function=tool_7>\n${body}</function>\n</tool_call>`
    const argumentsOf = (text: string) =>
      qwen3Coder.parse(text, { tools }).toolCalls.map(({ arguments: json }) => JSON.parse(json))
    expect(argumentsOf(call('<parameter=city>Oslo\n<parameter=count>3</parameter>\n'))).toEqual([{ city: 'Oslo', count: 3 }])
    expect(argumentsOf(call('<parameter=town>Oslo</parameter>\n'))).toEqual([{ town: 'Oslo' }])
    expect(argumentsOf(call('<parameter=city>Oslo</parameter>\n<parameter=city>Oslo</parameter>\n'))).toEqual([{ city: 'Oslo' }])
  })

  it('and both together are accepted if the tool allows any parameters', () => {
    const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, additionalProperties: true }
    const open = [{ type: 'function' as const, function: { name: 'tool_7', description: '', parameters } }]
    const text = '<tool_call>\n<function=tool_7>\n<parameter=town>Oslo\n</function>\n</tool_call>'
    expect(qwen3Coder.parse(text, { tools: open }).toolCalls).toMatchObject([{ arguments: '{"town": "Oslo"}' }])
    expect(qwen3Coder.parse(text).toolCalls).toHaveLength(1)
  })
})

describe('a call with a broken start is reported', () => {
  it.each(
    named([
      ['its key', llama3Json, '{"name": "tool_7"', 'name": "tool_7"'],
      ['its first key', xlam, '"name": "tool_7"', '"n": "tool_7"'],
      ['its name', granite20bFc, '<function_call> {"name": "tool_7", ', '<functi'],
      ['its marker', phi4mini, 'functools[{"name": "tool_7", "arguments": {', 'funct'],
      ['its marker and its name', mistral, 'TOOL_CALLS]tool_7[ARGS]', 'TOOL_GS]'],
      ['its header', dspyChatadapter, '[[ ## tool_calls ## ]]\n', ''],
      ['its header', harmony, '<|channel|>commentary to=functions.', '<|chan'],
      ['its bracket', pythonic, '[tool_7(', 'tool_7('],
      ['its element', morphXml, '<tool_7>', '<tol_7>'],
      ['its name', gemma4, '<|tool_call>call:tool_7{city', '<|tool_call>y'],
      ['its marker, where text behind calls is dropped', kimiK2, '<|tool_call_begin|>functions.tool_9:1<', ''],
    ]),
  )('%s', (_, dialect, from, to) => {
    const { toolCalls, malformedCalls = [] } = read(dialect, from, to)
    expect(toolCalls.length).toBeLessThan(2)
    expect(malformedCalls.join()).toMatch(/alphaville|betatown/)
  })

  it("but data, examples and prose aren't", () => {
    const call = '{"name": "tool_7", "arguments": {"city": "Oslo"}'
    const texts = [
      '{"city": "Oslo", "count": 3}',
      'The result is {"city": "Oslo"}.',
      `Such a call looks like \`${call}\`.`,
      `\`\`\`js\n${call}\n\`\`\``,
      '{"log": [{"tool": "tool_7", "arguments": {"city": "Oslo"}}]}',
      'Set "city": to the name of a city.',
    ]
    for (const dialect of [llama3Json, xlam, granite20bFc, mistral])
      for (const text of texts) expect(dialect.parse(text, { tools }).malformedCalls, `${dialect.name} ${text}`).toBeUndefined()
    for (const text of [
      'Use tool_7 (or city=Oslo).',
      '## tool_7(options)',
      'See `tool_7(city="Oslo")`',
      '```py\ntool_7(city="Oslo")\n```',
    ])
      expect(pythonic.parse(text, { tools }).malformedCalls, text).toBeUndefined()
  })
})
