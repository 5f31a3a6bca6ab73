import { channel } from 'node:diagnostics_channel'
import { openaiChat } from '@x/adapters/wire'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failureAfter } from '../../test/failure.ts'
import { type CreateLMOptions, createLM } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const create = (fetch: typeof globalThis.fetch, options: Partial<CreateLMOptions> = {}) =>
  createLM({ wire: openaiChat, baseURL: 'http://host.test', model: 'm', retries: 0, fetch, ...options })
const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

/** Returns a body that sends these pieces and then nothing, and that reports whether it was cancelled. */
function hanging(...pieces: readonly string[]) {
  const state = { isCancelled: false }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => pieces.forEach((piece) => void controller.enqueue(new TextEncoder().encode(piece))),
    cancel: () => {
      state.isCancelled = true
    },
  })
  return { body, state }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a host that sends nothing', () => {
  const silent = () => new Promise<Response>(() => {})

  it('times out after 600 s, in both methods', async () => {
    const lm = create(silent)
    const expected = {
      code: 'timeout',
      deadline: 'first_byte',
      message: 'host.test sent no reply within 600 s.',
    }
    for (const ask of [() => lm.generate(request), () => lm.stream(request)[Symbol.asyncIterator]().next()]) {
      const asking = ask()
      expect(await failureAfter(599_999, asking)).toBe('still waiting')
      expect(await failureAfter(1, asking)).toMatchObject(expected)
    }
  })

  it('is asked again for a stream, but not for a complete reply, which may be billed', async () => {
    let asked = 0
    const counting = () => {
      asked++
      return silent()
    }
    const lm = create(counting, { deadlines: { firstByteMs: 50 }, retries: { retries: 1, baseDelayMs: 0 } })
    expect(await failureAfter(200, lm.generate(request))).toMatchObject({ deadline: 'first_byte', retryable: false })
    expect(asked).toBe(1)
    const streaming = lm.stream(request)[Symbol.asyncIterator]().next()
    expect(await failureAfter(200, streaming)).toMatchObject({ deadline: 'first_byte', retryable: true })
    expect(asked).toBe(3)
  })

  it("causes the same error when Node's own timeout comes first", async () => {
    const cause = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
    const lm = create(() => Promise.reject(new TypeError('fetch failed', { cause })))
    await expect(lm.generate(request)).rejects.toMatchObject({ deadline: 'first_byte', retryable: false })
    const streaming = lm.stream(request)[Symbol.asyncIterator]().next()
    await expect(streaming).rejects.toMatchObject({ deadline: 'first_byte', retryable: true })
  })

  it('times out after the time that the caller sets, or never', async () => {
    const quick = create(silent, { deadlines: { firstByteMs: 50 } }).generate(request)
    expect(await failureAfter(50, quick)).toMatchObject({ message: 'host.test sent no reply within 50 ms.' })
    const patient = create(silent, { deadlines: { firstByteMs: Infinity, totalMs: Infinity } }).generate(request)
    expect(await failureAfter(10 ** 9, patient)).toBe('still waiting')
  })

  it('times out after it has sent only the headers', async () => {
    const { body, state } = hanging()
    const reading = create(async () => new Response(body)).generate(request)
    expect(await failureAfter(600_000, reading)).toMatchObject({ code: 'timeout', deadline: 'first_byte' })
    expect(state.isCancelled).toBe(true)
  })
})

