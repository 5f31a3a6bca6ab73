import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../arguments/parse.ts'
import type { LMResponse } from '../../index.ts'
import { openaiChat } from '../index.ts'

/** Decodes a reply with one choice. */
const decode = (message: unknown, finish_reason: unknown = 'stop', rest: object = {}): LMResponse =>
  openaiChat.decode({ choices: [{ index: 0, message, finish_reason }], ...rest })
const wireCall = (name: string, text: unknown, id: unknown = 'a') => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})
const callsOf = (...tool_calls: unknown[]) => decode({ content: null, tool_calls }, 'tool_calls').toolCalls

describe('decoding text', () => {
  it('pitfall 9: T4-7: treats content that is null, missing or empty as empty text', () => {
    for (const message of [{ content: null }, {}, { content: '' }, { content: 5 }, undefined])
      expect(decode(message).text).toBe('')
  })

  it('pitfall 9: joins the text parts of a list', () => {
    const content = [{ type: 'text', text: 'a' }, { type: 'thinking', thinking: 'x' }, null, { type: 'text', text: 'b' }]
    expect(decode({ content }).text).toBe('ab')
  })

  it('pitfall 9: treats a reply without choices as an empty one', () => {
    for (const reply of [{}, { choices: [] }, { choices: null }, null, [], 'x', 5]) {
      expect(openaiChat.decode(reply)).toEqual({ text: '', toolCalls: [], raw: reply })
    }
  })

  it('pitfall 15: decodes the first of several choices', () => {
    const choices = ['first', 'second'].map((content, index) => ({ index, message: { content }, finish_reason: 'stop' }))
    expect(openaiChat.decode({ choices }).text).toBe('first')
  })

  it('pitfall 16: keeps JSON and prose about calls as text', () => {
    for (const content of ['{"name":"search","arguments":{}}', 'functions.search({})']) {
      expect(decode({ content })).toMatchObject({ text: content, toolCalls: [], finishReason: 'stop' })
    }
  })

  it('separates reasoning and refusal from the text', () => {
    expect(decode({ content: 'a', reasoning_content: 'hm' }).reasoning).toBe('hm')
    expect(decode({ content: 'a', reasoning: 'hm' }).reasoning).toBe('hm')
    expect(decode({ content: null, refusal: 'No.' }).refusal).toBe('No.')
    expect(decode({ content: 'a', refusal: null, reasoning: '' })).not.toHaveProperty('refusal')
  })

  it('T4-16: keeps the raw reply', () => {
    const reply = { choices: [{ message: { content: 'a', x: 1 } }], vendor: { trace: 'z' } }
    expect(openaiChat.decode(reply).raw).toBe(reply)
  })
})

describe('decoding calls', () => {
  it('T4-14: keeps ids, names and argument text', () => {
    expect(callsOf(wireCall('a', '{"x": 1}', 'id1'), wireCall('b', '{bad', 'id2'))).toEqual([
      { id: 'id1', name: 'a', arguments: '{"x": 1}' },
      { id: 'id2', name: 'b', arguments: '{bad' },
    ])
  })

  it('pitfall 2: T4-12: treats missing arguments as empty', () => {
    for (const call of [wireCall('a', ''), wireCall('a', null), { function: { name: 'a' } }]) {
      expect(callsOf(call)[0]?.arguments).toBe('')
    }
  })

  it('converts other arguments to text, so that nothing is lost', () => {
    for (const value of [{ q: [1] }, [1], 5, true, {}]) {
      expect(callsOf(wireCall('a', value))[0]?.arguments).toBe(JSON.stringify(value))
    }
  })

  it('accepts arguments that are nested too deeply to be serialized', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)
    const [call] = callsOf(wireCall('a', deep))
    expect(parseArguments(call?.arguments ?? '').ok).toBe(false)
  })

  it('pitfall 4: generates a missing or repeated id', () => {
    const ids = (...wireIds: unknown[]) => callsOf(...wireIds.map((id) => wireCall('a', '{}', id))).map(({ id }) => id)
    expect(ids('', null, 5, {})).toEqual(['call_0', 'call_1', 'call_2', 'call_3'])
    expect(ids('x', 'x')).toEqual(['x', 'call_1'])
  })

  it('never generates an id that the reply already contains', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'call_0', 'call_1', 'call_2', 'call_1_', 'x')), (wireIds) => {
        const ids = callsOf(...wireIds.map((id) => wireCall('a', '{}', id))).map(({ id }) => id)
        expect(new Set(ids).size).toBe(wireIds.length)
      }),
    )
  })

  it('pitfall 8: drops empty placeholders', () => {
    const function_call = { name: '', arguments: '' }
    const tool_calls = [{ custom: { name: '', input: '' } }, { function: { name: '', arguments: '' } }, wireCall('a', '{}')]
    expect(decode({ content: 'x', function_call }).toolCalls).toEqual([])
    expect(decode({ content: null, function_call, tool_calls }).toolCalls).toEqual([{ id: 'a', name: 'a', arguments: '{}' }])
  })

  it('T4-13: passes on a call without a name, so that the model gets an error', () => {
    expect(callsOf(wireCall('', '{"q":1}'), wireCall('', { q: 1 }, 'b')).map(({ name }) => name)).toEqual(['', ''])
  })

  it("T4-13: ignores tool_calls that aren't a list, and entries that aren't objects", () => {
    for (const tool_calls of [null, {}, 'x', 5, [null, 5, 'x', []]])
      expect(decode({ content: '', tool_calls }).toolCalls).toEqual([])
  })

  it('decodes the older function_call', () => {
    const { toolCalls, finishReason } = decode({ content: null, function_call: { name: 'a', arguments: '{}' } }, 'function_call')
    expect(toolCalls).toEqual([{ id: 'call_0', name: 'a', arguments: '{}' }])
    expect(finishReason).toBe('tool-calls')
  })
})

