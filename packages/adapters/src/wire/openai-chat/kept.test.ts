import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMResponse, type Message } from '../../index.ts'
import { openaiChat } from './wire.ts'

const google = { google: { thought_signature: 's' } }
const calls = [
  { index: 0, id: 'a', type: 'function', function: { name: 'look', arguments: '{}' }, extra_content: google },
  { index: 1, id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } },
]
const usage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 3 },
}

function whole(message: object, rest: object = {}): LMResponse {
  const { raw, ...response } = openaiChat.decode({ choices: [{ message, finish_reason: 'stop' }], ...rest })
  return response
}
function streamed(delta: object, rest: object = {}): LMResponse {
  const decoder = openaiChat.streamDecoder()
  const events = [
    { choices: [{ index: 0, delta }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], ...rest },
  ]
  return collectDeltas([...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()])
}

describe('metadata of a reply, complete or streamed', () => {
  it('contains annotations and sources', () => {
    const annotations = [{ type: 'url_citation', url_citation: { url: 'https://a.test' } }]
    const citations = ['https://a.test']
    const metadata = { 'openai-chat': { citations, annotations } }
    expect(whole({ content: 'x', annotations }, { citations }).metadata).toEqual(metadata)
    expect(streamed({ content: 'x', annotations }, { citations }).metadata).toEqual(metadata)
  })

  it('is absent if there is nothing to keep', () => {
    expect(whole({ content: 'x', annotations: [] })).not.toHaveProperty('metadata')
    expect(streamed({ content: 'x' })).not.toHaveProperty('metadata')
  })

  it('pitfall 14: contains the signature of a call, which is sent back with the call', () => {
    for (const { text: content, toolCalls } of [whole({ content: '', tool_calls: calls }), streamed({ tool_calls: calls })]) {
      expect(toolCalls[0]?.metadata).toEqual({ 'openai-chat': { extra_content: google } })
      const messages: Message[] = [{ role: 'assistant', content, toolCalls }]
      expect(openaiChat.encode({ messages }, 'm').messages[0]).toMatchObject({
        tool_calls: [{ id: 'a', extra_content: google }, { id: 'call_1' }],
      })
    }
  })

  it('pitfall 4: contains the original id of a call if the id was replaced', () => {
    for (const { toolCalls } of [whole({ tool_calls: calls }), streamed({ tool_calls: calls })])
      expect(toolCalls[1]).toMatchObject({ id: 'call_1', metadata: { 'openai-chat': { id: 'a' } } })
  })
})

describe('detailed usage', () => {
  it('includes tokens read from the cache and reasoning tokens', () => {
    const counted = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 2, reasoningTokens: 3 }
    expect(whole({ content: 'x' }, { usage }).usage).toEqual(counted)
    expect(streamed({ content: 'x' }, { usage }).usage).toEqual(counted)
  })

  it('accepts the field names of DeepSeek and Together', () => {
    const read = (more: object) => whole({}, { usage: { prompt_tokens: 10, ...more } }).usage?.cacheReadTokens
    expect(read({ prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 })).toBe(6)
    expect(read({ cached_tokens: 6 })).toBe(6)
  })
})

describe('text other than the answer', () => {
  it('is read from parts of the content, or from reasoning details', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Hi' },
      { type: 'refusal', refusal: 'No.' },
    ]
    expect(whole({ content })).toMatchObject({ text: 'Hi', reasoning: 'Hm.', refusal: 'No.' })
    expect(whole({ content: 'x', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }).reasoning).toBe('Hm.')
  })
})
