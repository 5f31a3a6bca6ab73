import type { LM } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { ask, collect, finish, text } from '../../test/wrappers/lm.ts'
import { LMError, withRetry } from '../index.ts'
import { scriptedLM } from '../testing.ts'

const busy = new LMError('http_error', 'host returned 503', { status: 503, retryable: true })
const refused = new LMError('http_error', 'host returned 400', { status: 400 })
const atOnce = { baseDelayMs: 0 }

describe('withRetry', () => {
  it('retries any model after a transient failure', async () => {
    const lm = withRetry(scriptedLM([busy, busy, { text: 'Hello.' }]), atOnce)
    expect((await lm.generate(ask('Hi'))).text).toBe('Hello.')
  })

  it('throws the last failure, unchanged', async () => {
    const script = scriptedLM([busy, busy, { text: 'too late' }])
    await expect(withRetry(script, { ...atOnce, retries: 1 }).generate(ask('Hi'))).rejects.toBe(busy)
    expect(script.requests).toHaveLength(2)
  })

  it('throws a permanent failure, and one that is not an LMError, at once', async () => {
    const odd = new Error('odd')
    for (const error of [refused, odd])
      await expect(withRetry(scriptedLM([error, {}]), atOnce).generate(ask('Hi'))).rejects.toBe(error)
  })

  it('lets the caller decide which failures to retry', async () => {
    const when = (error: unknown) => error instanceof Error && error.message === 'odd'
    const lm = withRetry(scriptedLM([new Error('odd'), { text: 'Hello.' }]), { ...atOnce, when })
    expect((await lm.generate(ask('Hi'))).text).toBe('Hello.')
  })

  it('streams from a model that has no streams', async () => {
    let asked = 0
    const lm: LM = {
      generate: async () => (++asked === 1 ? Promise.reject(busy) : { text: 'Hello.', toolCalls: [], finishReason: 'stop' }),
    }
    expect(await collect(withRetry(lm, atOnce).stream(ask('Hi')))).toEqual([text('Hello.'), finish])
  })

  it('retries after a transient error value, and throws a permanent one', async () => {
    const passing = { error: { message: 'Busy.', code: 'overloaded_error' } }
    const lasting = { error: { message: 'No.', code: 'invalid_request_error' } }
    const lm = withRetry(scriptedLM([passing, { text: 'Hell', finishReason: 'stop' }, lasting, passing, lasting]), atOnce)
    expect(await collect(lm.stream(ask('Hi')))).toEqual([text('Hell'), finish])
    const thrown = { code: 'provider_error', providerCode: 'invalid_request_error', message: 'The model reported an error: No.' }
    await expect(lm.generate(ask('Hi'))).rejects.toMatchObject(thrown)
    await expect(collect(lm.stream(ask('Hi')))).rejects.toMatchObject(thrown)
  })

  it('sends the original request again, even if the conversation has grown', async () => {
    const script = scriptedLM([busy, busy, {}, {}])
    const lm = withRetry(script, atOnce)
    const { messages } = { messages: [...ask('Hi').messages] }
    const asking = [lm.generate({ messages }), collect(lm.stream({ messages }))]
    messages.push({ role: 'user', content: 'And?' })
    await Promise.all(asking)
    expect(script.requests).toEqual(Array(4).fill(ask('Hi')))
  })

  it('does not start a delay after an abort', async () => {
    const controller = new AbortController()
    const when = () => {
      controller.abort('enough')
      return true
    }
    const lm = withRetry(scriptedLM([busy]), { baseDelayMs: 60_000, random: () => 0.9, when })
    const asking = lm.generate(ask('Hi'), { signal: controller.signal })
    await expect(asking).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
  })

  it('never restarts a stream that has yielded content', async () => {
    let begun = 0
    const lm: LM = {
      generate: () => Promise.reject(busy),
      async *stream() {
        begun++
        yield text('Hel')
        throw busy
      },
    }
    await expect(collect(withRetry(lm, atOnce).stream(ask('Hi')))).rejects.toBe(busy)
    expect(begun).toBe(1)
  })

  it('closes the stream when the reader stops', async () => {
    let isClosed = false
    const lm: LM = {
      generate: () => Promise.reject(busy),
      async *stream() {
        try {
          yield text('a')
          yield text('b')
        } finally {
          isClosed = true
        }
      },
    }
    for await (const _ of withRetry(lm).stream(ask('Hi'))) break
    expect(isClosed).toBe(true)
  })
})
