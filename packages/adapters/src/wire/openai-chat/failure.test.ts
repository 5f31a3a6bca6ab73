import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../arguments/parse.ts'
import { collectDeltas, type LMResponse } from '../../index.ts'
import { openaiChat, openaiChatHosts } from '../index.ts'

const failed = (failed_generation: unknown, code = 'tool_use_failed') => ({
  error: { message: 'Failed to call a function.', type: 'invalid_request_error', code, failed_generation },
})
const read = (text: unknown, code?: string): LMResponse | undefined => openaiChat.decodeFailure?.(failed(text, code))
const callsOf = (text: unknown) => read(text)?.toolCalls.map(({ name, arguments: args }) => [name, args])

describe('a reply that Groq rejected (pitfall 10)', () => {
  it('pitfall 10: is an error', () => {
    expect(openaiChat.decodeError?.(failed('{}'))).toEqual({ message: 'Failed to call a function.', code: 'tool_use_failed' })
  })

  it('pitfall 10: contains calls as JSON', () => {
    expect(callsOf('{"name": "look", "arguments": {"q": 1}}')).toEqual([['look', '{"q":1}']])
    expect(callsOf('{"name": "look", "arguments": "{\\"q\\": 1}"}')).toEqual([['look', '{"q": 1}']])
    expect(callsOf('[{"name": "a", "parameters": {}}, {"name": "b", "arguments": {}}]')).toEqual([
      ['a', '{}'],
      ['b', '{}'],
    ])
    expect(callsOf('```\n{"tool_calls": [{"type":"function","function":{"name":"look","arguments":{}}}]}\n```')).toEqual([
      ['look', '{}'],
    ])
  })

  it('pitfall 10: contains calls between tags', () => {
    const forms = [
      '<function=look>{"q": 1}</function>',
      '<function=look{"q": 1}</function>',
      '<function=look({"q": 1})</function>',
    ]
    for (const form of [...forms, 'look{"q": 1}</function>']) expect(callsOf(form), form).toEqual([['look', '{"q": 1}']])
    expect(callsOf(`${forms[0]}\n${forms[1]}`)).toHaveLength(2)
    expect(callsOf('<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>')).toEqual([['look', '{}']])
    expect(callsOf('<tool-use>{"tool_calls": [{"name": "look", "parameters": {}}]}</tool-use>')).toEqual([['look', '{}']])
  })

  it('pitfall 10: marks each call as recovered in its metadata', () => {
    const response = openaiChatHosts.groq.decodeFailure?.(failed('{"name":"look","arguments":{}}'))
    expect(response).toMatchObject({
      finishReason: 'tool-calls',
      toolCalls: [{ id: 'call_0', metadata: { 'openai-chat:groq': { recovered: 'failed_generation' } } }],
    })
  })

  it("pitfall 10: contains no calls if any part isn't a complete call", () => {
    const texts = [
      '',
      'I look.',
      'I look. {"name": "look", "arguments": {}}',
      '{"name": "look", "arguments": {"q": 1}',
      '{"name": "look", "arguments": [1]}',
      '{"name": "look"}',
      '{"arguments": {}}',
      '<function=look>{"q": 1}',
      '<function=look>{"q": 1</function>',
      '<function=look>{}</function> and more',
      '<function={}</function>',
      '<other>{}</other>',
      '[]',
      '```',
      '[{"name": "look", "arguments": {}}, 5]',
    ]
    for (const text of [...texts, undefined, 5, {}]) expect(read(text), String(text)).toBeUndefined()
    expect(read('{"name": "look", "arguments": {}}', 'json_validate_failed')).toBeUndefined()
  })

  it('returns a call that is nested too deeply, whose arguments are refused later', () => {
    const calls = read(`{"name": "look", "arguments": ${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`)?.toolCalls
    expect(calls).toMatchObject([{ id: 'call_0', name: 'look' }])
    expect(parseArguments(calls?.[0]?.arguments ?? '').ok).toBe(false)
    expect(read('<function='.repeat(50_000))).toBeUndefined()
  })

  const stream = (...events: readonly object[]) => {
    const decoder = openaiChat.streamDecoder()
    return collectDeltas([...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()])
  }

  it('pitfall 10: contains calls inside a stream too', () => {
    const text = '{"name":"look","arguments":{"q":1}}'
    const { raw: _, ...response } = read(`[${text}, ${text}]`) as LMResponse
    expect(response.toolCalls).toHaveLength(2)
    expect(stream({ _event: 'error', ...failed(`[${text}, ${text}]`) })).toEqual(response)
  })

  it('pitfall 10: ignores further failures in a stream whose calls were recovered', () => {
    const decoder = openaiChat.streamDecoder()
    const event = failed('{"name":"look","arguments":{}}')
    const types = [event, event, failed('I look.')].flatMap((one) => decoder.push(one).map(({ type }) => type))
    expect([...types, ...decoder.end().map(({ type }) => type)]).toEqual(['call_start', 'arguments', 'call_end', 'finish'])
  })

  it("pitfall 10: keeps the text inside a stream that isn't calls, or that may repeat streamed ones", () => {
    const text = '{"name":"look","arguments":{}}'
    const call = { index: 0, id: 'a', function: { name: 'look', arguments: '{}' } }
    const started = { choices: [{ delta: { tool_calls: [call] } }] }
    for (const [calls, ...events] of [
      [0, failed('I look.')],
      [1, started, failed(text)],
    ] as const)
      expect(stream(...events)).toMatchObject({
        toolCalls: Array(calls).fill({ name: 'look' }),
        malformedCalls: [expect.any(String)],
        finishReason: 'error',
        error: { code: 'tool_use_failed' },
      })
  })

  it('pitfall 10: also keeps the text with status 200', () => {
    expect(openaiChat.decode(failed('x'))).toMatchObject({ toolCalls: [], malformedCalls: ['x'], finishReason: 'error' })
  })
})
