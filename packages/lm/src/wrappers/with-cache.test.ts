import type { LM, LMDelta, LMResponse, Message } from '@x/adapters'
import { collectDeltas } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { aMoment, ask, collect, finish, heldLM, text } from '../../test/wrappers/lm.ts'
import { createLM, createMemoryStore, requestDigest, withCache, withFallback, withRetry } from '../index.ts'
import { withRescue } from '../rescue.ts'
import { scriptedLM } from '../testing.ts'

const call = { id: '1', name: 'search', arguments: '{"q":1}' }

describe('a cached response', () => {
  it('is requested once, and returned by both methods', async () => {
    const script = scriptedLM([{ text: 'Hi', toolCalls: [call], finishReason: 'tool-calls' }])
    const lm = withCache(script)
    const first = await lm.generate(ask('a'))
    expect(await lm.generate(ask('a'))).toEqual(first)
    expect(collectDeltas(await collect(lm.stream(ask('a'))))).toEqual(first)
    expect(script.requests).toHaveLength(1)
  })

  it('is the same for all callers, so it has no raw reply', async () => {
    const lm = withCache(scriptedLM([{ text: 'Hi', raw: { any: 1 } }]))
    expect(await lm.generate(ask('a'))).toEqual({ text: 'Hi', toolCalls: [] })
  })

  it('cannot be changed by one caller for the others, complete or in deltas', async () => {
    const metadata = { some: { wire: [1] } }
    const lm = withCache(scriptedLM([{ toolCalls: [{ ...call, metadata }] }, { metadata, finishReason: 'stop' }]))
    const response = await lm.generate(ask('a'))
    expect(() => Object.assign(response, { text: 'other' })).toThrow(TypeError)
    expect(() => Object.assign(response.toolCalls[0] as object, { arguments: '{}' })).toThrow(TypeError)
    for await (const delta of lm.stream(ask('b')))
      if (delta.type === 'metadata') expect(() => (delta.metadata.some as typeof metadata.some).wire.push(2)).toThrow(TypeError)
    expect((await lm.generate(ask('b'))).metadata).toEqual({ some: { wire: [1] } })
  })

  it('may come from a stream', async () => {
    const script = scriptedLM([{ text: 'Hello there', finishReason: 'stop' }])
    const lm = withCache(script)
    const deltas = await collect(lm.stream(ask('a')))
    expect(deltas.length).toBeGreaterThan(2)
    expect(await lm.generate(ask('a'))).toEqual(collectDeltas(deltas))
    expect(script.requests).toHaveLength(1)
  })

  it('differs for another request', async () => {
    const lm = withCache(scriptedLM([{ text: '1' }, { text: '2' }, { text: '3' }]))
    const settings = { temperature: 0 }
    const texts = [await lm.generate(ask('a')), await lm.generate(ask('b')), await lm.generate({ ...ask('a'), settings })]
    expect(texts.map((response) => response.text)).toEqual(['1', '2', '3'])
  })

  const broken: Partial<LMResponse>[] = [
    { finishReason: 'length' },
    { finishReason: 'content-filter' },
    { finishReason: 'error' },
    { refusal: 'I would rather not.', finishReason: 'stop' },
    { error: { message: 'No.' } },
    { toolCalls: [{ ...call, truncated: true }] },
    { malformedCalls: ['<call'] },
  ]
  it.each(broken)('is not stored if it is incomplete: %j', async (response) => {
    const lm = withCache(scriptedLM([response, { text: 'whole' }]))
    await lm.generate(ask('a'))
    expect((await lm.generate(ask('a'))).text).toBe('whole')
  })

  it('is not stored if the stream stopped without a finish', async () => {
    let asked = 0
    const lm = withCache({
      generate: () => Promise.reject(new Error('not whole')),
      async *stream() {
        yield text('ha')
        if (++asked > 1) yield finish
      },
    })
    expect(await collect(lm.stream(ask('a')))).toEqual([text('ha')])
    expect(await collect(lm.stream(ask('a')))).toEqual([text('ha'), finish])
    await lm.generate(ask('a'))
    expect(asked).toBe(2)
  })

  it('is stored under the request as it was when the model was called', async () => {
    const messages: Message[] = [{ role: 'user', content: 'a' }]
    const script = scriptedLM([{ text: 'to a' }, { text: 'to b' }])
    const lm = withCache(script)
    const asking = lm.generate({ messages })
    messages.push({ role: 'user', content: 'b' })
    expect((await asking).text).toBe('to a')
    expect(script.requests).toEqual([ask('a')])
    expect((await lm.generate({ messages })).text).toBe('to b')
  })

  it('is requested again after a failure', async () => {
    const lm = withCache(scriptedLM([new Error('odd'), new Error('odd'), { text: 'whole' }]))
    await expect(lm.generate(ask('a'))).rejects.toThrow('odd')
    await expect(collect(lm.stream(ask('a')))).rejects.toThrow('odd')
    expect((await lm.generate(ask('a'))).text).toBe('whole')
  })
})

