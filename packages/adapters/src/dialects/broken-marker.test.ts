/** Tests of broken markers in replies with two calls, with one example for each kind. The property test in this folder generates more. */
import { describe, expect, it } from 'vitest'
import { FIRST, SECOND, tools } from '../../test/dialects/two-calls.ts'
import { deepseekV3 } from './deepseek-v3.ts'
import { deepseekV4 } from './deepseek-v4.ts'
import { deepseekV31 } from './deepseek-v31.ts'
import type { Dialect } from './define/dialect.ts'
import { dspyChatadapter } from './dspy-chatadapter.ts'
import { functionaryV32 } from './functionary-v32.ts'
import { glm45 } from './glm45.ts'
import { granite } from './granite.ts'
import { harmony } from './harmony.ts'
import { hermes } from './hermes.ts'
import { hunyuanV3 } from './hunyuan-v3.ts'
import { hunyuanV4 } from './hunyuan-v4.ts'
import { kimiK2 } from './kimi-k2.ts'
import { kimiK3 } from './kimi-k3.ts'
import { minimaxM3 } from './minimax-m3.ts'
import { mistral } from './mistral.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { reactText } from './react-text.ts'
import { step3 } from './step3.ts'
import { xlam } from './xlam.ts'

/** Replaces a part of the text of two calls and parses the result. Returns the calls, the malformed calls and the text. */
function read(dialect: Dialect, from: string, to: string) {
  const written = dialect.formatCalls([FIRST, SECOND])
  const text = written.ok ? written.text : ''
  expect(text).toContain(from)
  const { toolCalls, malformedCalls = [], text: prose } = dialect.parse(text.replace(from, to), { tools })
  return { calls: toolCalls.map(({ name, arguments: json }) => [name, JSON.parse(json)]), malformedCalls, prose }
}

type Row = readonly [what: string, dialect: Dialect, from: string, to: string]

/** Adds the dialect to the title of each row. */
const named = (rows: readonly Row[]): Row[] => rows.map(([what, ...rest]) => [`${rest[0].name}: ${what}`, ...rest])

const ONE = ['tool_7', { city: 'alphaville', count: 11 }]
const OTHER = ['tool_9', { zone: 'betatown', count: 22 }]

describe('a broken first call is reported, and the second one is parsed', () => {
  it.each(
    named([
      ['an open marker', kimiK2, '<|tool_call_begin|>', '<|tool_cal_begin|>'],
      ['an open marker', deepseekV31, '<｜tool▁call▁begin｜>', '<｜tool▁call▁bgin｜>'],
      ['an open marker', deepseekV3, '<｜tool▁call▁begin｜>function', '<｜tool▁call▁bgin｜>unction'],
      ['the marker of a key', hunyuanV3, '</arg_key>\n<arg_value>11', '</arg_kearg_value>11'],
      ['the marker of a key', hunyuanV4, '</arg_key:opensource><arg_value:opensource>11', '</arg_keyarg_value:opensource>11'],
      ['two end markers', glm45, '11</arg_value>\n</tool_call>', '11</arg_valuetool_call>'],
      ['the marker of a parameter', kimiK3, '<|open|>argument key="city"', '<|ope|>argument key="city"'],
      ['the marker of a parameter', deepseekV4, '<｜DSML｜parameter name="city"', '<｜DSML｜para name="city"'],
      ['the marker of a parameter', step3, '<steptml:parameter name="city"', '<steptml:para name="city"'],
      ['the marker of a parameter', minimaxM3, ']<]minimax[>[<city>', ']<]mini[>[<city>'],
      ['a tag that is closed before its parameters', qwen3Coder, '<function=tool_7>', '<function=tool_7/>'],
      ['a tag that is closed before its parameters', deepseekV4, 'name="tool_7">', 'name="tool_7"/>'],
      ['arguments that are closed too early', kimiK2, '{"city"', '{}"city"'],
      ['arguments that are closed too early', harmony, '{"city"', '{}"city"'],
      ['arguments that are closed too early', hermes, '{"city"', '{}"city"'],
      ['arguments that are closed too early', xlam, '{"city"', '{}"city"'],
      ['arguments that are no JSON', dspyChatadapter, '{"city"', 'x{"city"'],
      ['the end of the object', hermes, '11}}', "11}'}"],
      ['the key of the arguments', hermes, '"arguments": {"city"', '"argumentscity"'],
    ]),
  )('%s', (_, dialect, from, to) => {
    const { calls, malformedCalls } = read(dialect, from, to)
    expect(calls).toEqual([OTHER])
    expect(malformedCalls.join()).toMatch(/alphaville|11|tool_7/)
  })
})

