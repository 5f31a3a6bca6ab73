import { collectDeltas, type LMDelta } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CreateLMOptions, createLM } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const hello = { choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] }
const event = (delta: object, finish_reason?: string) => `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`
const STREAM = `${event({ content: 'Hello.' }, 'stop')}data: [DONE]\n\n`
const OVERLOADED = 'data: {"error":{"message":"Overloaded.","type":"overloaded_error"}}\n\n'

const whole = () => Response.json(hello)
const stream = (text = STREAM) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })
const busy = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: { message: 'No.' } }, { status, headers })

/** Answers requests with one reply after another, and counts them. The delays are as long as possible. */
function asked(answers: readonly (() => Response | Promise<Response>)[], options: Partial<CreateLMOptions> = {}) {
  const pauses: number[] = []
  const bodies: unknown[] = []
  let last = 0
  const fetch = async (_: unknown, init?: RequestInit) => {
    if (bodies.push(init?.body) > 1) pauses.push(Date.now() - last)
    last = Date.now()
    return answers[bodies.length - 1]?.() ?? Promise.reject(new Error('One request too many.'))
  }
  const lm = createLM({ wire: openaiChat, baseURL: 'http://h.test', model: 'm', fetch, retries: { random: () => 1 }, ...options })
  return { lm, pauses, bodies }
}

/** Advances the time until the promise settles. */
async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const settling = promise.then(
    (value): PromiseSettledResult<T> => ({ status: 'fulfilled', value }),
    (reason: unknown): PromiseSettledResult<T> => ({ status: 'rejected', reason }),
  )
  await vi.runAllTimersAsync()
  return settling
}

async function collect(deltas: AsyncIterable<LMDelta>): Promise<LMDelta[]> {
  const list: LMDelta[] = []
  for await (const delta of deltas) list.push(delta)
  return list
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a transient failure', () => {
  it('is retried twice, with doubling delays', async () => {
    const reset = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }))
    const { lm, pauses, bodies } = asked([() => busy(500), reset, whole])
    expect(await settled(lm.generate(request))).toMatchObject({ status: 'fulfilled', value: { text: 'Hello.' } })
    expect(pauses).toEqual([500, 1000])
    expect(new Set(bodies).size).toBe(1)
  })

  it.each([408, 409, 429, 500, 503, 529])('is recognised by status %i', async (status) => {
    const { lm } = asked([() => busy(status), whole])
    expect(await settled(lm.generate(request))).toMatchObject({ status: 'fulfilled' })
  })

  it('is thrown after the third attempt', async () => {
    const { lm, bodies } = asked([() => busy(503), () => busy(503), () => busy(503), whole])
    const reason = { code: 'http_error', status: 503, retryable: true }
    expect(await settled(lm.generate(request))).toMatchObject({ status: 'rejected', reason })
    expect(bodies).toHaveLength(3)
  })

  it('is thrown at once if there are no retries', async () => {
    const { lm, bodies } = asked([() => busy(503)], { retries: 0 })
    expect(await settled(lm.generate(request))).toMatchObject({ status: 'rejected', reason: { status: 503 } })
    expect(bodies).toHaveLength(1)
  })

  it('is retried after the delay that the host asks for', async () => {
    const dated = () => busy(503, { 'retry-after': new Date(Date.now() + 3000).toUTCString() })
    const { lm, pauses } = asked(
      [() => busy(429, { 'retry-after': '7' }), () => busy(429, { 'retry-after-ms': '30' }), dated, whole],
      {
        retries: 3,
      },
    )
    expect(await settled(lm.generate(request))).toMatchObject({ status: 'fulfilled' })
    expect(pauses.slice(0, 2)).toEqual([7000, 30])
    // A date has no fractions of a second.
    expect(pauses[2]).toBeGreaterThan(1900)
    expect(pauses[2]).toBeLessThanOrEqual(3000)
  })

  it('is thrown at once if the host asks for a longer delay than allowed', async () => {
    const { lm, bodies } = asked([() => busy(429, { 'retry-after': '61' })])
    const reason = { status: 429, retryAfterMs: 61_000, retryable: true }
    expect(await settled(lm.generate(request))).toMatchObject({ status: 'rejected', reason })
    expect(bodies).toHaveLength(1)
  })

  it('is not retried after an abort during the delay, which leaves no timer', async () => {
    const controller = new AbortController()
    const { lm, bodies } = asked([() => busy(503), whole])
    const asking = lm.generate(request, { signal: controller.signal })
    const failing = expect(asking).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
    await vi.advanceTimersByTimeAsync(100)
    controller.abort('enough')
    await failing
    expect([bodies.length, vi.getTimerCount()]).toEqual([1, 0])
  })
})