describe('concurrent identical requests', () => {
  const key = () => 'the same'

  it('are sent once for all callers', async () => {
    const held = heldLM()
    const lm = withCache(held, { key })
    const streams = [collect(lm.stream(ask('x'))), collect(lm.stream(ask('x')))]
    const whole = lm.generate(ask('x'))
    await aMoment()
    held.answer({})
    expect(await Promise.all(streams)).toEqual([
      [text('a'), text('b'), finish],
      [text('a'), text('b'), finish],
    ])
    expect(await whole).toMatchObject({ text: 'ab', finishReason: 'stop' })
    expect(held.asked).toEqual(['x'])
  })

  it('yield earlier deltas at once to a late caller', async () => {
    const held = heldLM()
    const lm = withCache(held, { key })
    const early = collect(lm.stream(ask('x')))
    await aMoment()
    const late = lm.stream(ask('x'))[Symbol.asyncIterator]()
    expect(await late.next()).toEqual({ done: false, value: text('a') })
    held.answer({})
    expect((await late.next()).value).toEqual(text('b'))
    await early
  })

  it('can be streamed by one caller while another waits for the complete response', async () => {
    const held = heldLM()
    const lm = withCache(held, { key })
    const whole = lm.generate(ask('x'))
    await aMoment()
    const stream = collect(lm.stream(ask('x')))
    await aMoment()
    held.answer({ finishReason: 'stop' })
    expect(await stream).toEqual([text('ab'), finish])
    await whole
  })

  it('continue if one caller aborts, and stop after all have', async () => {
    const held = heldLM()
    const lm = withCache(held, { key })
    const controllers = [new AbortController(), new AbortController()]
    const all = controllers.map(({ signal }) => lm.generate(ask('x'), { signal }))
    const failing = Promise.all(all.map((each) => expect(each).rejects.toMatchObject({ code: 'aborted' })))
    await aMoment()
    controllers[0]?.abort()
    await aMoment()
    expect(held.aborted).toEqual([])
    controllers[1]?.abort()
    await failing
    expect(held.aborted).toEqual(['x'])
  })

  it('yield nothing more after an abort, even if deltas are available', async () => {
    const streamed = { generate: () => Promise.reject(new Error('not whole')) }
    const early: LM = {
      ...streamed,
      async *stream() {
        yield* [text('a'), text('b'), finish]
      },
    }
    const kept = withCache(early)
    await collect(kept.stream(ask('x')))
    for (const lm of [withCache(early), kept]) {
      const controller = new AbortController()
      const received: LMDelta[] = []
      const reading = (async () => {
        for await (const delta of lm.stream(ask('x'), { signal: controller.signal })) {
          received.push(delta)
          await aMoment()
          controller.abort('enough')
        }
      })()
      await expect(reading).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
      expect(received).toHaveLength(1)
    }
  })

  it('do not affect the next request after all callers have left', async () => {
    const held = heldLM()
    const lm = withCache(held, { key })
    const stream = lm.stream(ask('x'))[Symbol.asyncIterator]()
    await stream.next()
    await stream.return?.()
    const next = lm.generate(ask('x'))
    await aMoment()
    held.answer({})
    held.answer({ text: 'again' })
    expect((await next).text).toBe('again')
  })

  it('are not sent for a caller that has already aborted', async () => {
    const held = heldLM()
    const signal = AbortSignal.abort('enough')
    const lm = withCache(held, { key })
    await expect(lm.generate(ask('x'), { signal })).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
    await expect(collect(lm.stream(ask('x'), { signal }))).rejects.toMatchObject({ code: 'aborted' })
    expect(held.asked).toEqual([])
  })
})