describe('decoding the finish reason', () => {
  const finishOf = (reason: unknown, message: object = { content: 'a' }) => decode(message, reason).finishReason
  const calling = { content: null, tool_calls: [wireCall('rm', '{"path":"/srv"}', 'a'), wireCall('rm', '{}', 'b')] }

  it('maps each finish reason, and keeps the original one', () => {
    const reasons = {
      stop: 'stop',
      tool_calls: 'tool-calls',
      length: 'length',
      content_filter: 'content-filter',
      error: 'error',
      eos_token: 'stop',
      end_turn: 'stop',
      STOP: 'stop',
      max_tokens: 'length',
      x: 'other',
    }
    for (const [reason, finishReason] of Object.entries(reasons)) {
      expect(decode({ content: 'a' }, reason)).toMatchObject({ finishReason, rawFinishReason: reason })
    }
  })

  it('is undefined if the provider sent none', () => {
    for (const reason of [null, '', 5]) expect(finishOf(reason)).toBeUndefined()
    expect(openaiChat.decode({ choices: [{ message: { content: 'a' } }] })).not.toHaveProperty('finishReason')
  })

  it('pitfall 1: returns tool-calls for a reply with calls, whatever the server sends', () => {
    const expected = { finishReason: 'tool-calls', rawFinishReason: 'stop', toolCalls: [{ id: 'a' }, { id: 'b' }] }
    expect(decode(calling, 'stop')).toMatchObject(expected)
  })

  it('pitfall 1: returns tool-calls for a reply with calls and an empty reason', () => {
    expect(finishOf('', calling)).toBe('tool-calls')
  })

  it('marks the last call of a truncated reply', () => {
    for (const reason of ['length', 'content_filter', 'error']) {
      expect(decode(calling, reason).toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
    }
  })
})

describe('decoding usage', () => {
  it('returns input and output tokens', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
    expect(decode({ content: 'a' }, 'stop', { usage }).usage).toEqual({ inputTokens: 3, outputTokens: 4 })
    expect(decode({ content: 'a' }, 'stop', { x_groq: { usage } }).usage).toEqual({ inputTokens: 3, outputTokens: 4 })
  })

  it("omits counts that weren't sent", () => {
    expect(decode({ content: 'a' }, 'stop', { usage: { prompt_tokens: 3, completion_tokens: null } }).usage).toEqual({
      inputTokens: 3,
    })
    expect(decode({ content: 'a' }, 'stop', { usage: null })).not.toHaveProperty('usage')
  })
})

describe('pitfall 11: decoding errors', () => {
  const errorOf = (body: unknown) => openaiChat.decodeError?.(body)

  it('accepts four forms of the body', () => {
    expect(errorOf({ error: { message: 'No.', type: 'invalid_request_error', code: 'bad_key' } })).toEqual({
      message: 'No.',
      code: 'bad_key',
    })
    expect(errorOf({ error: 'No.' })).toEqual({ message: 'No.' })
    expect(errorOf({ message: 'No.' })).toEqual({ message: 'No.' })
    expect(errorOf({ detail: 'No.' })).toEqual({ message: 'No.' })
  })

  it('reads the code from code or type, as text or as a number', () => {
    expect(errorOf({ error: { message: 'x', code: 429 } })?.code).toBe('429')
    expect(errorOf({ error: { message: 'x', code: null, type: 'server_error' } })?.code).toBe('server_error')
    expect(errorOf({ error: { message: 'x', code: { toString: 5 } } })).toEqual({ message: 'x' })
  })

  it('returns an error object without a message as JSON', () => {
    expect(errorOf({ error: { status: 'X' } })?.message).toBe('{"status":"X"}')
  })

  it('returns undefined if there is no error', () => {
    for (const body of [undefined, null, '<html>', [], {}, { error: null }, { error: '' }, { choices: [], message: 'x' }]) {
      expect(errorOf(body)).toBeUndefined()
    }
  })

  it('also treats an error with status 200 as an error', () => {
    expect(openaiChat.decode({ error: { message: 'Overloaded' } })).toMatchObject({
      finishReason: 'error',
      error: { message: 'Overloaded' },
    })
  })

  it('accepts an error that is nested too deeply to be serialized', () => {
    const deep: unknown = JSON.parse(`{"error":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`)
    expect(errorOf(deep)?.message).toEqual(expect.any(String))
  })
})
