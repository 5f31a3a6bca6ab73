import type { LM, LMDelta, LMResponse, Message } from '@x/adapters'
import { collectDeltas } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { aMoment, ask, collect, finish, heldLM, text } from '../../test/wrappers/lm.ts'
import { createLM, createMemoryStore, requestDigest, withCache, withFallback, withRetry } from '../index.ts'
import { withRescue } from '../rescue.ts'
import { scriptedLM } from '../testing.ts'

const call = { id: '1', name: 'search', arguments: '{"q":1}' }

describe('a response', () => {
  it('is asked for once, and given again by both methods', async () => {
    const script = scriptedLM([{ text: 'Hi', toolCalls: [call], finish: 'tool-calls' }])
    const lm = withCache(script)
    const first = await lm.generate(ask('a'))
    expect(await lm.generate(ask('a'))).toEqual(first)
    expect(collectDeltas(await collect(lm.stream(ask('a'))))).toEqual(first)
    expect(script.requests).toHaveLength(1)
  })

  it('is the same for all, so it has no raw reply, which only the first one could have', async () => {
    const lm = withCache(scriptedLM([{ text: 'Hi', raw: { any: 1 } }]))
    expect(await lm.generate(ask('a'))).toEqual({ text: 'Hi', toolCalls: [] })
  })

  it('cannot be changed by one for the others, in a whole or in deltas', async () => {
    const metadata = { some: { wire: [1] } }
    const lm = withCache(scriptedLM([{ toolCalls: [{ ...call, metadata }] }, { metadata, finish: 'stop' }]))
    const response = await lm.generate(ask('a'))
    expect(() => Object.assign(response, { text: 'other' })).toThrow(TypeError)
    expect(() => Object.assign(response.toolCalls[0] as object, { arguments: '{}' })).toThrow(TypeError)
    for await (const delta of lm.stream(ask('b')))
      if (delta.type === 'metadata') expect(() => (delta.metadata.some as typeof metadata.some).wire.push(2)).toThrow(TypeError)
    expect((await lm.generate(ask('b'))).metadata).toEqual({ some: { wire: [1] } })
  })

  it('of a stream is kept like any other', async () => {
    const script = scriptedLM([{ text: 'Hello there', finish: 'stop' }])
    const lm = withCache(script)
    const deltas = await collect(lm.stream(ask('a')))
    expect(deltas.length).toBeGreaterThan(2)
    expect(await lm.generate(ask('a'))).toEqual(collectDeltas(deltas))
    expect(script.requests).toHaveLength(1)
  })

  it('to another request is another', async () => {
    const lm = withCache(scriptedLM([{ text: '1' }, { text: '2' }, { text: '3' }]))
    const settings = { temperature: 0 }
    const texts = [await lm.generate(ask('a')), await lm.generate(ask('b')), await lm.generate({ ...ask('a'), settings })]
    expect(texts.map((response) => response.text)).toEqual(['1', '2', '3'])
  })

  const broken: Partial<LMResponse>[] = [
    { finish: 'length' },
    { finish: 'content-filter' },
    { finish: 'error' },
    { refusal: 'I would rather not.', finish: 'stop' },
    { error: { message: 'No.' } },
    { toolCalls: [{ ...call, truncated: true }] },
    { unreadCalls: ['<call'] },
  ]
  it.each(broken)('LOOP-12: that is not whole is never kept: %j', async (response) => {
    const lm = withCache(scriptedLM([response, { text: 'whole' }]))
    await lm.generate(ask('a'))
    expect((await lm.generate(ask('a'))).text).toBe('whole')
  })

  it('of a stream that stopped without its end is never kept', async () => {
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

  it('is kept under the request as it was asked, and no other', async () => {
    const messages: Message[] = [{ role: 'user', content: 'a' }]
    const script = scriptedLM([{ text: 'to a' }, { text: 'to b' }])
    const lm = withCache(script)
    const asking = lm.generate({ messages })
    messages.push({ role: 'user', content: 'b' })
    expect((await asking).text).toBe('to a')
    expect(script.requests).toEqual([ask('a')])
    expect((await lm.generate({ messages })).text).toBe('to b')
  })

  it('that failed is asked for again', async () => {
    const lm = withCache(scriptedLM([new Error('odd'), new Error('odd'), { text: 'whole' }]))
    await expect(lm.generate(ask('a'))).rejects.toThrow('odd')
    await expect(collect(lm.stream(ask('a')))).rejects.toThrow('odd')
    expect((await lm.generate(ask('a'))).text).toBe('whole')
  })
})

describe('the same request under way', () => {
  const key = () => 'the same'

  it('is sent once for all who ask', async () => {
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
    expect(await whole).toMatchObject({ text: 'ab', finish: 'stop' })
    expect(held.asked).toEqual(['x'])
  })

  it('gives what was said to one who comes late, at once', async () => {
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

  it('streams what was asked for as a whole', async () => {
    const held = heldLM()
    const lm = withCache(held, { key })
    const whole = lm.generate(ask('x'))
    await aMoment()
    const stream = collect(lm.stream(ask('x')))
    await aMoment()
    held.answer({ finish: 'stop' })
    expect(await stream).toEqual([text('ab'), finish])
    await whole
  })

  it('goes on when one of them gives up, and stops when all have', async () => {
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

  it('says nothing more to one who gives up, whatever is there already', async () => {
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
      const heard: LMDelta[] = []
      const reading = (async () => {
        for await (const delta of lm.stream(ask('x'), { signal: controller.signal })) {
          heard.push(delta)
          await aMoment()
          controller.abort('enough')
        }
      })()
      await expect(reading).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
      expect(heard).toHaveLength(1)
    }
  })

  it('that all have left does not spoil the next one', async () => {
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

  it('is not sent for one who has given up already', async () => {
    const held = heldLM()
    const signal = AbortSignal.abort('enough')
    const lm = withCache(held, { key })
    await expect(lm.generate(ask('x'), { signal })).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
    await expect(collect(lm.stream(ask('x'), { signal }))).rejects.toMatchObject({ code: 'aborted' })
    expect(held.asked).toEqual([])
  })
})

describe('a store', () => {
  it('is shared by models that are told apart, and by the same model made twice', async () => {
    const store = createMemoryStore()
    const says = (text: string) => async () => Response.json({ choices: [{ message: { content: text }, finish_reason: 'stop' }] })
    const model = (name: string, text: string, headers?: Record<string, string>) =>
      createLM({ wire: openaiChat, baseURL: 'http://localhost/v1', model: name, headers, fetch: says(text) as typeof fetch })
    const ask1 = async (lm: LM) => (await withCache(lm, { store }).generate(ask('a'))).text
    expect(await ask1(model('one', 'I am one.'))).toBe('I am one.')
    expect(await ask1(model('two', 'I am two.'))).toBe('I am two.')
    expect(await ask1(model('one', 'I am a variant.', { 'x-variant': 'b' }))).toBe('I am a variant.')
    expect(await ask1(model('one', 'Again.', { 'X-Variant': 'b' }))).toBe('I am a variant.')
    expect(await ask1(withRetry(model('one', 'Again.')))).toBe('I am one.')
    expect(() => withCache({ ...model('two', 'Again.') }, { store })).toThrow('Pass a key')
    expect(await ask1(withFallback([model('one', 'Or two.'), model('two', '')]))).toBe('Or two.')
  })

  it('is not shared by a rescue in the common dialects and a rescue in none', async () => {
    const store = createMemoryStore()
    const tools = [
      { type: 'function' as const, function: { name: 'look', description: 'Look.', parameters: { type: 'object' } } },
    ]
    const leaked = '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>'
    const says = async () => Response.json({ choices: [{ message: { content: leaked }, finish_reason: 'stop' }] })
    const model = createLM({ wire: openaiChat, baseURL: 'http://localhost', model: 'm', fetch: says as typeof fetch })
    const callsOf = async (lm: LM) => (await withCache(lm, { store }).generate({ ...ask('a'), tools })).toolCalls.length
    expect(await callsOf(withRescue(model, { dialects: [] }))).toBe(0)
    expect(await callsOf(withRescue(model))).toBe(1)
  })

  it('needs a key around a model that nobody knows', () => {
    const own: LM = { generate: async () => ({ text: '', toolCalls: [] }) }
    expect(() => withCache(own, { store: createMemoryStore() })).toThrow('Pass a key of its own')
    expect(() => withCache(own)).not.toThrow()
  })

  it('of the caller is used, under keys of the caller', async () => {
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

  it('gives no reply under a key that is no text: other requests would have the same', async () => {
    const script = scriptedLM([{ text: 'Hi' }])
    const lm = withCache(script, { key: (() => undefined) as never })
    await expect(lm.generate(ask('a'))).rejects.toThrow('withCache: key must return a string')
    await expect(collect(lm.stream(ask('b')))).rejects.toThrow('withCache: key must return a string')
    expect(script.requests).toEqual([])
  })

  it('that fails makes the request fail', async () => {
    const store = { get: () => Promise.reject(new Error('disk')), set: () => {} }
    await expect(withCache(scriptedLM([{}]), { store, key: () => 'k' }).generate(ask('a'))).rejects.toThrow('disk')
  })

  it('in memory forgets what was not asked for the longest', () => {
    const store = createMemoryStore({ maxEntries: 2 })
    const response = { text: '', toolCalls: [] }
    store.set('a', response)
    store.set('b', response)
    store.get('a')
    store.set('c', response)
    expect([store.get('a'), store.get('b'), store.get('c')]).toEqual([response, undefined, response])
  })

  it('in memory needs room for one', () => {
    expect(() => createMemoryStore({ maxEntries: 0 })).toThrow(
      'createMemoryStore: maxEntries must be a whole number above 0, got 0.',
    )
  })
})

describe('requestDigest', () => {
  it('is the same for the same request, whatever the order of its keys', async () => {
    const one = { messages: [{ role: 'user', content: 'Hi' }], settings: { seed: 1, temperature: 0 } } as const
    const other = { settings: { temperature: 0, seed: 1 }, messages: [{ content: 'Hi', role: 'user' }] } as const
    expect(await requestDigest(one)).toBe(await requestDigest(other))
    expect(await requestDigest(one)).toMatch(/^[0-9a-f]{64}$/)
  })

  it('tells a key __proto__ from none', async () => {
    const options = JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>
    expect(await requestDigest({ ...ask('a'), providerOptions: options })).not.toBe(
      await requestDigest({ ...ask('a'), providerOptions: {} }),
    )
  })
})