describe('a store', () => {
  it('can be shared by different models, and by the same model created twice', async () => {
    const store = createMemoryStore()
    const replies = (text: string) => async () =>
      Response.json({ choices: [{ message: { content: text }, finish_reason: 'stop' }] })
    const model = (name: string, text: string, headers?: Record<string, string>) =>
      createLM({ wire: openaiChat, baseURL: 'http://localhost/v1', model: name, headers, fetch: replies(text) as typeof fetch })
    const ask1 = async (lm: LM) => (await withCache(lm, { store }).generate(ask('a'))).text
    expect(await ask1(model('one', 'I am one.'))).toBe('I am one.')
    expect(await ask1(model('two', 'I am two.'))).toBe('I am two.')
    expect(await ask1(model('one', 'I am a variant.', { 'x-variant': 'b' }))).toBe('I am a variant.')
    expect(await ask1(model('one', 'Again.', { 'X-Variant': 'b' }))).toBe('I am a variant.')
    expect(await ask1(withRetry(model('one', 'Again.')))).toBe('I am one.')
    expect(() => withCache({ ...model('two', 'Again.') }, { store })).toThrow('Pass a key')
    expect(await ask1(withFallback([model('one', 'Or two.'), model('two', '')]))).toBe('Or two.')
  })

  it('distinguishes a rescue in the common dialects from a rescue in no dialect', async () => {
    const store = createMemoryStore()
    const tools = [
      { type: 'function' as const, function: { name: 'look', description: 'Look.', parameters: { type: 'object' } } },
    ]
    const leaked = '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>'
    const replies = async () => Response.json({ choices: [{ message: { content: leaked }, finish_reason: 'stop' }] })
    const model = createLM({ wire: openaiChat, baseURL: 'http://localhost', model: 'm', fetch: replies as typeof fetch })
    const callsOf = async (lm: LM) => (await withCache(lm, { store }).generate({ ...ask('a'), tools })).toolCalls.length
    expect(await callsOf(withRescue(model, { dialects: [] }))).toBe(0)
    expect(await callsOf(withRescue(model))).toBe(1)
  })

  it('needs a key if it wraps a model without an identity', () => {
    const own: LM = { generate: async () => ({ text: '', toolCalls: [] }) }
    expect(() => withCache(own, { store: createMemoryStore() })).toThrow('Pass a key that identifies it')
    expect(() => withCache(own)).not.toThrow()
  })

  it("can be the caller's own, with the caller's keys", async () => {
    const kept = new Map<string, LMResponse>()
    const store = {
      get: async (key: string) => kept.get(key),
      set: async (key: string, response: LMResponse) => void kept.set(key, response),
    }
    const key = async (request: Parameters<typeof requestDigest>[0]) => `one:${await requestDigest(request)}`
    const lm = withCache(scriptedLM([{ text: 'Hi' }]), { store, key })
    await lm.generate(ask('a'))
    expect([...kept.keys()]).toEqual([await key(ask('a'))])
    expect((await withCache(scriptedLM([]), { store, key }).generate(ask('a'))).text).toBe('Hi')
  })

  it('refuses a key that is not a string, because other requests would share it', async () => {
    const script = scriptedLM([{ text: 'Hi' }])
    const lm = withCache(script, { key: (() => undefined) as never })
    await expect(lm.generate(ask('a'))).rejects.toThrow('withCache: key must return a string, got ')
    await expect(collect(lm.stream(ask('b')))).rejects.toThrow('withCache: key must return a string, got ')
    expect(script.requests).toEqual([])
  })

  it('makes the request fail if the store fails', async () => {
    const store = { get: () => Promise.reject(new Error('disk')), set: () => {} }
    await expect(withCache(scriptedLM([{}]), { store, key: () => 'k' }).generate(ask('a'))).rejects.toThrow('disk')
  })

  it('evicts the least recently used response in memory', () => {
    const store = createMemoryStore({ maxEntries: 2 })
    const response = { text: '', toolCalls: [] }
    store.set('a', response)
    store.set('b', response)
    store.get('a')
    store.set('c', response)
    expect([store.get('a'), store.get('b'), store.get('c')]).toEqual([response, undefined, response])
  })

  it('must have room for one response in memory', () => {
    expect(() => createMemoryStore({ maxEntries: 0 })).toThrow(
      'createMemoryStore: maxEntries must be a whole number above 0, got 0.',
    )
  })
})

describe('requestDigest', () => {
  it('is the same for the same request, independent of key order', async () => {
    const one = { messages: [{ role: 'user', content: 'Hi' }], settings: { seed: 1, temperature: 0 } } as const
    const other = { settings: { temperature: 0, seed: 1 }, messages: [{ content: 'Hi', role: 'user' }] } as const
    expect(await requestDigest(one)).toBe(await requestDigest(other))
    expect(await requestDigest(one)).toMatch(/^[0-9a-f]{64}$/)
  })

  it('distinguishes a key __proto__ from a missing one', async () => {
    const options = JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>
    expect(await requestDigest({ ...ask('a'), providerOptions: options })).not.toBe(
      await requestDigest({ ...ask('a'), providerOptions: {} }),
    )
  })
})