describe('a name that only results from broken syntax starts no call', () => {
  it.each(
    named([
      ['its tag', minimaxM3, 'name="tool_7"', 'name="e="tool_7"'],
      ['its tag', deepseekV4, 'name="tool_7"', 'name="e="tool_7"'],
      ['its tag', deepseekV4, 'name="tool_7"', 'name="e" name="tool_7"'],
      ['its tag', step3, 'name="tool_7"', 'name="e="tool_7"'],
      ['its tag', kimiK3, 'tool="tool_7"', 'tool="e="tool_7"'],
      ['its tag', kimiK2, 'functions.tool_7', 'functions.t"ool_7'],
      ['its tag', hunyuanV3, '<tool_call>tool_7', '<tool_call>tool_7<to'],
    ]),
  )('%s', (_, dialect, from, to) => {
    const { calls, malformedCalls } = read(dialect, from, to)
    expect(calls).toEqual([OTHER])
    expect(malformedCalls.join()).toContain('alphaville')
  })

  it.each([
    { dialect: mistral, text: '[TOOL_CALLS]tool_7({"city": "Oslo"})' },
    { dialect: mistral, text: '[TOOL_CALLS]tool_7([ARGS]{"city": "Oslo"}' },
    {
      dialect: deepseekV31,
      text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_7(<｜tool▁sep｜>{"city": "Oslo"})<｜tool▁call▁end｜>',
    },
    { dialect: functionaryV32, text: '>>>tool_7(\n{"city": "Oslo"})' },
    { dialect: glm45, text: '<tool_call>tool_7({"city": "Oslo"}' },
    { dialect: glm45, text: '<tool_call>tool_7({"city": "Oslo"})</tool_call>' },
    { dialect: reactText, text: 'Action: tool_7(\nAction Input: {"city": "Oslo"})' },
    { dialect: hermes, text: '<tool_call>\n{"name": "tool_7(", "arguments": {"city": "Oslo"}}\n</tool_call>' },
  ])('with a parenthesis: $dialect.name, $text', ({ dialect, text }) => {
    const { toolCalls, malformedCalls } = dialect.parse(text, { tools })
    expect(toolCalls).toEqual([])
    expect(malformedCalls?.join()).toContain('tool_7(')
  })

  it('but an undeclared name without broken syntax does', () => {
    expect(deepseekV4.parse(deepseekCall('get weather-2.x'), { tools }).toolCalls).toMatchObject([
      { name: 'get weather-2.x', tags: ['unknown_tool'] },
    ])
  })

  it('and any name does if the tools are unknown', () => {
    expect(deepseekV4.parse(deepseekCall('a=b')).toolCalls).toMatchObject([{ name: 'a=b' }])
  })

  it('not even in a stream', () => {
    const parser = deepseekV4.streamParser({ tools })
    const deltas = [...parser.push(deepseekCall('a=b')), ...parser.end()]
    expect(deltas.map(({ type }) => type)).toEqual(['malformed_call'])
  })
})

function deepseekCall(name: string): string {
  return `<｜DSML｜tool_calls>\n<｜DSML｜invoke name="${name}">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>`
}

describe('both calls are parsed', () => {
  it.each(
    named([
      ['behind a broken end marker with a quote', kimiK2, '<|tool_call_end|>', '<|tool_ca"ll_end|>'],
      ['behind a broken end marker with a back-tick', deepseekV31, '<｜tool▁call▁end｜>', '<｜tool▁ca`ll▁end｜>'],
      ['behind a broken fence', deepseekV3, '```<｜tool▁call▁end｜>', '`>``<｜tool▁call▁end｜>'],
      ['behind a marker that begins twice', harmony, '<|start|>assistant', '<|start|>tart|>assistant'],
      ['behind a role that is misspelt', harmony, '<|start|>assistant', '<|start|>assi[stant'],
      ['around brackets and commas too many', granite, '11}}', '11}}}, ,'],
      ['in front of a lone bracket', granite, '22}}]', '22}}"]'],
    ]),
  )('%s', (_, dialect, from, to) => {
    expect(read(dialect, from, to)).toMatchObject({ calls: [ONE, OTHER], malformedCalls: [] })
  })
})

describe('a broken call in dropped text after a call is reported', () => {
  it.each(
    named([
      ['its open marker', kimiK2, '<|tool_call_begin|>functions.tool_9', '<|tool_call"begin|>functions.tool_9'],
      [
        'its open marker',
        deepseekV3,
        '<｜tool▁call▁begin｜>function<｜tool▁sep｜>tool_9',
        '<｜tool"call▁begin｜>unction<｜tool▁sep｜>tool_9',
      ],
      ['its open marker', glm45, '<tool_call>tool_9', '<tol_call>tool_9'],
      ['its open marker', minimaxM3, ']<]minimax[>[<invoke name="tool_9"', ']<]minmax[>[<invoke name="tool_9"'],
    ]),
  )('%s', (_, dialect, from, to) => {
    const { calls, malformedCalls, prose } = read(dialect, from, to)
    expect([calls, prose]).toEqual([[ONE], ''])
    expect(malformedCalls.join()).toContain('betatown')
  })

  it("but prose and end markers aren't", () => {
    const call = '<tool_call>tool_7\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>'
    for (const text of ['It is sunny.', '</tool_call>', 'The tag <b> is bold.'])
      expect(glm45.parse(`${call}\n${text}`, { tools })).toEqual({ text: '', toolCalls: [expect.anything()] })
  })
})

it('keeps an answer under a misspelled role, and drops an invented result', () => {
  expect(harmony.parse('<|start|>assi[stant<|channel|>final<|message|>Done.<|return|>').text).toBe('Done.')
  expect(harmony.parse('<|start|>weather to=assistant<|channel|>commentary<|message|>20<|end|>').text).toBe('')
  expect(harmony.parse('<|start|>user<|channel|>final<|message|>Go on.<|end|>').text).toBe('')
})

it('ends a value at a tag of the next call, and parses that call', () => {
  const { calls } = read(kimiK3, '<|close|>argument<|sep|><|close|>call<|sep|>', '<|close|>argument<|close|>call')
  expect(calls).toEqual([OTHER])
})
