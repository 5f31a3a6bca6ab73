import type { LM } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { ask, collect, finish, text } from '../../test/wrappers/lm.ts'
import { LMError, withFallback } from '../index.ts'
import { scriptedLM } from '../testing.ts'

const busy = new LMError('http_error', 'one returned 503', { status: 503, retryable: true })
const gone = new Error('two is gone')
const request = ask('Hi')

describe('withFallback', () => {
  it('calls the next model only after a failure', async () => {
    const last = scriptedLM([{ text: 'never asked' }])
    const lm = withFallback([scriptedLM([busy]), scriptedLM([{ text: 'Hello.' }]), last])
    expect((await lm.generate(request)).text).toBe('Hello.')
    expect(last.requests).toEqual([])
  })

  it('starts with the first model each time', async () => {
    const lm = withFallback([scriptedLM([busy, { text: 'one' }]), scriptedLM([{ text: 'two' }])])
    expect([(await lm.generate(request)).text, (await lm.generate(request)).text]).toEqual(['two', 'one'])
  })

  it('throws an error that contains all others if every model has failed', async () => {
    const failing = withFallback([scriptedLM([busy]), scriptedLM([gone])])
    await expect(failing.generate(request)).rejects.toMatchObject({
      code: 'all_failed',
      message: 'All 2 models failed. one returned 503 | two is gone',
      retryable: true,
      cause: { errors: [busy, gone] },
    })
  })

  it('throws a single failure unchanged', async () => {
    await expect(withFallback([scriptedLM([gone])]).generate(request)).rejects.toBe(gone)
  })

  it('stops at a failure that the caller excludes', async () => {
    const second = scriptedLM([{ text: 'never asked' }])
    const when = (error: unknown) => error instanceof LMError && error.status !== 503
    await expect(withFallback([scriptedLM([busy]), second], { when }).generate(request)).rejects.toBe(busy)
    expect(second.requests).toEqual([])
  })

  it('stops at an abort', async () => {
    const second = scriptedLM([{ text: 'never asked' }])
    const signal = AbortSignal.abort(new Error('enough'))
    const lm = withFallback([scriptedLM([{}]), second])
    await expect(lm.generate(request, { signal })).rejects.toThrow('enough')
    await expect(collect(lm.stream(request, { signal }))).rejects.toThrow('enough')
    expect(second.requests).toEqual([])
  })

  it('streams from the first model that yields content', async () => {
    const lm = withFallback([
      scriptedLM([busy]),
      { generate: async () => ({ text: 'Hello.', toolCalls: [], finishReason: 'stop' }) },
    ])
    expect(await collect(lm.stream(request))).toEqual([text('Hello.'), finish])
  })

  it('stays with a model that has yielded content', async () => {
    const broken: LM = {
      generate: () => Promise.reject(busy),
      async *stream() {
        yield text('Hel')
        throw busy
      },
    }
    const second = scriptedLM([{ text: 'never asked' }])
    await expect(collect(withFallback([broken, second]).stream(request))).rejects.toBe(busy)
    expect(second.requests).toEqual([])
  })

  it('calls the next model if one returns an error as a value', async () => {
    const overloaded = { error: { message: 'Too\nbusy.', code: 'overloaded_error' }, finishReason: 'error' } as const
    for (const last of [{ text: 'Hello.', finishReason: 'stop' } as const, overloaded]) {
      const lm = () => withFallback([scriptedLM([overloaded]), scriptedLM([last])])
      const asking = [lm().generate(request), collect(lm().stream(request))]
      if (last === overloaded) {
        const message = 'All 2 models failed. The model reported an error: Too busy. | The model reported an error: Too busy.'
        for (const each of asking) await expect(each).rejects.toMatchObject({ code: 'all_failed', message, retryable: true })
      } else {
        expect(await asking[0]).toMatchObject({ text: 'Hello.' })
        expect(await asking[1]).toEqual([text('Hell'), text('o.'), finish])
      }
    }
  })

  it('calls the next model if a stream finishes with an error', async () => {
    const failing: LM = {
      generate: () => Promise.reject(gone),
      async *stream() {
        yield { type: 'finish', finishReason: 'error' }
        yield { type: 'error', error: { message: 'No.' } }
      },
    }
    const lm = withFallback([failing, scriptedLM([{ text: 'Hi', finishReason: 'stop' }])])
    expect(await collect(lm.stream(request))).toEqual([text('Hi'), finish])
  })

  it('sends every model the original request, even if the conversation has grown', async () => {
    const messages = [...request.messages]
    const second = scriptedLM([{ text: 'two' }, { text: 'two' }])
    const lm = withFallback([scriptedLM([busy, busy]), second])
    const asking = [lm.generate({ messages }), collect(lm.stream({ messages }))]
    messages.push({ role: 'user', content: 'And?' })
    await Promise.all(asking)
    expect(second.requests).toEqual([request, request])
  })

  it('refuses an empty list at creation', () => {
    expect(() => withFallback([])).toThrow('withFallback: the list of models is empty.')
  })
})
