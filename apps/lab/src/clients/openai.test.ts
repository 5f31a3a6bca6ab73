/** Runs one agent over HTTP with the official client and with `createLM`, streamed and not. All runs must be equal. */
import { defineSignature, type LM } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { createLM } from '@x/lm'
import { createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import OpenAI from 'openai'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { clientLM } from './openai-client.ts'
import { startOpenAIServer } from './openai-server.ts'

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

it('runs equally with the official client and with createLM, streamed and not', async () => {
  await using server = await startOpenAIServer(turns)
  const { baseURL } = server
  const official = clientLM(new OpenAI({ baseURL, apiKey: 'not-a-key' }), 'test')
  const own = createLM({ wire: openaiChat, baseURL, model: 'test', apiKey: 'not-a-key' })
  const first = await runWith(official, false)
  expect(first.outputs).toEqual({ answer: 'Oslo 21 °C, Tromsø −7 °C.' })
  expect(first.usage).toEqual({ inputTokens: 27, outputTokens: 9 })
  expect(await runWith(official, true)).toEqual(first)
  expect(await runWith(own, false)).toEqual(first)
  expect(await runWith(own, true)).toEqual(first)
  const sent = server.bodies.map(({ stream, stream_options, ...body }) => body)
  expect(sent.slice(3)).toEqual([...sent.slice(0, 3), ...sent.slice(0, 3), ...sent.slice(0, 3)])
})

async function runWith(lm: LM, stream: boolean) {
  const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer, stream })
  return agent.run({ question: 'How warm is it in Oslo and in Tromsø?' })
}
