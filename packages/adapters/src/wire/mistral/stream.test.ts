import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta, type LMResponse } from '../../index.ts'
import { mistral } from '../index.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const calls = (...tool_calls: object[]) => chunk({ content: '', tool_calls }, 'tool_calls')
const fn = (name: string, text: unknown) => ({ function: { name, arguments: text } })

function read(...events: unknown[]): LMResponse {
  const decoder = mistral.streamDecoder()
  return collectDeltas([...events.flatMap((event): LMDelta[] => [...decoder.push(event)]), ...decoder.end()])
}
const callsOf = (...events: unknown[]) => read(...events).toolCalls.map((call) => [call.id, call.name, call.arguments])

describe('a stream', () => {
  it('pitfall 6: contains complete calls in one chunk, without index or type', () => {
    const first = { id: 'EscTeQY62', ...fn('a', '{"q": 1}') }
    const second = { id: 'EscTeQY63', ...fn('a', '{"q": 2}') }
    expect(callsOf(calls(first, second))).toEqual([
      ['EscTeQY62', 'a', '{"q": 1}'],
      ['EscTeQY63', 'a', '{"q": 2}'],
    ])
  })

  it('pitfall 4: keeps calls apart if their ids are "null"', () => {
    const ids = callsOf(calls({ id: 'null', ...fn('a', '{}') }, { id: 'null', ...fn('a', '{}') })).map(([id]) => id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(2)
    expect(ids).not.toContain('null')
  })

  it('may contain a call in pieces', () => {
    const events = [
      chunk({ tool_calls: [{ id: 'chatcmpl-tool-9', index: 0, ...fn('a', '') }] }),
      chunk({ tool_calls: [{ index: 0, ...fn('', '{"q": 1}') }] }),
      chunk({}, 'tool_calls'),
    ]
    expect(callsOf(...events)).toEqual([['chatcmpl-tool-9', 'a', '{"q": 1}']])
  })

  it('emits thinking as reasoning, and joins its pieces as metadata', () => {
    const think = (text: string) => chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }], closed: true }] })
    const reference = { type: 'reference', reference_ids: [2] }
    const events = [think('h'), think('m'), chunk({ content: 'H' }), chunk({ content: [{ type: 'text', text: 'i' }, reference] })]
    expect(read(...events, chunk({ content: '' }, 'stop'))).toEqual({
      text: 'Hi',
      toolCalls: [],
      reasoning: 'hm',
      finishReason: 'stop',
      rawFinishReason: 'stop',
      metadata: {
        mistral: {
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], closed: true },
            { type: 'text', text: 'Hi' },
            reference,
          ],
        },
      },
    })
  })

  it('keeps no metadata for content that is only text', () => {
    expect(read(chunk({ content: 'Hi' }, 'stop'))).not.toHaveProperty('metadata')
  })

  it('keeps the thinking if the stream ends early', () => {
    const response = read(chunk({ content: [{ type: 'thinking', thinking: 'hm' }] }))
    expect(response).toMatchObject({
      reasoning: 'hm',
      finishReason: 'error',
      metadata: { mistral: { content: [{ thinking: 'hm' }] } },
    })
  })

  it('marks the last call if the context is full', () => {
    const response = read(chunk({ tool_calls: [{ id: 'EscTeQY62', ...fn('a', '{}') }] }, 'model_length'))
    expect(response).toMatchObject({ finishReason: 'length', rawFinishReason: 'model_length', toolCalls: [{ truncated: true }] })
  })

  it('marks the open call if the stream ends early', () => {
    expect(read(chunk({ tool_calls: [{ index: 0, ...fn('a', '{"q"') }] }))).toMatchObject({
      finishReason: 'error',
      toolCalls: [{ truncated: true }],
    })
  })

  it('pitfall 11: emits an error', () => {
    const error = { object: 'error', message: 'Service unavailable.', type: 'internal_server_error', code: '1000' }
    expect(read(chunk({ content: 'H' }), error)).toMatchObject({
      text: 'H',
      finishReason: 'error',
      error: { message: 'Service unavailable.', code: '1000' },
    })
  })

  it('uses the usage of its last chunk', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 1 } }
    expect(read({ ...chunk({ content: 'a' }, 'stop'), usage }).usage).toEqual({
      inputTokens: 3,
      outputTokens: 4,
      cacheReadTokens: 1,
    })
  })
})
