/**
 * Tests of calls from which a part of the text was removed, with one example for each kind. The property test in this folder generates
 * more.
 */
import { describe, expect, it } from 'vitest'
import { FIRST, SECOND, tools } from '../../test/dialects/two-calls.ts'
import { deepseekV4 } from './deepseek-v4.ts'
import { deepseekV31 } from './deepseek-v31.ts'
import type { Dialect } from './define/dialect.ts'
import { dspyChatadapter } from './dspy-chatadapter.ts'
import { functionaryV32 } from './functionary-v32.ts'
import { functiongemma } from './functiongemma.ts'
import { gemma4 } from './gemma4.ts'
import { genericJson } from './generic-json.ts'
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
import { olmo3 } from './olmo3.ts'
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
      ['arguments that are a number', dspyChatadapter, '{"city": "alphaville", "count": 11}', '11}'],
      ['strings that touch', olmo3, ', count=11)\ntool_9(zone=', ''],
      ['a bracket of the next marker', mistral, '1}[TOOL_CALLS]tool_9[ARGS]', ']'],
      ['the arguments of the next call', llama3Json, '}}; {"name": "tool_9", ', '}'],
      ['the arguments of the next call', genericJson, '}}\n{"name": "tool_9", ', '}, '],
      ['an element that is opened twice', morphXml, '</city>\n<count>11</count>\n</tool_7>\n<tool_9>\n<zone>', '\n<city>'],
    ]),
  )('%s', (_, dialect, from, to) => {
    const { toolCalls, malformedCalls = [] } = read(dialect, from, to)
    expect(toolCalls.filter(({ arguments: json }) => json !== FIRST.arguments && json !== SECOND.arguments)).toEqual([])
    expect(malformedCalls.join()).toMatch(/alphaville|11|tool_7/)
  })

  it.each(['</city>betatown', '</city>\n_7>\n<city>betatown', '</cit>betatown', '</citybetatown'])(
    'morph_xml: a value with its own end tag: %s',
    (rest) => {
      const text = `<tool_7>\n<city>alphaville${rest}</city>\n<count>22</count>\n</tool_7>`
      expect(morphXml.parse(text, { tools })).toMatchObject({ toolCalls: [], malformedCalls: [text] })
    },
  )

  it('but a value may contain other tags', () => {
    const value = 'use <b>x</b>, <city>y</city> and </div>'
    const text = `<tool_7>\n<city>${value}</city>\n<count>22</count>\n</tool_7>`
    expect(JSON.parse(morphXml.parse(text, { tools }).toolCalls[0]?.arguments ?? '')).toEqual({ city: value, count: 22 })
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

  it('and the other call is read', () => {
    const cases = named([
      ['its name', functionaryV32, 'tool_9\n{"zone": "betatown"', '{"zone": "betatown"'],
      ['its marker and its name', functionaryV32, '>>>tool_9', 'l_9'],
      ['all but its end', functionaryV32, 'tool_9\n{"zone": "betatown", "count": 22', '22'],
      ['all but its last bracket', functionaryV32, '{"city": "alphaville", "count": 11', ''],
      ['its role', harmony, '<|start|>assistant<|channel|>commentary to=functions', '<|start|>assis'],
      ['its arguments', gemma4, ':tool_9{zone:<|"|>betatown<|"|>,count:22}', ''],
      ['its marker and its name', gemma4, '<|tool_call>call:tool_7{city:<', '<|tool_call>'],
      ['its key', genericJson, '{"name": "tool_7", "arguments": {', '{nts": {'],
      ['its key', llama3Json, '{"name": "tool_7", "parameters": {', '{"na{'],
      ['its key', xlam, '{"name": "tool_9", "arguments": {', '{"name": {'],
      ['its name', xlam, '{"name": "tool_7", "arguments": {', '{ "arguments": {'],
      ['its key', xlam, '{"name": "tool_7", "arguments": {', '{"nnts": {'],
      ['a part of its name', genericJson, '"tool_7"', '"tool_"'],
      ['its marker', mistral, '[TOOL_CALLS]tool_7[ARGS]', '[TOOL_CA'],
      ['its marker and its arguments', mistral, '[TOOL_CALLS]tool_7[ARGS]{"city": "alphaville", "co', '[TOOL_CA'],
      ['all but its end', pythonic, 'tool_9(zone="betatown", co', 'to'],
      ['its parentheses', pythonic, 'tool_9(zone="betatown", count=22)', 'tool_9'],
      ['its marker, between signs of a quotation', deepseekV31, '<｜tool▁call▁begin｜>tool_9', '>tool_9'],
    ])
    for (const [what, dialect, from, to] of cases) {
      const { toolCalls, malformedCalls = [] } = read(dialect, from, to)
      expect([what, toolCalls.length, malformedCalls.length]).toEqual([what, 1, 1])
    }
    const { text } = morphXml.formatCall(FIRST) as { text: string }
    for (const rest of ['<toount>\n</tool_9>', '<too</tool_9>', 'ount>\n</tool_9>'])
      for (const reply of [`${text}\n${rest}`, `${rest}\n${text}`])
        expect(morphXml.parse(reply, { tools })).toMatchObject({ toolCalls: [{ name: 'tool_7' }], malformedCalls: [rest] })
  })

  it('alone, in the place of its key or its marker', () => {
    const args = '{"city": "Oslo", "count": 3}'
    for (const text of [`{nts": ${args}}`, `{"na${args}}`, `{"name": "tool_7"": ${args}}`, `[TOOL_CALLS${args}`])
      for (const dialect of [genericJson, llama3Json, mistral, phi4mini])
        expect(dialect.parse(text, { tools }).malformedCalls, `${dialect.name} ${text}`).toHaveLength(1)
  })

  it("but text beside a call isn't", () => {
    const texts = [
      'The values are {1, 2} :}',
      '- [x] done (see [1])',
      'The answer: {"city": "Oslo", "count": 3}',
      '{"city": "Oslo"}\n{"city": "Rome"}',
      '```js\nconst a = { city: "Oslo" }\n}\n```',
      '1) Oslo\n2) Rome',
      'The tag </tool_9> ends a call, and <b>this</b> is bold.',
      '{"name": "other", "arguments": {"x": 1}}',
    ]
    for (const dialect of [llama3Json, xlam, granite20bFc, mistral, functionaryV32, pythonic, morphXml, gemma4]) {
      const call = dialect.formatCall(FIRST)
      const written = call.ok ? call.text : ''
      for (const text of texts)
        for (const reply of [`${written}\n\n${text}`, `${text}\n\n${written}`]) {
          const { toolCalls, malformedCalls } = dialect.parse(reply, { tools })
          expect([dialect.name, reply, malformedCalls]).toEqual([dialect.name, reply, undefined])
          expect(toolCalls.length).toBeGreaterThan(0)
        }
    }
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
