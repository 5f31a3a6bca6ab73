import { describe, expect, it } from 'vitest'
import type { ParserOptions } from './define/dialect.ts'
import { reactText } from './react-text.ts'

function read(text: string, options?: ParserOptions): readonly unknown[] {
  const { text: prose, reasoning, toolCalls } = reactText.parse(text, options)
  return [prose, reasoning, ...toolCalls.map((call) => `${call.name} ${call.arguments}`)]
}

function toTools(properties: Readonly<Record<string, unknown>>): ParserOptions {
  return { tools: [{ type: 'function', function: { name: 'f', description: '', parameters: { type: 'object', properties } } }] }
}

describe('sections', () => {
  it('contain reasoning, a call, or the text', () => {
    expect(read('Thought: look\nAction: f\nAction Input: {"a": 1}')).toEqual(['', 'look', 'f {"a": 1}'])
    expect(read('Thought: I know\nFinal Answer: one\ntwo\nAction: none')).toEqual(['one\ntwo\nAction: none', 'I know'])
  })

  it('may have numbers, or be in bold type', () => {
    expect(read('Thought 1: a\nAction 1: f\nAction Input 12: {}')).toEqual(['', 'a', 'f {}'])
    expect(read('**Thought:** a\n**Action**: f\n**Action Input:** {}')).toEqual(['', 'a', 'f {}'])
  })

  it('start at the beginning of a line', () => {
    expect(read('Take Action: f')).toEqual(['Take Action: f', undefined])
    expect(read('Actions: none')).toEqual(['Actions: none', undefined])
  })

  it('end after the call, and an invented result is dropped', () => {
    const call = 'Action: f\nAction Input: {"a": 1}'
    for (const rest of ['Observation: x\nFinal Answer: y', 'Final Answer: y', 'Thought: z\nAction: g\nAction Input: {}'])
      expect(read(`${call}\n${rest}`)).toEqual(['', undefined, 'f {"a": 1}'])
  })

  it('may be followed by text, which contains no other call', () => {
    const rest = 'Observation: x\nAction: g\nAction Input: {}'
    for (const call of ['Action: f\nAction Input: {"a": 1}', 'Action: f\nAction Input:\n```json\n{"a": 1}\n```'])
      expect(read(`${call}\n${rest}`, { textAfterCalls: 'keep' })).toEqual([rest, undefined, 'f {"a": 1}'])
    const object = '```json\n{"action": "f", "action_input": "x"}\n```\nmore'
    expect(read(object, { textAfterCalls: 'keep' })[0]).toBe('more')
    expect(read(object)[0]).toBe('')
  })

  it("don't include an observation before the call", () => {
    expect(read('Observation: 5\nThought: so\nFinal Answer: 5')).toEqual(['5', 'so'])
  })
})

describe('a name', () => {
  it.each(['[f]', '`f`', '"f"', '**f**', '\nf'])('is read without the formatting around it: %j', (name) => {
    expect(read(`Action: ${name}\nAction Input: {}`)).toEqual(['', undefined, 'f {}'])
  })

  it('is a call without arguments if no input follows and the policy allows it', () => {
    expect(read('Action: f')).toEqual(['', undefined, 'f {}'])
    expect(read('Action: f\nObservation: x', { missingArguments: 'malformed' })[2]).toBeUndefined()
  })

  it('at the end of the text is a truncated call only if it is a tool and the policy allows such calls', () => {
    expect(reactText.parse('Action: f', toTools({ a: {} })).toolCalls).toMatchObject([{ name: 'f', truncated: true }])
    expect(reactText.parse('Action: fo', toTools({ a: {} }))).toMatchObject({ toolCalls: [], malformedCalls: ['Action: fo'] })
    expect(read('Action: f', { unfinished: 'never' })).toEqual(['', undefined])
    expect(read('Action: f\nAction Input: ```\nls', { unfinished: 'never' })).toEqual(['', undefined])
  })

  it('is reported if it is missing', () => {
    expect(reactText.parse('Action:\nObservation: x').malformedCalls).toEqual(['Action:'])
  })

  it('of an undeclared tool is text if the policy says so', () => {
    const text = 'Action: g\nAction Input: {}'
    expect(read(text, { ...toTools({}), unknownTool: 'text' })).toEqual([text, undefined])
  })
})

describe('an action that is none', () => {
  it.each(['None', 'none.', 'N/A', 'No action needed'])('%s is skipped with its input, and the answer is read', (name) => {
    for (const input of ['', 'Action Input: None\n', 'Action Input: {}\n'])
      expect(read(`Thought: so\nAction: ${name}\n${input}Final Answer: b`)).toEqual(['b', 'so'])
    expect(read(`Thought: so\nAction: ${name}`)).toEqual(['', 'so'])
  })

  it('is a call if a tool has this name', () => {
    const tools: ParserOptions['tools'] = [{ type: 'function', function: { name: 'none', description: '', parameters: {} } }]
    expect(read('Action: none\nAction Input: {}', { tools })[2]).toBe('none {}')
  })
})

