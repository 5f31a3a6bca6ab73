import { collectDeltas, type LMDelta, type LMRequest } from '@x/adapters'
import { openaiChat, type WireFormat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { sendEvents, sendJson, serve } from '../test/server.ts'
import { type CreateLMOptions, createLM } from './index.ts'

const request: LMRequest = { messages: [{ role: 'user', content: 'Weather in Zürich? 🌦' }] }

async function collect(deltas: AsyncIterable<LMDelta>) {
  const list: LMDelta[] = []
  for await (const delta of deltas) list.push(delta)
  return collectDeltas(list)
}

const message = {
  role: 'assistant',
  content: 'Grüße 🌦',
  reasoning_content: 'hm',
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Zürich"}' } }],
}
const usage = { prompt_tokens: 3, completion_tokens: 4 }
const whole = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }
const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const events = [
  chunk({ role: 'assistant', reasoning_content: 'h' }),
  chunk({ reasoning_content: 'm', content: 'Grü' }),
  chunk({ content: 'ße 🌦' }),
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{"city":' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"Zürich"}' } }] }),
  chunk({}, 'tool_calls'),
  { choices: [], usage },
  '[DONE]',
]

describe('createLM', () => {
  it('uses the prompt cache unless the option or the request says otherwise', async () => {
    const bodies: Record<string, unknown>[] = []
    const create = (options: Partial<CreateLMOptions>) =>
      createLM({
        ...{ wire: openaiChat, baseURL: 'http://host.test/v1', model: 'gpt-5.4', ...options },
        fetch: async (_, init) => {
          bodies.push(JSON.parse(String(init?.body)))
          return Response.json(whole)
        },
      })
    await create({}).generate(request)
    await create({ cache: 'off' }).generate(request)
    await create({}).generate({ ...request, cache: 'off' })
    await create({ cache: 'off' }).generate({ ...request, cache: 'auto' })
    expect(bodies.map(({ prompt_cache_key }) => typeof prompt_cache_key)).toEqual(['string', 'undefined', 'undefined', 'string'])
  })

  it('refuses an invalid setting of the prompt cache', () => {
    for (const [cache, given] of [
      ['on', '"on"'],
      [true, 'a value of type boolean'],
      [['tools', 'end'], 'an array'],
      [[-1], 'an array'],
    ])
      expect(() => createLM({ wire: openaiChat, baseURL: 'http://a.test', model: 'm', cache: cache as never })).toThrow(
        `createLM: cache must be 'auto', 'off' or a list of points, got ${given}.`,
      )
  })

  it('posts the encoded request to the path of the wire, with the key and the headers', async () => {
    const server = await serve((reply) => sendJson(reply, whole))
    const headers = { 'x-title': 'test' }
    await createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', apiKey: 'sk-secret', headers }).generate(request)
    expect(server.received).toEqual([
      expect.objectContaining({ method: 'POST', path: '/v1/chat/completions', body: openaiChat.encode(request, 'm') }),
    ])
    expect(server.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer sk-secret',
      'x-title': 'test',
    })
  })

  it('sends no authorization without a key', async () => {
    const server = await serve((reply) => sendJson(reply, whole))
    await createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' }).generate(request)
    expect(server.received[0]?.headers).not.toHaveProperty('authorization')
  })

  it("lets the caller's headers override others, in any case", async () => {
    const server = await serve((reply) => sendJson(reply, whole))
    const headers = { Authorization: 'Basic abc', 'Content-Type': 'application/json; charset=utf-8' }
    await createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', apiKey: 'sk-secret', headers }).generate(request)
    expect(server.received[0]?.headers).toMatchObject({
      authorization: 'Basic abc',
      'content-type': 'application/json; charset=utf-8',
    })
  })

  it("sends the key in the wire's own header", async () => {
    const server = await serve((reply) => sendJson(reply, whole))
    const wire: WireFormat = { ...openaiChat, authHeaders: (apiKey) => ({ 'x-api-key': apiKey }) }
    await createLM({ wire, baseURL: server.baseURL, model: 'm', apiKey: 'sk-secret' }).generate(request)
    expect(server.received[0]?.headers).toMatchObject({ 'x-api-key': 'sk-secret' })
    expect(server.received[0]?.headers).not.toHaveProperty('authorization')
  })

  it('puts the path before the query of the base URL, and accepts trailing slashes', async () => {
    const server = await serve((reply) => sendJson(reply, whole))
    for (const baseURL of [`${server.baseURL}//`, `${server.baseURL}/?api-version=2`]) {
      await createLM({ wire: openaiChat, baseURL, model: 'm' }).generate(request)
    }
    expect(server.received.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions?api-version=2'])
  })

  it("uses the caller's fetch", async () => {
    const lm = createLM({
      wire: openaiChat,
      baseURL: 'http://nowhere.invalid',
      model: 'm',
      fetch: async () => Response.json(whole),
    })
    expect((await lm.generate(request)).text).toBe('Grüße 🌦')
  })
})

describe('generate and stream', () => {
  const response = {
    text: 'Grüße 🌦',
    reasoning: 'hm',
    toolCalls: [{ id: 'a', name: 'get_weather', arguments: '{"city":"Zürich"}' }],
    finishReason: 'tool-calls',
    rawFinishReason: 'tool_calls',
    usage: { inputTokens: 3, outputTokens: 4 },
  }

  it('give the same response', async () => {
    const server = await serve((reply, { body }) => {
      if (!(body as { stream?: boolean }).stream) return sendJson(reply, whole)
      sendEvents(reply, ...events)
      reply.end()
    })
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' })
    expect(await lm.generate(request)).toEqual({ ...response, raw: whole })
    expect(await collect(lm.stream(request))).toEqual(response)
    expect(server.received[1]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  it('give the same response if the server answers a request for a stream with a complete reply', async () => {
    const server = await serve((reply) => sendJson(reply, whole))
    expect(await collect(createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' }).stream(request))).toEqual(response)
  })

  it("give the same response, with the provider's metadata, for a wire format without a stream decoder", async () => {
    const server = await serve((reply) => sendJson(reply, { say: 'Hi' }))
    const wire: WireFormat<object, { say: string }> = {
      name: 'acme',
      path: '/generate',
      encode: ({ messages }) => ({ prompt: messages.map(({ content }) => content).join('\n') }),
      decode: ({ say }) => ({ text: say, toolCalls: [], metadata: { signature: 's' } }),
    }
    const lm = createLM({ wire, baseURL: server.baseURL, model: 'm' })
    expect(await lm.generate(request)).toEqual({ text: 'Hi', toolCalls: [], metadata: { signature: 's' } })
    expect(await collect(lm.stream(request))).toEqual({ text: 'Hi', toolCalls: [], metadata: { signature: 's' } })
  })

  it('do not mix up the requests of one model', async () => {
    const waiting: (() => void)[] = []
    const server = await serve((reply, { body }) => {
      const { messages } = body as { messages: { content: string }[] }
      const content = messages[0]?.content
      waiting.push(() => sendJson(reply, { choices: [{ message: { content } }] }))
      // The last request is answered first.
      if (waiting.length === 3) for (const answer of waiting.toReversed()) answer()
    })
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' })
    const ask = (content: string) => lm.generate({ messages: [{ role: 'user', content }] })
    const responses = await Promise.all(['a', 'b', 'c'].map(ask))
    expect(responses.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
  })
})
