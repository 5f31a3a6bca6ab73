import { collectDeltas, type LMDelta, type LMResponse } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchByOneConnection, sendEvents, serve } from '../../test/server.ts'
import { createLM } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const event = (delta: object, finishReason?: string) => `data: ${JSON.stringify(chunk(delta, finishReason))}\n\n`
const hello = { text: 'Hello.', toolCalls: [], finishReason: 'stop', rawFinishReason: 'stop' }
const at = (baseURL: string) => createLM({ wire: openaiChat, baseURL, model: 'm', retries: 0 })

/** Returns the response. Calls `onText` when this text arrives. */
async function collect(deltas: AsyncIterable<LMDelta>, text?: string, onText?: () => void): Promise<LMResponse> {
  const list: LMDelta[] = []
  for await (const delta of deltas) {
    list.push(delta)
    if (delta.type === 'text' && delta.text === text) onText?.()
  }
  return collectDeltas(list)
}

/** Returns the response to a body that consists of these pieces and stays open, and the number of requests. */
function hanging(pieces: readonly string[], options: { readonly type?: string; readonly isClosed?: boolean } = {}) {
  let asked = 0
  const fetch = async () => {
    asked++
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        if (options.isClosed) controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': options.type ?? 'text/event-stream' } })
  }
  const lm = createLM({ wire: openaiChat, baseURL: 'http://host.test', model: 'm', fetch, retries: { baseDelayMs: 0 } })
  return { response: collect(lm.stream(request)), asked: () => asked }
}

afterEach(() => void vi.useRealTimers())

describe('a reply that is complete', () => {
  it('stays complete if the connection breaks', async () => {
    let breakOff = () => {}
    const server = await serve((reply) => {
      breakOff = () => void reply.socket?.resetAndDestroy()
      sendEvents(reply, chunk({ content: 'Hello.' }, 'stop'))
    })
    expect(await collect(at(server.baseURL).stream(request), 'Hello.', () => breakOff())).toEqual(hello)
  })

  it('stays complete if the last event is truncated', async () => {
    const pieces = [event({ content: 'Hello.' }, 'stop'), 'data: {"usa']
    expect(await hanging(pieces, { isClosed: true }).response).toEqual(hello)
  })

  it('ends after at most 2 s', async () => {
    vi.useFakeTimers()
    const { response } = hanging([event({ content: 'Hello.' }, 'stop')])
    await vi.advanceTimersByTimeAsync(1999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await response).toEqual(hello)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not complete if the model continues after the finish reason', async () => {
    let breakOff = () => {}
    const server = await serve((reply) => {
      breakOff = () => void reply.socket?.resetAndDestroy()
      sendEvents(reply, chunk({ content: 'Hel' }, 'stop'), chunk({ content: 'l' }))
    })
    await expect(collect(at(server.baseURL).stream(request), 'l', () => breakOff())).rejects.toMatchObject({
      code: 'unreachable',
    })
  })

  it('is discarded if the caller aborts, or if it ends in an error', async () => {
    const controller = new AbortController()
    const server = await serve((reply) => sendEvents(reply, chunk({ content: 'Hello.' }, 'stop')))
    const deltas = at(server.baseURL).stream(request, { signal: controller.signal })
    const reading = collect(deltas, 'Hello.', () => setImmediate(() => controller.abort()))
    await expect(reading).rejects.toMatchObject({ code: 'aborted' })
    const failing = hanging([event({ content: 'Hello.' }, 'stop'), 'data: {"error":{"message":"No.","code":"overloaded"}}\n\n'])
    await expect(failing.response).rejects.toMatchObject({ code: 'provider_error' })
  })

  it('ends with [DONE] even without a finish reason', async () => {
    const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'search', arguments: '{}' } }] }
    const { response } = hanging([event(call), 'data: [DONE]\n\n'], { isClosed: true })
    expect(await response).toEqual({
      text: '',
      toolCalls: [{ id: 'a', name: 'search', arguments: '{}' }],
      finishReason: 'tool-calls',
    })
  })
})

describe('a connection', () => {
  it('serves the next request if the body ends a moment after [DONE]', async () => {
    // The timeout for the end must never pass.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const ports = new Set<number | undefined>()
    let end = () => {}
    const server = await serve((reply) => {
      ports.add(reply.socket?.remotePort)
      sendEvents(reply, chunk({ content: 'Hello.' }, 'stop'), '[DONE]')
      end = () => void reply.end()
    })
    const fetch = await fetchByOneConnection()
    for (let time = 0; time < 3; time++) {
      const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', retries: 0, fetch })
      expect(await collect(lm.stream(request))).toEqual(hello)
      end()
    }
    expect(ports.size).toBe(1)
  })

  it('is closed if the body does not end after [DONE]', async () => {
    let pulled = 0
    let cancel = () => {}
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve
    })
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        controller.enqueue(
          new TextEncoder().encode(++pulled === 1 ? `${event({ content: 'Hello.' }, 'stop')}data: [DONE]\n\n` : ' '),
        ),
      cancel: () => cancel(),
    })
    const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    const lm = createLM({ wire: openaiChat, baseURL: 'http://host.test', model: 'm', fetch })
    expect(await collect(lm.stream(request))).toEqual(hello)
    await cancelled
    expect(pulled).toBeLessThan(100)
  })
})

describe('a body with the wrong content type', () => {
  const whole = JSON.stringify({ choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] })

  it('is read as JSON if it starts like JSON', async () => {
    for (const type of ['text/plain', 'text/event-stream', '']) {
      for (const pieces of [[whole], ['\ufeff', ' \n', ...whole]]) {
        const { response, asked } = hanging(pieces, { type, isClosed: true })
        expect(await response).toEqual(hello)
        expect(asked()).toBe(1)
      }
    }
  })

  it('reports the error in the body, after one request', async () => {
    const { response, asked } = hanging(['{"error":{"message":"No such model."}}'], { type: 'text/plain', isClosed: true })
    await expect(response).rejects.toMatchObject({ message: 'host.test reported an error: No such model.' })
    expect(asked()).toBe(1)
  })

  it('is quoted if it starts like a page', async () => {
    const { response } = hanging(['<html><p>Sign in'], { type: '', isClosed: true })
    await expect(response).rejects.toMatchObject({ message: 'host.test sent a reply that is not JSON: <html><p>Sign in' })
  })
})
