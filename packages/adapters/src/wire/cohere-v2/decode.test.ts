import { describe, expect, it } from 'vitest'
import type { LMResponse } from '../../index.ts'
import { cohereV2 } from '../index.ts'

const decode = (message: unknown, finish_reason: unknown = 'COMPLETE', rest: object = {}): LMResponse =>
  cohereV2.decode({ id: 'r', message, finish_reason, ...rest })
const call = (name: string, text: unknown, id?: string) => ({ id, type: 'function', function: { name, arguments: text } })
const callsOf = (...tool_calls: unknown[]) => decode({ tool_calls }, 'TOOL_CALL').toolCalls

describe('decode', () => {
  it('decodes text, finish reason and usage, and keeps the raw reply', () => {
    const usage = {
      billed_units: { input_tokens: 1, output_tokens: 1 },
      tokens: { input_tokens: 30.0, output_tokens: 4.0 },
      cached_tokens: 20,
    }
    const reply = { message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }, finish_reason: 'COMPLETE', usage }
    expect(cohereV2.decode(reply)).toEqual({
      text: 'Hi',
      toolCalls: [],
      finishReason: 'stop',
      rawFinishReason: 'COMPLETE',
      usage: { inputTokens: 30, outputTokens: 4, cacheReadTokens: 20 },
      raw: reply,
    })
    expect(cohereV2.decode(reply).raw).toBe(reply)
  })

  it("doesn't use billed units as token counts", () => {
    expect(decode({}, 'COMPLETE', { usage: { billed_units: { input_tokens: 5 } } })).not.toHaveProperty('usage')
  })

  it('decodes calls, and returns the plan as reasoning and as metadata', () => {
    const message = { tool_plan: 'I will search.', tool_calls: [call('search', '{"q": 1}', 'search_1')] }
    expect(decode(message, 'TOOL_CALL')).toMatchObject({
      text: '',
      reasoning: 'I will search.',
      toolCalls: [{ id: 'search_1', name: 'search', arguments: '{"q": 1}' }],
      finishReason: 'tool-calls',
      metadata: { 'cohere-v2': { tool_plan: 'I will search.' } },
    })
  })

  it('distinguishes thinking from text and plan, and keeps it as metadata', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Hi' },
    ]
    expect(decode({ content, tool_plan: 'p' })).toMatchObject({
      text: 'Hi',
      reasoning: 'hm',
      metadata: { 'cohere-v2': { content, tool_plan: 'p' } },
    })
  })

  it('keeps citations', () => {
    const citations = [{ start: 0, end: 2, text: 'Hi', sources: [] }]
    const { metadata } = decode({ content: [{ type: 'text', text: 'Hi' }], citations })
    expect(metadata).toEqual({ 'cohere-v2': { citations } })
  })

  it('pitfall 2: decodes empty, missing and null arguments as empty text', () => {
    const texts = callsOf(call('a', ''), call('b', 'null'), call('c', null), call('d', '{}'), { function: { name: 'e' } })
    expect(texts.map((one) => one.arguments)).toEqual(['', 'null', '', '{}', ''])
  })

  it('pitfall 4: generates a missing or repeated id', () => {
    const calls = callsOf(call('a', '{}'), call('b', '{}', 'x'), call('c', '{}', 'x'), call('d', '{}', ''))
    expect(new Set(calls.map(({ id }) => id)).size).toBe(4)
    expect(calls.map(({ metadata }) => metadata)).toEqual([undefined, undefined, { 'cohere-v2': { id: 'x' } }, undefined])
  })

  it('accepts a single call instead of a list', () => {
    expect(decode({ tool_calls: call('a', '{}', 'x') }).toolCalls).toEqual([{ id: 'x', name: 'a', arguments: '{}' }])
  })

  it('maps each finish reason', () => {
    const reasons = [
      'COMPLETE',
      'STOP_SEQUENCE',
      'MAX_TOKENS',
      'TOOL_CALL',
      'ERROR',
      'TIMEOUT',
      'ERROR_TOXIC',
      'ERROR_LIMIT',
      'USER_CANCEL',
    ]
    const finishes = ['stop', 'stop', 'length', 'tool-calls', 'error', 'error', 'content-filter', 'length', 'other']
    expect(reasons.map((reason) => decode({}, reason).finishReason)).toEqual(finishes)
    expect(decode({}, 'complete')).toMatchObject({ finishReason: 'stop', rawFinishReason: 'complete' })
    expect(decode({}, null)).not.toHaveProperty('finishReason')
  })

  it('pitfall 1: detects calls regardless of the finish reason', () => {
    const message = { tool_calls: [call('a', '{}', 'x')] }
    for (const reason of ['COMPLETE', '', null]) expect(decode(message, reason).finishReason).toBe('tool-calls')
  })

  it('marks the last call of a truncated reply', () => {
    const { toolCalls } = decode({ tool_calls: [call('a', '{}'), call('b', '{}')] }, 'MAX_TOKENS')
    expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
  })

  it('pitfall 9: accepts content that is null, missing or a string', () => {
    for (const content of [null, undefined, 5, [], [null, 'x', { type: 'new' }]]) expect(decode({ content }).text).toBe('')
    expect(decode({ content: 'Hi' }).text).toBe('Hi')
  })

  it('pitfall 11: decodes errors', () => {
    expect(cohereV2.decodeError?.({ message: 'invalid api token' })).toEqual({ message: 'invalid api token' })
    expect(cohereV2.decodeError?.({ id: 'r', message: 'no' })).toEqual({ message: 'no' })
    expect(cohereV2.decode({ id: 'r', message: 'no' })).toMatchObject({ finishReason: 'error', error: { message: 'no' } })
  })
})
