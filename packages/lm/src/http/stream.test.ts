import { collectDeltas, type LMDelta, type LMResponse } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sendEvents, serve } from '../../test/server.ts'
import { createLM } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] })

async function collect(deltas: AsyncIterable<LMDelta>): Promise<LMResponse> {
  const list: LMDelta[] = []
  for await (const delta of deltas) list.push(delta)
  return collectDeltas(list)
}

/** Reads a body that arrives in these pieces. */
function read(pieces: readonly (string | Uint8Array)[], type = 'text/event-stream'): Promise<LMResponse> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      controller.close()
    },
  })
  const reply = async () => new Response(body, { headers: { 'content-type': type } })
  const lm = createLM({ wire: openaiChat, baseURL: 'http://host.test', model: 'm', fetch: reply, retries: 0 })
  return collect(lm.stream(request))
}

const event = (delta: object, finishReason?: string) => `data: ${JSON.stringify(chunk(delta, finishReason))}\n\n`
const HELLO = `${event({ content: 'Grüße ' })}${event({ content: '🌦 你好' })}${event({}, 'stop')}data: [DONE]\n\n`
const hello = { text: 'Grüße 🌦 你好', toolCalls: [], finishReason: 'stop', rawFinishReason: 'stop' }

describe('an event stream', () => {
  it('reads the same if it is split at any byte, even inside a character', async () => {
    const bytes = new TextEncoder().encode(HELLO)
    for (let border = 0; border <= bytes.length; border++) {
      expect(await read([bytes.slice(0, border), bytes.slice(border)])).toEqual(hello)
    }
  })

  it('reads the same if it arrives byte by byte over a socket', async () => {
    const server = await serve((reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.socket?.setNoDelay(true)
      for (const byte of new TextEncoder().encode(HELLO)) reply.write(Uint8Array.of(byte))
      reply.end()
    })
    expect(await collect(createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' }).stream(request))).toEqual(hello)
  })

  it('may end its lines with CRLF or CR, even if the two are split', async () => {
    for (const end of ['\r\n', '\r']) {
      const text = HELLO.replaceAll('\n', end)
      expect(await read([text])).toEqual(hello)
      expect(await read([...text])).toEqual(hello)
    }
  })

  it('may contain comments, event names, ids, retries, unknown fields, empty events and a byte order mark', async () => {
    const extra = ': keep-alive\n\nretry: 10\nid: 7\nevent: message\nunknown: x\n\ndata:\n\ndata: \n\n'
    expect(await read([`\ufeff${extra}${HELLO.replaceAll('data: [', `${extra}data:[`)}`])).toEqual(hello)
  })

  it('may have an event that spans several data lines', async () => {
    const text = `data: {"choices": [{"delta":\ndata: {"content": "a"}, "finish_reason": "stop"}]}\n\n`
    expect((await read([text])).text).toBe('a')
  })

  it('may lack [DONE], and the empty line after its last event', async () => {
    expect(await read([HELLO.replace('data: [DONE]\n\n', '')])).toEqual(hello)
    expect(await read([HELLO.replace('\n\ndata: [DONE]\n\n', '')])).toEqual(hello)
  })

  it('may have any content type except JSON or HTML', async () => {
    expect(await read([HELLO], 'text/plain')).toEqual(hello)
    expect(await read([HELLO], '')).toEqual(hello)
  })

  it('ends with [DONE], even if the server leaves the connection open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const server = await serve((reply) => sendEvents(reply, chunk({ content: 'a' }, 'stop'), '[DONE]'))
    const { text } = await collect(createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' }).stream(request))
    expect(text).toBe('a')
    await vi.advanceTimersByTimeAsync(1000)
    await server.dropped
  })

  it('yields each delta as it arrives', async () => {
    const server = await serve((reply) => sendEvents(reply, chunk({ content: 'first' })))
    const deltas = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' }).stream(request)[Symbol.asyncIterator]()
    expect(await deltas.next()).toEqual({ done: false, value: { type: 'text', text: 'first' } })
    await deltas.return?.()
  })

  it('is closed if the reader stops early', async () => {
    const server = await serve((reply) => sendEvents(reply, chunk({ content: 'first' }), chunk({ content: 'second' })))
    for await (const delta of createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' }).stream(request)) {
      expect(delta).toEqual({ type: 'text', text: 'first' })
      break
    }
    await server.dropped
  })

  it('sends nothing before it is read', async () => {
    const fetch = vi.fn(async () => new Response(HELLO, { headers: { 'content-type': 'text/event-stream' } }))
    const deltas = createLM({ wire: openaiChat, baseURL: 'http://host.test', model: 'm', fetch }).stream(request)
    await new Promise((resolve) => setImmediate(resolve))
    expect(fetch).not.toHaveBeenCalled()
    expect(await collect(deltas)).toEqual(hello)
    expect(fetch).toHaveBeenCalledOnce()
  })
})

describe('a broken stream', () => {
  const failing = (...pieces: string[]) => expect(read(pieces)).rejects

  it('is an invalid reply if it ends early', async () => {
    const error = { code: 'invalid_reply', message: 'host.test ended the stream before the reply was complete.' }
    await failing().toMatchObject(error)
    await failing(': comment\n\n').toMatchObject(error)
    await failing(event({ content: 'Hel' })).toMatchObject(error)
  })

  it('is an invalid reply if it ends in the middle of an event', async () => {
    await failing(event({ content: 'Hel' }), 'data: {"choices": [{"del').toMatchObject({ code: 'invalid_reply' })
  })

  it('is reported with the host and the start of an event that is not JSON, on one line', async () => {
    await failing('data: <html>\ndata: oops\n\n').toMatchObject({
      code: 'invalid_reply',
      message: 'host.test sent an event that is not JSON: <html> oops',
    })
  })

  it("pitfall 11: rejects with the provider's message if it contains an error", async () => {
    const error = 'event: error\ndata: {"error": {"message": "Over\\nloaded", "code": 529}}\n\n'
    await failing(event({ content: 'Hel' }), error).toMatchObject({
      code: 'provider_error',
      message: 'host.test reported an error: Over loaded',
    })
  })

  it("rejects with the provider's message if the error is plain JSON among the events, as Gemini sends it", async () => {
    const error = JSON.stringify({ error: { message: 'Overloaded', code: 503 } }, null, 2)
    for (const text of [error, `\n${error.replaceAll('\n', '\r\n')}\r\n`, `[${error}\n]\n`])
      await failing(event({ content: 'Hel' }), text).toMatchObject({
        ...{ code: 'provider_error', message: 'host.test reported an error: Overloaded' },
        ...{ providerCode: '503', retryable: true },
      })
    await failing(event({ content: 'Hel' }), error.slice(0, -4)).toMatchObject({
      code: 'invalid_reply',
      message: 'host.test sent an event that is not JSON: { "error": { "message": "Overloaded", "code": 503',
      retryable: true,
    })
  })

  it('is reported with the host and the cause if the connection is reset', async () => {
    let breakOff = () => {}
    const server = await serve((reply) => {
      breakOff = () => void reply.socket?.resetAndDestroy()
      sendEvents(reply, chunk({ content: 'Hel' }))
    })
    const deltas = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' }).stream(request)[Symbol.asyncIterator]()
    await deltas.next()
    breakOff()
    await expect(deltas.next()).rejects.toMatchObject({
      name: 'LMError',
      code: 'unreachable',
      message: expect.stringMatching(new RegExp(`^Cannot reach ${server.host}: .+`)),
    })
  })

  it('yields what came before the error', async () => {
    const server = await serve((reply) => {
      sendEvents(reply, chunk({ content: 'Hel' }))
      reply.end()
    })
    const seen: LMDelta[] = []
    const reading = (async () => {
      for await (const delta of createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' }).stream(request))
        seen.push(delta)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'invalid_reply' })
    expect(seen).toEqual([{ type: 'text', text: 'Hel' }])
  })
})
