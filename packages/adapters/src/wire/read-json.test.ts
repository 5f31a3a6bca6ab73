import { expect, it } from 'vitest'
import type { LMRequest } from '../protocol/protocol.ts'
import { mistral, openaiChatHosts, openaiResponses, type WireFormat } from './index.ts'
import { isWritable } from './read-json.ts'

/** JSON that can be parsed but is nested too deeply to be serialized. */
const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
const chat = (message: object) => ({ choices: [{ index: 0, message: { content: 'Hi', ...message }, finish_reason: 'stop' }] })
const call = { id: 'a', function: { name: 'f', arguments: '{}' }, extra_content: { deep } }

it('returns only JSON that can be serialized', () => {
  expect(isWritable({ a: [1, null, 'x'] })).toBe(true)
  expect(isWritable({ a: deep })).toBe(false)
})

it.each<[string, WireFormat, unknown]>([
  ['extra content', openaiChatHosts.openrouter, chat({ extra_content: { deep } })],
  ['extra content of a call', openaiChatHosts.openrouter, chat({ tool_calls: [call] })],
  ['reasoning details', openaiChatHosts.openrouter, chat({ reasoning_details: [{ type: 'reasoning.text', deep }] })],
  [
    'content parts',
    mistral,
    chat({
      content: [
        { type: 'thinking', thinking: [], deep },
        { type: 'text', text: 'Hi' },
      ],
    }),
  ],
  ['items', openaiResponses, { status: 'completed', output: [{ type: 'web_search_call', id: 'w', action: deep }] }],
])("%s that can't be serialized aren't sent back", (_what, wire, reply) => {
  const { text, toolCalls, metadata } = wire.decode(reply)
  const request: LMRequest = { messages: [{ role: 'assistant', content: text, toolCalls, metadata }] }
  expect(() => JSON.stringify(wire.encode(request, 'm'))).not.toThrow()
})
