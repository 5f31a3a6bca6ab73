import { describe, expect, it } from 'vitest'
import type { LMResponse } from '../../index.ts'
import { mistral } from '../index.ts'

/** Decodes a reply with one choice. */
const decode = (message: unknown, finish_reason: unknown = 'stop', rest: object = {}): LMResponse =>
  mistral.decode({ choices: [{ index: 0, message, finish_reason }], ...rest })
const callsOf = (...tool_calls: unknown[]) => decode({ content: '', tool_calls }, 'tool_calls').toolCalls
const fn = (name: string, text: unknown) => ({ function: { name, arguments: text } })

describe('decode', () => {
  it('decodes text, calls, finish reason and usage, and keeps the raw reply', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, num_cached_tokens: 2 }
    const reply = { choices: [{ index: 0, message: { content: 'Hi', tool_calls: null }, finish_reason: 'stop' }], usage }
    expect(mistral.decode(reply)).toEqual({
      text: 'Hi',
      toolCalls: [],
      finishReason: 'stop',
      rawFinishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 2 },
      raw: reply,
    })
    expect(mistral.decode(reply).raw).toBe(reply)
  })

  it('pitfall 2: decodes empty, missing and null arguments as empty text', () => {
    expect(callsOf(fn('a', ''), fn('b', '{}'), fn('c', null)).map((call) => call.arguments)).toEqual(['', '{}', ''])
  })

  it('accepts arguments that are an object, and calls without a type', () => {
    expect(callsOf({ id: 'EscTeQY62', ...fn('a', { q: 1 }) })).toEqual([{ id: 'EscTeQY62', name: 'a', arguments: '{"q":1}' }])
  })

  it('pitfall 4: generates an id for a repeated id and for "null"', () => {
    const calls = callsOf({ id: 'null', ...fn('a', '{}') }, { id: 'x', ...fn('b', '{}') }, { id: 'x', ...fn('c', '{}') })
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    expect(calls.map(({ metadata }) => metadata)).toEqual([undefined, undefined, { mistral: { id: 'x' } }])
  })

  it('distinguishes thinking from text, and keeps the parts as metadata', () => {
    const content = [
      {
        type: 'thinking',
        thinking: [
          { type: 'text', text: 'h' },
          { type: 'reference', reference_ids: [1] },
          { type: 'text', text: 'm' },
        ],
      },
      { type: 'text', text: 'Hi' },
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: '.' },
    ]
    expect(decode({ content })).toMatchObject({ text: 'Hi.', reasoning: 'hm', metadata: { mistral: { content } } })
  })

  it('keeps no metadata for a list that contains only text', () => {
    const response = decode({
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    })
    expect(response.text).toBe('ab')
    expect(response).not.toHaveProperty('metadata')
  })

  it('maps each finish reason', () => {
    const reasons = ['stop', 'length', 'model_length', 'error', 'tool_calls', 'new']
    const finishes = reasons.map((reason) => decode({ content: 'a' }, reason).finishReason)
    expect(finishes).toEqual(['stop', 'length', 'length', 'error', 'tool-calls', 'other'])
    expect(decode({ content: 'a' }, 'model_length').rawFinishReason).toBe('model_length')
  })

  it('marks the last call of a reply that filled the context', () => {
    const { toolCalls } = decode({ tool_calls: [fn('a', '{}'), fn('b', '{}')] }, 'model_length')
    expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
  })

  it('pitfall 16: keeps text that looks like a call as text', () => {
    const content = '[TOOL_CALLS][{"name": "search", "arguments": {}}]'
    expect(decode({ content })).toMatchObject({ text: content, toolCalls: [] })
  })
})

describe('an error', () => {
  const errorOf = (body: unknown) => mistral.decodeError?.(body)

  it('pitfall 11: is decoded from each form of the body', () => {
    expect(errorOf({ detail: 'Invalid API Key' })).toEqual({ message: 'Invalid API Key' })
    expect(errorOf({ message: 'Unauthorized', request_id: 'r' })).toEqual({ message: 'Unauthorized' })
    const limited = { object: 'error', message: 'Slow down', type: 'rate_limited', code: '1300' }
    expect(errorOf(limited)).toEqual({ message: 'Slow down', code: '1300' })
  })

  it('is reported with the invalid fields of the request', () => {
    const detail = [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }]
    const body = { object: 'error', message: { detail }, type: 'invalid_request_error', code: null }
    expect(errorOf(body)).toEqual({ message: JSON.stringify({ detail }), code: 'invalid_request_error' })
    expect(errorOf({ detail })?.message).toBe(JSON.stringify(detail))
  })

  it('ends a reply that contains it', () => {
    expect(mistral.decode({ object: 'error', message: 'x', code: 3 })).toMatchObject({
      finishReason: 'error',
      error: { code: '3' },
    })
  })
})
