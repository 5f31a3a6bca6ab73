import { describe, expect, it } from 'vitest'
import type { LMResponse } from '../../index.ts'
import { ollama } from '../index.ts'

const decode = (message: unknown, rest: object = { done: true, done_reason: 'stop' }): LMResponse =>
  ollama.decode({ message, ...rest })
const call = (name: string, args: unknown, rest: object = {}) => ({ function: { name, arguments: args }, ...rest })
const callsOf = (...tool_calls: unknown[]) => decode({ content: '', tool_calls }).toolCalls

describe('decode', () => {
  it('decodes text, thinking, finish reason and usage, and keeps the raw reply', () => {
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

  it('has no prompt count if the prompt was cached', () => {
    expect(decode({}, { done: true, eval_count: 4 }).usage).toEqual({ outputTokens: 4 })
    expect(decode({}, { done: true })).not.toHaveProperty('usage')
  })

  it('pitfall 2: accepts arguments that are an object, a string, null or missing', () => {
    const texts = callsOf(call('a', { q: 1 }), call('b', '{"q": 1}'), call('c', null), call('d', {}), { function: { name: 'e' } })
    expect(texts.map((one) => one.arguments)).toEqual(['{"q":1}', '{"q": 1}', '', '{}', ''])
  })

  it('pitfall 4: generates ids for calls without one, after a call that has one', () => {
    const calls = callsOf(call('a', {}, { id: 'call_x' }), call('b', {}), call('c', {}, { id: 'call_x' }))
    expect(calls[0]?.id).toBe('call_x')
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    expect(calls.map(({ metadata }) => metadata)).toEqual([undefined, undefined, { ollama: { id: 'call_x' } }])
  })

  it('pitfall 5: keeps calls apart if they have the same index', () => {
    const both = ['a', 'b'].map((name) => ({ function: { index: 0, name, arguments: {} } }))
    expect(callsOf(...both).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('pitfall 1: detects calls regardless of the finish reason', () => {
    const message = { content: '', tool_calls: [call('a', {})] }
    expect(decode(message)).toMatchObject({ finishReason: 'tool-calls', rawFinishReason: 'stop' })
    expect(decode(message, { done: true }).finishReason).toBe('tool-calls')
  })

  it('maps each finish reason', () => {
    const reasons = ['stop', 'length', 'load', 'unload', 'error', 'tool_calls', 'new']
    const finishes = reasons.map((done_reason) => decode({ content: 'a' }, { done: true, done_reason }).finishReason)
    expect(finishes).toEqual(['stop', 'length', 'other', 'other', 'error', 'tool-calls', 'other'])
    expect(decode({ content: 'a' }, { done: true }).finishReason).toBe('stop')
    expect(decode({ content: 'a' }, {})).not.toHaveProperty('finishReason')
  })

  it('marks the last call of a truncated reply', () => {
    const { toolCalls } = decode({ tool_calls: [call('a', {}), call('b', {})] }, { done: true, done_reason: 'length' })
    expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
  })

  it('pitfall 16: keeps a call in the text as text', () => {
    const content = '{"name": "search", "parameters": {}}'
    expect(decode({ content })).toMatchObject({ text: content, toolCalls: [], finishReason: 'stop' })
  })

  it('pitfall 11: decodes errors', () => {
    const error = "model 'none' not found"
    expect(ollama.decodeError?.({ error })).toEqual({ message: error })
    expect(ollama.decode({ error })).toMatchObject({ text: '', finishReason: 'error', error: { message: error } })
  })
})
