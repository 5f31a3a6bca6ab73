/** Runs one agent with a provider of the AI SDK and with our own wire format, streamed and not. All runs must be equal. */
import { createOpenAI } from '@ai-sdk/openai'
import { defineSignature, type LM } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { createLM } from '@x/lm'
import { fromAISDK } from '@x/lm/ai-sdk'
import { createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { startOpenAIServer } from '../clients/openai-server.ts'

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather for a city.',
  args: Type.Object({ city: Type.String() }),
  execute: ({ city }) => ({ city, degrees: city === 'Tromsø' ? -7 : 21 }),
})
const answer = defineSignature({
  instructions: 'Answer briefly.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})
const turns = [
  {
    content: 'Let me look at both. 🌍',
    tool_calls: [
      { id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { id: 'call_b', name: 'get_weather', arguments: '{"city":"Tromsø"}' },
    ],
  },
  { content: null, tool_calls: [{ id: 'call_c', name: 'get_wether', arguments: '' }] },
  { content: 'Oslo 21 °C, Tromsø −7 °C.' },
]

it('runs equally with a provider of the AI SDK and with createLM, streamed and not', async () => {
  await using server = await startOpenAIServer(turns)
  const { baseURL } = server
  const own = createLM({ wire: openaiChat, baseURL, model: 'm', apiKey: 'not-a-key' })
  const theirs = fromAISDK(createOpenAI({ baseURL, apiKey: 'not-a-key' }).chat('m'))
  const first = await runWith(own, false)
  expect(first.outputs).toEqual({ answer: 'Oslo 21 °C, Tromsø −7 °C.' })
  for (const stream of [false, true]) {
    const { usage, ...run } = await runWith(theirs, stream)
    expect({ ...run, usage: first.usage }).toEqual(first)
    expect(usage).toMatchObject({ inputTokens: 27, outputTokens: 9 })
  }
})

it('an error of the host has its message and its status', async () => {
  await using server = await startOpenAIServer([])
  const lm = fromAISDK(createOpenAI({ baseURL: server.baseURL, apiKey: 'not-a-key' }).chat('m'))
  const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
  const expected = {
    code: 'http_error',
    status: 400,
    retryable: false,
    message: 'openai.chat (m) returned 400: no such turn',
  }
  await expect(lm.generate(request)).rejects.toMatchObject(expected)
  await expect(lm.stream(request)[Symbol.asyncIterator]().next()).rejects.toMatchObject(expected)
})

async function runWith(lm: LM, stream: boolean) {
  const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer, stream })
  return agent.run({ question: 'How warm is it in Oslo and in Tromsø?' })
}