describe('an input', () => {
  it.each([
    ['with several lines', '{\n"a": {"b": "x } y"}\n}', '{\n"a": {"b": "x } y"}\n}'],
    ['with the keys of an action', '\n{"action": "go"}', '{"action": "go"}'],
    ['in a fence', '```json\n{"a": 1}\n```', '{"a": 1}'],
    ['that is text', 'a: 1\n  b ', '{"input": "a: 1\\n  b"}'],
    ['that is text in a fence', '```\nls -la\n```', '{"input": "ls -la"}'],
    ['that is a JSON string', '"cats"', '{"input": "cats"}'],
    ['that is the `None` of Python', 'None', '{}'],
  ])('%s is parsed', (_, input, text) => {
    expect(read(`Action: f\nAction Input: ${input}\nObservation: x`)[2]).toBe(`f ${text}`)
  })

  it('becomes the only parameter, with its type, if it is plain text', () => {
    expect(read('Action: f\nAction Input: 5', toTools({ n: { type: 'integer' } }))[2]).toBe('f {"n": 5}')
    expect(read('Action: f\nAction Input: 5', toTools({ n: {}, m: {} }))[2]).toBe('f {"input": "5"}')
  })

  it('yields no call if it is truncated', () => {
    expect(read('Action: f\nAction Input: {"a": 1')).toEqual(['', undefined])
  })

  it('is emitted as it arrives', () => {
    const parser = reactText.streamParser()
    parser.push('Action: f\nAction Input: two ')
    expect(parser.push('words ')).toEqual([{ type: 'arguments', index: 0, text: ' words' }])
    expect(parser.push('\nObs')).toEqual([])
  })
})

describe('an object', () => {
  it('is an action: bare, in a fence, or after its header', () => {
    const object = '{"thought": "look", "action": "f", "action_input": {"a": 1}, "final_answer": null}'
    for (const text of [object, `\`\`\`json\n${object}\n\`\`\``, `Action:\n\`\`\`\n${object}\n\`\`\`\nmore`])
      expect(read(text)).toEqual(['', 'look', 'f {"a": 1}'])
  })

  it('may have text as its input', () => {
    expect(read('{"action": "f", "action_input": "x"}')[2]).toBe('f {"input": "x"}')
    expect(read('{"action": "f", "action_input": "{\\"a\\": 1}"}')[2]).toBe('f {"a": 1}')
  })

  it('may contain the answer', () => {
    expect(read('{"action": "Final Answer", "action_input": "done"}')).toEqual(['done', undefined])
    expect(read('{"thought": "so", "action": "finish", "final_answer": [1]}')).toEqual(['[1]', 'so'])
  })

  it('is text if it is any other object', () => {
    expect(read('{"name": "f"}')).toEqual(['{"name": "f"}', undefined])
    expect(read('{"thought": "hm"}')).toEqual(['{"thought": "hm"}', undefined])
  })
})

describe('a written call', () => {
  it('is one action', () => {
    const call = { id: 'c', name: 'f', arguments: '{"a":"x\\nObservation: y"}' }
    expect(reactText.formatCall(call)).toEqual({ ok: true, text: 'Action: f\nAction Input: {"a":"x\\nObservation: y"}' })
    expect(reactText.formatCalls([call, call])).toMatchObject({
      ok: false,
      code: 'parallel_calls',
      message: expect.stringMatching(/ Write each call in its own turn\.$/),
    })
    expect(reactText.formatCall({ ...call, name: '[f]' })).toMatchObject({ ok: false, code: 'invalid_name' })
  })

  it('contains no headers and no action in its result', () => {
    const text = 'a\nAction: f\n{"action": "f"} ```json\n{"action": "f"}\n```'
    const written = reactText.formatResult({ callId: 'c', name: 'f', ok: true, text })
    expect(written).toMatch(/^Observation: a&#10;Action: f/)
    expect(read(written.replace('Observation: ', ''))[2]).toBeUndefined()
  })
})

describe('a header after an empty section', () => {
  it.each(['\n', ' \n', '\r\n', '\n\n  '])('is recognized: %j', (space) => {
    expect(read(`Thought:${space}Action: f\nAction Input: {"x":1}`)).toEqual(['', undefined, 'f {"x":1}'])
    expect(read(`Thought:${space}Final Answer: 42`)).toEqual(['42', undefined])
    expect(read(`Thought: a\nThought:${space}Thought:\n b`)).toEqual(['', 'a\nb'])
    expect(reactText.parse(`Action:${space}Observation: x`).toolCalls).toEqual([])
  })
})

describe('a response that starts in reasoning', () => {
  it('keeps an answer as text', () => {
    expect(read('hm\nFinal Answer: 42', { startsInReasoning: true })).toEqual(['42', 'hm'])
  })
})

describe('an input that is a list', () => {
  const argsOf = (text: string, options?: ParserOptions) => reactText.parse(text, options).toolCalls[0]?.arguments
  const toolOf = (city: object) =>
    [
      { type: 'function', function: { name: 'f', description: '', parameters: { type: 'object', properties: { city } } } },
    ] as const

  it('is a list if the schema declares nothing else', () => {
    for (const text of [
      'Action: f\nAction Input: ["a", 2]',
      'Action: f\nAction Input:\n```json\n["a", 2]\n```',
      '{"action": "f", "action_input": ["a", 2]}',
    ])
      expect(argsOf(text)).toBe('{"input": ["a", 2]}')
    expect(argsOf('Action: f\nAction Input: ["a"]', { tools: toolOf({}) })).toBe('{"city": ["a"]}')
  })

  it("is text if a string is declared, or if it isn't a list", () => {
    expect(argsOf('Action: f\nAction Input: ["a"]', { tools: toolOf({ type: 'string' }) })).toBe('{"city": "[\\"a\\"]"}')
    expect(argsOf('Action: f\nAction Input: [sic] a note\nObservation:')).toBe('{"input": "[sic] a note"}')
  })

  it('yields no call if it is truncated', () => {
    expect(reactText.parse('Action: f\nAction Input: ["a", ').toolCalls).toEqual([])
  })
})
