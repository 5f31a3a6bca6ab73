import { EventStreamCodec } from '@smithy/eventstream-codec'
import { collectDeltas, type LMDelta } from '@x/adapters'
import { openaiChat, type WireFormat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { sendEvents, sendJson, serve } from '../../test/server.ts'
import { type CreateLMOptions, createLM } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const hello = { choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] }

/** A format in which each event is one word, and the word "end" ends the stream. */
const parrot: WireFormat<object, { readonly say: string }> = {
  name: 'parrot',
  path: (model, stream) => `/${model}/${stream ? 'stream?alt=sse' : 'whole'}`,
  headers: { 'parrot-version': '7' },
  encode: ({ messages }, model, { stream, onLoss } = {}) => {
    onLoss?.({ path: '/messages', keyword: 'all', action: 'dropped' })
    return { model, stream, count: messages.length }
  },
  decode: ({ say }, _, model) => ({ text: `${model}: ${say}`, toolCalls: [] }),
  streamDecoder: (_, model) => ({
    push: (event) => [
      { type: 'text', text: `${model}: ${JSON.stringify(event)};` },
      ...(JSON.stringify(event).includes('end') ? [{ type: 'finish', finishReason: 'stop' } as const] : []),
    ],
    end: () => [],
  }),
}

async function textOf(deltas: AsyncIterable<LMDelta>): Promise<string> {
  const list: LMDelta[] = []
  for await (const delta of deltas) list.push(delta)
  return collectDeltas(list).text
}

/** Returns the model's response to a reply with this body. */
function streamedText(wire: WireFormat, body: string | Uint8Array<ArrayBuffer>, type: string): Promise<string> {
  const fetch = async () => new Response(body, { headers: { 'content-type': type } })
  return textOf(createLM({ wire, baseURL: 'http://host.test', model: 'm', fetch, retries: 0 }).stream(request))
}
const SPOKEN = 'm: {"a":1};m: "end";'

describe('a wire', () => {
  it('defines the path, by model and stream, and the constant headers', async () => {
    const server = await serve((reply) => sendJson(reply, { say: 'Hi' }))
    const lm = createLM({ wire: parrot, baseURL: `${server.baseURL}?key=1`, model: 'm' })
    expect((await lm.generate(request)).text).toBe('m: Hi')
    expect(await textOf(lm.stream(request))).toBe('m: Hi')
    expect(server.received.map(({ path }) => path)).toEqual(['/v1/m/whole?key=1', '/v1/m/stream?key=1&alt=sse'])
    expect(server.received[0]?.headers['parrot-version']).toBe('7')
  })

  it('reports losses to the caller, once per request', async () => {
    const losses: unknown[] = []
    let asked = 0
    const fetch = async () => (++asked === 1 ? new Response('', { status: 503 }) : Response.json({ say: 'Hi' }))
    const onLoss: CreateLMOptions['onLoss'] = (loss) => losses.push(loss)
    const retries = { baseDelayMs: 0 }
    await createLM({ wire: parrot, baseURL: 'http://h.test', model: 'm', fetch, onLoss, retries }).generate(request)
    expect([asked, losses]).toEqual([2, [{ path: '/messages', keyword: 'all', action: 'dropped' }]])
  })

  it('defines the framing of its stream', async () => {
    expect(await streamedText({ ...parrot, framing: 'ndjson' }, '{"a":1}\n"end"', 'application/x-ndjson')).toBe(SPOKEN)
    expect(await streamedText({ ...parrot, framing: 'ndjson' }, '{"a":1}\n"end"', 'application/json')).toBe(SPOKEN)
    expect(await streamedText(parrot, 'data: {"a":1}\n\ndata: "end"\n\n', 'text/event-stream')).toBe(SPOKEN)
  })

  it('can use AWS event streams, including exceptions', async () => {
    const codec = new EventStreamCodec(String, (text) => new TextEncoder().encode(text))
    const message = (names: Record<string, string>, payload: object) => {
      const headers: Record<string, { type: 'string'; value: string }> = {}
      for (const [name, value] of Object.entries(names)) headers[name] = { type: 'string', value }
      return codec.encode({ headers, body: new TextEncoder().encode(JSON.stringify(payload)) })
    }
    const body = Buffer.concat([
      message({ ':message-type': 'event', ':event-type': 'delta' }, { n: 1 }),
      message({ ':message-type': 'exception', ':exception-type': 'endedException' }, { message: 'No.' }),
    ])
    const type = 'application/vnd.amazon.eventstream'
    const text = 'm: {"delta":{"n":1}};m: {"endedException":{"message":"No."}};'
    expect(await streamedText({ ...parrot, framing: 'aws-event-stream' }, new Uint8Array(body), type)).toBe(text)
  })

  it('can receive all events in one list, as Gemini sends them without server-sent events', async () => {
    expect(await streamedText(parrot, '[{"a":1},\n"end"]', 'application/json; charset=UTF-8')).toBe(SPOKEN)
    await expect(streamedText(parrot, '[{"a":1}]', 'application/json')).rejects.toMatchObject({ code: 'invalid_reply' })
  })

  it("can find the model's output in a failed reply", async () => {
    const wire: WireFormat<object, { readonly say: string }> = {
      ...parrot,
      decodeFailure: (body, _, model) => ({ text: `${model}: ${JSON.stringify(body)}`, toolCalls: [] }),
    }
    const server = await serve((reply) => sendJson(reply, { failed_generation: 'Hi' }, 400))
    const lm = createLM({ wire, baseURL: server.baseURL, model: 'm' })
    expect((await lm.generate(request)).text).toBe('m: {"failed_generation":"Hi"}')
    expect(await textOf(lm.stream(request))).toBe('m: {"failed_generation":"Hi"}')
    const nothing = createLM({ wire: { ...wire, decodeFailure: () => undefined }, baseURL: server.baseURL, model: 'm' })
    await expect(nothing.generate(request)).rejects.toMatchObject({ code: 'http_error', status: 400 })
  })
})

describe('a redirect', () => {
  it('is not followed, so that no key goes to another host', async () => {
    const other = await serve((reply) => sendJson(reply, hello))
    const server = await serve((reply) => reply.writeHead(307, { location: `${other.baseURL}/chat/completions` }).end())
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', headers: { 'x-api-key': 'sk-secret' } })
    await expect(lm.generate(request)).rejects.toMatchObject({ code: 'http_error', status: 307 })
    expect(other.received).toEqual([])
  })
})

describe('a shared signal', () => {
  it('has no listeners left after many requests', async () => {
    const server = await serve((reply, { body }) => {
      if (!(body as { stream?: boolean }).stream) return sendJson(reply, hello)
      sendEvents(reply, { choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] }, '[DONE]')
      reply.end()
    })
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' })
    await lm.generate(request, { signal })
    expect(await textOf(lm.stream(request, { signal }))).toBe('Hi')
    expect(listeners).toBe(0)
  })
})
