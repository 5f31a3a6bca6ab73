import { describe, expect, it } from 'vitest'
import type { LMResponse } from '../../index.ts'
import { ollama } from '../index.ts'

const decode = (message: unknown, rest: object = { done: true, done_reason: 'stop' }): LMResponse =>
  ollama.decode({ message, ...rest })
const call = (name: string, args: unknown, rest: object = {}) => ({ function: { name, arguments: args }, ...rest })
const callsOf = (...tool_calls: unknown[]) => decode({ content: '', tool_calls }).toolCalls

describe('decode', () => {
  it('reads text, thinking, finish and usage, and keeps the whole reply', () => {
    const message = { role: 'assistant', content: 'Hi', thinking: 'hm' }
    const reply = { model: 'm', message, done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 4, eval_duration: 9 }
    expect(ollama.decode(reply)).toEqual({
      text: 'Hi',
      toolCalls: [],
      reasoning: 'hm',
      finishReason: 'stop',
      rawFinishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 4 },
      raw: reply,
    })
    expect(ollama.decode(reply).raw).toBe(reply)
  })

  it('has no count of a prompt that was in the cache', () => {
    expect(decode({}, { done: true, eval_count: 4 }).usage).toEqual({ outputTokens: 4 })
    expect(decode({}, { done: true })).not.toHaveProperty('usage')
  })

  it('pitfall 2: reads arguments that are an object, a text, null or missing', () => {
    const texts = callsOf(call('a', { q: 1 }), call('b', '{"q": 1}'), call('c', null), call('d', {}), { function: { name: 'e' } })
    expect(texts.map((one) => one.arguments)).toEqual(['{"q":1}', '{"q": 1}', '', '{}', ''])
  })

  it('pitfall 4: mints ids for calls without one, behind one that has one', () => {
    const calls = callsOf(call('a', {}, { id: 'call_x' }), call('b', {}), call('c', {}, { id: 'call_x' }))
    expect(calls[0]?.id).toBe('call_x')
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    expect(calls.map(({ metadata }) => metadata)).toEqual([undefined, undefined, { ollama: { id: 'call_x' } }])
  })

  it('pitfall 5: keeps calls apart that have the same index', () => {
    const both = ['a', 'b'].map((name) => ({ function: { index: 0, name, arguments: {} } }))
    expect(callsOf(...both).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('pitfall 1: looks at the calls, not at the reason', () => {
    const message = { content: '', tool_calls: [call('a', {})] }
    expect(decode(message)).toMatchObject({ finishReason: 'tool-calls', rawFinishReason: 'stop' })
    expect(decode(message, { done: true }).finishReason).toBe('tool-calls')
  })

  it('has a class for each reason', () => {
    const reasons = ['stop', 'length', 'load', 'unload', 'error', 'tool_calls', 'new']
    const finishes = reasons.map((done_reason) => decode({ content: 'a' }, { done: true, done_reason }).finishReason)
    expect(finishes).toEqual(['stop', 'length', 'other', 'other', 'error', 'tool-calls', 'other'])
    expect(decode({ content: 'a' }, { done: true }).finishReason).toBe('stop')
    expect(decode({ content: 'a' }, {})).not.toHaveProperty('finishReason')
  })

  it('marks the last call of a reply that was cut off', () => {
    const { toolCalls } = decode({ tool_calls: [call('a', {}), call('b', {})] }, { done: true, done_reason: 'length' })
    expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
  })

  it('pitfall 16: leaves a call that leaked into the text as text', () => {
    const content = '{"name": "search", "parameters": {}}'
    expect(decode({ content })).toMatchObject({ text: content, toolCalls: [], finishReason: 'stop' })
  })

  it('pitfall 11: reads errors', () => {
    const error = "model 'none' not found"
    expect(ollama.decodeError?.({ error })).toEqual({ message: error })
    expect(ollama.decode({ error })).toMatchObject({ text: '', finishReason: 'error', error: { message: error } })
  })
})