describe('a host that stops sending', () => {
  it('times out after 60 s in the middle of a stream, and the body is cancelled', async () => {
    const { body, state } = hanging(chunk('Hel'))
    const deltas = create(async () => new Response(body))
      .stream(request)
      [Symbol.asyncIterator]()
    expect(await deltas.next()).toEqual({ done: false, value: { type: 'text', text: 'Hel' } })
    const next = deltas.next()
    expect(await failureAfter(59_999, next)).toBe('still waiting')
    expect(await failureAfter(1, next)).toMatchObject({
      code: 'timeout',
      deadline: 'silence',
      message: 'host.test stopped in the middle of its reply and sent nothing for 60 s.',
    })
    expect(state.isCancelled).toBe(true)
  })

  it('times out in the middle of a complete reply', async () => {
    const { body } = hanging('{"choices":')
    const reading = create(async () => new Response(body)).generate(request)
    expect(await failureAfter(60_000, reading)).toMatchObject({ code: 'timeout', deadline: 'silence' })
  })

  it('causes the error for its status if it stops in the middle of an error', async () => {
    const { body } = hanging('{"error":')
    const reading = create(async () => new Response(body, { status: 400 })).generate(request)
    expect(await failureAfter(60_000, reading)).toMatchObject({ code: 'http_error', status: 400 })
  })

  it('does not time out while it sends comments', async () => {
    let beats = 0
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 50_000))
        beats++
        controller.enqueue(new TextEncoder().encode(beats < 5 ? ': thinking\n\n' : `${chunk('Hi')}data: [DONE]\n\n`))
      },
    })
    const first = create(async () => new Response(body))
      .stream(request)
      [Symbol.asyncIterator]()
      .next()
    await vi.advanceTimersByTimeAsync(250_000)
    expect(await first).toEqual({ done: false, value: { type: 'text', text: 'Hi' } })
  })

  it('does not time out while the reader is slow', async () => {
    const { body } = hanging(chunk('a'), chunk('b'))
    const deltas = create(async () => new Response(body))
      .stream(request)
      [Symbol.asyncIterator]()
    await deltas.next()
    await vi.advanceTimersByTimeAsync(10 ** 7)
    expect((await deltas.next()).value).toEqual({ type: 'text', text: 'b' })
    await deltas.return?.()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a signature', () => {
  const sign = () => new Promise<never>(() => {})

  it('times out like the first byte, and nothing is sent', async () => {
    const sent = vi.fn()
    const asking = create(sent, { sign, retries: 2 }).generate(request)
    expect(await failureAfter(599_999, asking)).toBe('still waiting')
    expect(await failureAfter(1, asking)).toMatchObject({
      code: 'timeout',
      deadline: 'first_byte',
      retryable: false,
      message: 'Cannot sign the request to host.test: sign returned no signature within 600 s.',
    })
    expect(sent).not.toHaveBeenCalled()
  })

  it('counts toward the time of the first byte', async () => {
    const slow = () => new Promise<Record<string, string>>((resolve) => setTimeout(resolve, 100_000, {}))
    const asking = create(() => new Promise(() => {}), { sign: slow }).generate(request)
    expect(await failureAfter(599_999, asking)).toBe('still waiting')
    expect(await failureAfter(1, asking)).toMatchObject({ message: 'host.test sent no reply within 600 s.' })
  })

  it('rejects at once when the caller aborts', async () => {
    const controller = new AbortController()
    const asking = create(fetch, { sign }).generate(request, { signal: controller.signal })
    controller.abort('enough')
    await expect(asking).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a connection', () => {
  /** Sends the events of Node's `fetch` for a request whose connection is never opened. */
  const unconnected = async () => {
    channel('undici:request:create').publish({ request: {} })
    await Promise.resolve()
    channel('undici:client:beforeConnect').publish({ connectParams: { host: 'host.test' } })
    return new Promise<Response>(() => {})
  }

  it('times out after 10 s', async () => {
    const asking = create(unconnected).generate(request)
    expect(await failureAfter(10_000, asking)).toMatchObject({
      code: 'timeout',
      deadline: 'connect',
      message: 'Cannot reach host.test: no connection after 10 s.',
    })
    expect(channel('undici:client:sendHeaders').hasSubscribers).toBe(false)
  })

  it('does not time out if it leads to another host, or if the request only waits for it', async () => {
    const queued = async () => {
      channel('undici:request:create').publish({ request: {} })
      await Promise.resolve()
      channel('undici:client:beforeConnect').publish({ connectParams: { host: 'other.test' } })
      return new Promise<Response>(() => {})
    }
    expect(await failureAfter(119_999, create(queued).generate(request))).toBe('still waiting')
  })

  it('reports a timeout of Node itself as a timeout', async () => {
    const cause = Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' })
    const lm = create(() => Promise.reject(new TypeError('fetch failed', { cause })))
    await expect(lm.generate(request)).rejects.toMatchObject({ code: 'timeout', deadline: 'connect' })
  })
})

describe('an abort', () => {
  it('settles at once even if fetch ignores it, and cancels the late reply', async () => {
    const controller = new AbortController()
    let answer = (_: Response) => {}
    const lm = create(() => new Promise((resolve) => (answer = resolve)))
    const asking = lm.generate(request, { signal: controller.signal })
    controller.abort('enough')
    await expect(asking).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
    const { body, state } = hanging()
    answer(new Response(body))
    await vi.advanceTimersByTimeAsync(0)
    expect(state.isCancelled).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('settles the next delta at once even if the socket hangs, and cancels the body', async () => {
    const controller = new AbortController()
    const { body, state } = hanging(chunk('a'))
    const lm = create(async () => new Response(body))
    const deltas = lm.stream(request, { signal: controller.signal })[Symbol.asyncIterator]()
    await deltas.next()
    const next = deltas.next()
    controller.abort()
    await expect(next).rejects.toMatchObject({ code: 'aborted' })
    expect(state.isCancelled).toBe(true)
  })
})

it.each([0, -1, Number.NaN, '5' as never])('refuses a deadline of %s at creation', (connectMs) => {
  expect(() => create(fetch, { deadlines: { connectMs } })).toThrow(
    /^createLM: deadlines\.connectMs must be a number of milliseconds above 0, or Infinity/,
  )
})
