/** Tests data that an AI SDK provider needs back, using that provider: the reasoning that is sent again in each turn. */
import { createOpenAI } from '@ai-sdk/openai'
import type { AssistantMessage, LMResponse, UserMessage } from '@x/adapters'
import { fromAISDK } from '@x/lm/ai-sdk'
import { expect, it } from 'vitest'

const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  encrypted_content: 'c2VjcmV0',
  summary: [{ type: 'summary_text', text: 'Look it up.' }],
}
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"city": "Oslo"}',
  status: 'completed',
}
const reply = {
  ...{
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    model: 'gpt-5',
    status: 'completed',
    output: [reasoning, call],
  },
  usage: {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 5 },
  },
}

it('gets its reasoning back unchanged with its call, and counts its tokens', async () => {
  const bodies: { input: Record<string, unknown>[] }[] = []
  const fetch = async (_url: unknown, init?: RequestInit) => {
    bodies.push(JSON.parse(String(init?.body)))
    return Response.json(reply)
  }
  const lm = fromAISDK(createOpenAI({ apiKey: 'not-a-key', fetch })('gpt-5'))
  const user: UserMessage = { role: 'user', content: 'How warm is it in Oslo?' }
  const providerOptions = { openai: { store: false, include: ['reasoning.encrypted_content'] } }
  const first = await lm.generate({ messages: [user], providerOptions })
  expect(first).toMatchObject({
    reasoning: 'Look it up.',
    toolCalls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city": "Oslo"}' }],
    usage: { inputTokens: 9, cacheReadTokens: 4, outputTokens: 7, reasoningTokens: 5 },
  })
  const result = { role: 'tool', callId: 'call_1', name: 'get_weather', content: '-7' } as const
  await lm.generate({ messages: [user, toMessage(first), result], providerOptions })
  expect(bodies[1]?.input.slice(1)).toMatchObject([
    { type: 'reasoning', encrypted_content: 'c2VjcmV0', summary: [{ type: 'summary_text', text: 'Look it up.' }] },
    { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
    { type: 'function_call_output', call_id: 'call_1', output: '-7' },
  ])
})

/** Serializes the message to JSON and parses it again, like a stored trajectory. */
function toMessage({ text, reasoning: thought, toolCalls, metadata }: LMResponse): AssistantMessage {
  return JSON.parse(JSON.stringify({ role: 'assistant', content: text, reasoning: thought, toolCalls, metadata }))
}
