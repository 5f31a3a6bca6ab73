/** A request times out if the host keeps the reply open forever, in whatever way. */
import { openaiChat } from '@x/adapters/wire'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failureAfter } from '../../test/failure.ts'
import { type CreateLMOptions, createLM } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const create = (fetch: typeof globalThis.fetch, options: Partial<CreateLMOptions> = {}) =>
  createLM({ wire: openaiChat, baseURL: 'http://host.test', model: 'm', retries: 0, fetch, ...options })
const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a host that never ends', () => {
  /** Returns a body that sends a piece every `everyMs` without end, and that reports when it was cancelled. */
  function endless(everyMs: number, pieceAt: (index: number) => string) {
    const state = { isCancelled: false }
    let timer: ReturnType<typeof setInterval>
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        let index = 0
        timer = setInterval(() => controller.enqueue(new TextEncoder().encode(pieceAt(index++))), everyMs)
      },
      cancel: () => {
        clearInterval(timer)
        state.isCancelled = true
      },
    })
    return { body, state }
  }
  async function readAll(deltas: AsyncIterable<unknown>): Promise<void> {
    for await (const _ of deltas);
  }

  it.each([
    ['comments', ': ping\n\n'],
    ['empty deltas', `data: ${JSON.stringify({ choices: [{ delta: {} }] })}\n\n`],
    ['a byte of an event at a time', 'x'],
  ])('times out after 10 minutes if it sends only %s', async (_, piece) => {
    const { body, state } = endless(30_000, (index) => (index === 0 ? chunk('Hel') : piece))
    const reading = readAll(create(async () => new Response(body)).stream(request))
    expect(await failureAfter(620_000, reading)).toBe('still waiting')
    expect(await failureAfter(20_000, reading)).toMatchObject({
      code: 'timeout',
      deadline: 'content',
      message: 'host.test kept the reply open for 600 s but sent no content.',
    })
    expect(state.isCancelled).toBe(true)
  })

  it('times out after 30 minutes while it keeps writing, and is not asked again', async () => {
    const { body } = endless(30_000, () => chunk('a'))
    const reading = readAll(create(async () => new Response(body)).stream(request))
    expect(await failureAfter(1_799_000, reading)).toBe('still waiting')
    expect(await failureAfter(2_000, reading)).toMatchObject({ deadline: 'total', retryable: false })
  })

  it('times out after the time that the caller sets, or never', async () => {
    const stream = (deadlines: CreateLMOptions['deadlines']) =>
      readAll(create(async () => new Response(endless(1_000, () => ': ping\n\n').body), { deadlines }).stream(request))
    expect(await failureAfter(7_000, stream({ contentMs: 5_000 }))).toMatchObject({ deadline: 'content' })
    expect(await failureAfter(6_000, stream({ totalMs: 5_000 }))).toMatchObject({ deadline: 'total' })
    expect(await failureAfter(7_200_000, stream({ contentMs: Infinity, totalMs: Infinity }))).toBe('still waiting')
  })

  it('does not time out because of a slow reader', async () => {
    const { body } = endless(10_000, () => chunk('a'))
    const deltas = create(async () => new Response(body), { deadlines: { contentMs: 15_000, totalMs: 60_000 } }).stream(request)
    const reader = deltas[Symbol.asyncIterator]()
    for (let index = 0; index < 5; index++) {
      const next = reader.next()
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await next).toMatchObject({ value: { text: 'a' } })
      await vi.advanceTimersByTimeAsync(100_000)
    }
    await reader.return?.()
  })

  it('fails when its stream exceeds the maximum length', async () => {
    let sent = 0
    let isCancelled = false
    const piece = new TextEncoder().encode(chunk('x'.repeat(1_000_000)))
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += piece.length
        controller.enqueue(piece)
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const reading = readAll(create(async () => new Response(body)).stream(request))
    await expect(reading).rejects.toMatchObject({
      code: 'invalid_reply',
      message: 'host.test sent a reply of more than 134217728 bytes.',
    })
    expect(isCancelled).toBe(true)
    expect(sent).toBeLessThan(140 * 1024 * 1024)
  })
})

describe('a complete reply', () => {
  it.each(['null', '[1,2]', '1e999', '"text"', 'true'])('is invalid if it is %s', async (text) => {
    const lm = create(async () => new Response(text, { headers: { 'content-type': 'application/json' } }))
    await expect(lm.generate(request)).rejects.toMatchObject({ code: 'invalid_reply' })
  })
})
