import { openaiChat } from '@x/adapters/wire'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask, collect, heldLM } from '../../test/wrappers/lm.ts'
import { createLM, withRateLimit, withRetry } from '../index.ts'
import { scriptedLM } from '../testing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const flush = () => vi.advanceTimersByTimeAsync(0)

describe('a limit of concurrent requests', () => {
  it('lets further requests wait in order of arrival', async () => {
    const held = heldLM()
    const lm = withRateLimit(held, { concurrency: 2 })
    const all = ['1', '2', '3', '4'].map((words) => lm.generate(ask(words)))
    await flush()
    expect(held.asked).toEqual(['1', '2'])
    held.answer({})
    await flush()
    expect(held.asked).toEqual(['1', '2', '3'])
    held.answer(new Error('odd'))
    await expect(all[1]).rejects.toThrow('odd')
    expect(held.asked).toEqual(['1', '2', '3', '4'])
    held.answer({})
    held.answer({})
    await Promise.allSettled(all)
  })

  it('counts a stream until it ends, or until the reader stops', async () => {
    const held = heldLM()
    const lm = withRateLimit(held, { concurrency: 1 })
    const first = collect(lm.stream(ask('1')))
    const second = lm.stream(ask('2'))[Symbol.asyncIterator]()
    const opening = second.next()
    const third = lm.generate(ask('3'))
    await flush()
    expect(held.asked).toEqual(['1'])
    held.answer({})
    await first
    await opening
    expect(held.asked).toEqual(['1', '2'])
    await second.return?.()
    await flush()
    expect(held.asked).toEqual(['1', '2', '3'])
    held.answer({})
    held.answer({})
    await third
  })

  it('is not kept by an aborted request, even while it waits', async () => {
    const held = heldLM()
    const lm = withRateLimit(held, { concurrency: 1 })
    const first = lm.generate(ask('1'))
    const controller = new AbortController()
    const second = lm.generate(ask('2'), { signal: controller.signal })
    const third = lm.generate(ask('3'))
    const failing = expect(second).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
    controller.abort('enough')
    await failing
    await expect(lm.generate(ask('4'), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
    held.answer({})
    await first
    await flush()
    expect(held.asked).toEqual(['1', '3'])
    held.answer({})
    await third
  })
})

describe('a limit of requests per minute', () => {
  it('applies to any 60 seconds', async () => {
    const lm = withRateLimit(scriptedLM([{}, {}, {}, {}]), { requestsPerMinute: 2 })
    const done: number[] = []
    const note = (index: number) => () => void done.push(index)
    const all = [lm.generate(ask('0')).then(note(0))]
    await vi.advanceTimersByTimeAsync(30_000)
    all.push(...[1, 2, 3].map((index) => lm.generate(ask(String(index))).then(note(index))))
    await flush()
    expect(done).toEqual([0, 1])
    await vi.advanceTimersByTimeAsync(29_999)
    expect(done).toEqual([0, 1])
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toEqual([0, 1, 2])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(done).toEqual([0, 1, 2, 3])
    await Promise.all(all)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('counts every attempt if the retries are outside the limit', async () => {
    const sent: number[] = []
    const fetch = async () => {
      sent.push(performance.now())
      return Response.json({ error: { message: 'Busy.' } }, { status: 503 })
    }
    const lm = createLM({ wire: openaiChat, baseURL: 'http://host.test/v1', model: 'm', retries: 0, fetch })
    const failing = withRetry(withRateLimit(lm, { requestsPerMinute: 1 }), { baseDelayMs: 0 }).generate(ask('1'))
    const expected = expect(failing).rejects.toMatchObject({ status: 503 })
    await vi.advanceTimersByTimeAsync(120_000)
    await expected
    expect(sent.map((at) => Math.round((at - (sent[0] as number)) / 1000))).toEqual([0, 60, 120])
  })

  it('sends the original request, even if the conversation has grown', async () => {
    const script = scriptedLM([{}, {}, {}])
    const lm = withRateLimit(script, { requestsPerMinute: 1 })
    const messages = [...ask('1').messages]
    const asking = [lm.generate({ messages }), lm.generate({ messages }), collect(lm.stream({ messages }))]
    messages.push({ role: 'user', content: 'And?' })
    await vi.advanceTimersByTimeAsync(120_000)
    await Promise.all(asking)
    expect(script.requests).toEqual(Array(3).fill(ask('1')))
  })

  it('leaves no timer after the last waiting request has gone', async () => {
    const lm = withRateLimit(scriptedLM([{}]), { requestsPerMinute: 1 })
    await lm.generate(ask('1'))
    const controller = new AbortController()
    const waiting = expect(lm.generate(ask('2'), { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' })
    controller.abort()
    await waiting
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a limit of tokens per minute', () => {
  it('delays requests after complete replies and streams have used it up', async () => {
    const usage = { inputTokens: 60, outputTokens: 40 }
    const script = scriptedLM([{ usage }, { usage }, { text: 'now' }])
    const lm = withRateLimit(script, { tokensPerMinute: 200 })
    await lm.generate(ask('1'))
    await collect(lm.stream(ask('2')))
    const third = lm.generate(ask('3'))
    await vi.advanceTimersByTimeAsync(59_999)
    expect(script.requests).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect((await third).text).toBe('now')
    expect(vi.getTimerCount()).toBe(0)
  })
})

it.each([{ requestsPerMinute: 1.5 }, { concurrency: 2.5 }])('refuses a fraction of a request at creation: %j', (limits) => {
  expect(() => withRateLimit(scriptedLM([]), limits)).toThrow(/^withRateLimit: .+ must be a whole number of at least 1, got /)
})

it.each([{ concurrency: 0 }, { requestsPerMinute: Number.NaN }, { tokensPerMinute: '5' as never }])(
  'is refused at creation if it is %j',
  (limits) => {
    expect(() => withRateLimit(scriptedLM([]), limits)).toThrow(/^withRateLimit: .+ must be a number of at least 1, got /)
  },
)