describe('a permanent failure', () => {
  it.each([400, 401, 403, 404, 422, 501])('is thrown at once for status %i', async (status) => {
    const { lm, bodies } = asked([() => busy(status), whole])
    expect(await settled(lm.generate(request))).toMatchObject({ status: 'rejected', reason: { status, retryable: false } })
    expect(bodies).toHaveLength(1)
  })

  it("is recognised by the host's header, and by a used-up quota", async () => {
    const quota = () => Response.json({ error: { message: 'No.', code: 'insufficient_quota' } }, { status: 429 })
    for (const answer of [() => busy(500, { 'x-should-retry': 'false' }), quota]) {
      expect(await settled(asked([answer, whole]).lm.generate(request))).toMatchObject({ status: 'rejected' })
    }
    const retried = asked([() => busy(400, { 'x-should-retry': 'true' }), whole])
    expect(await settled(retried.lm.generate(request))).toMatchObject({ status: 'fulfilled' })
  })

  it("has the provider's code and the request id", async () => {
    const headers = { 'x-request-id': 'req_1' }
    const { lm } = asked([() => Response.json({ error: { message: 'No.', code: 'bad_tool' } }, { status: 400, headers })])
    const reason = { providerCode: 'bad_tool', requestId: 'req_1' }
    expect(await settled(lm.generate(request))).toMatchObject({ status: 'rejected', reason })
  })
})

describe('a stream', () => {
  it('is restarted after a failure before its first content', async () => {
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n'
    const { lm, bodies } = asked([() => busy(529), () => stream(usage + OVERLOADED), stream])
    const result = await settled(collect(lm.stream(request)))
    if (result.status === 'rejected') throw result.reason
    expect(collectDeltas(result.value)).toMatchObject({ text: 'Hello.', finishReason: 'stop' })
    expect(result.value.filter(({ type }) => type === 'usage')).toEqual([])
    expect(bodies).toHaveLength(3)
  })

  it('is never restarted after its first content', async () => {
    const { lm, bodies } = asked([() => stream(event({ content: 'Hel' }) + OVERLOADED), stream])
    const seen: LMDelta[] = []
    const reading = (async () => {
      for await (const delta of lm.stream(request)) seen.push(delta)
    })()
    const reason = { code: 'provider_error', providerCode: 'overloaded_error', retryable: true }
    expect(await settled(reading)).toMatchObject({ status: 'rejected', reason })
    expect(seen).toEqual([{ type: 'text', text: 'Hel' }])
    expect(bodies).toHaveLength(1)
  })

  it('is restarted if it ends before its first content', async () => {
    const { lm } = asked([() => stream(': nothing\n\n'), () => stream('data: {"choices":[{"del'), stream])
    expect(await settled(collect(lm.stream(request)))).toMatchObject({ status: 'fulfilled' })
  })

  it('is not restarted after a permanent error', async () => {
    const refused = 'data: {"error":{"message":"No.","type":"invalid_request_error"}}\n\n'
    const { lm, bodies } = asked([() => stream(refused), stream])
    expect(await settled(collect(lm.stream(request)))).toMatchObject({ status: 'rejected', reason: { retryable: false } })
    expect(bodies).toHaveLength(1)
  })
})

it.each([{ retries: -1 }, { baseDelayMs: Number.NaN }, { maxDelayMs: 'x' as never }])(
  'refuses retries of %j at creation',
  (retries) => {
    expect(() => asked([], { retries })).toThrow(/^Retries: .+ must be a number of at least 0, got /)
  },
)
