import type { LM } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { LMError, withFallback } from '../index.ts'
import { scriptedLM } from '../testing.ts'
import { ask, collect, finish, text } from './test-lm.ts'

const busy = new LMError('http_error', 'one answered 503', { status: 503, retryable: true })
const gone = new Error('two is gone')
const request = ask('Hi')

describe('withFallback', () => {
  it('asks the next model only when one has failed', async () => {
    const last = scriptedLM([{ text: 'never asked' }])
    const lm = withFallback([scriptedLM([busy]), scriptedLM([{ text: 'Hello.' }]), last])
    expect((await lm.generate(request)).text).toBe('Hello.')
    expect(last.requests).toEqual([])
  })

  it('begins with the first one each time', async () => {
    const lm = withFallback([scriptedLM([busy, { text: 'one' }]), scriptedLM([{ text: 'two' }])])
    expect([(await lm.generate(request)).text, (await lm.generate(request)).text]).toEqual(['two', 'one'])
  })

  it('throws an error that holds all others when every model has failed', async () => {
    const failing = withFallback([scriptedLM([busy]), scriptedLM([gone])])
    await expect(failing.generate(request)).rejects.toMatchObject({
      code: 'all_failed',
      message: 'All 2 models failed. one answered 503 | two is gone',
      retryable: true,
      cause: { errors: [busy, gone] },
    })
  })

  it('throws a single failure unchanged', async () => {
    await expect(withFallback([scriptedLM([gone])]).generate(request)).rejects.toBe(gone)
  })

  it('stops at a failure that is no reason to go on', async () => {
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

  it('streams from the first model that says something', async () => {
    const lm = withFallback([scriptedLM([busy]), { generate: async () => ({ text: 'Hello.', toolCalls: [], finish: 'stop' }) }])
    expect(await collect(lm.stream(request))).toEqual([text('Hello.'), finish])
  })

  it('stays with a model that has said something', async () => {
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

  it('refuses an empty list at creation', () => {
    expect(() => withFallback([])).toThrow('withFallback: there is no model.')
  })
})
