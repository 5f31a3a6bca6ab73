import { collectDeltas, type LMDelta, type LMRequest, type Message } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { LMError } from './index.ts'
import { scriptedLM } from './testing.ts'

const ask = (content: string): LMRequest => ({ messages: [{ role: 'user', content }] })

async function collect(deltas: AsyncIterable<LMDelta>): Promise<LMDelta[]> {
  const list: LMDelta[] = []
  for await (const delta of deltas) list.push(delta)
  return list
}

describe('scriptedLM', () => {
  it('answers in the order of the script, and fills in missing fields', async () => {
    const call = { id: '1', name: 'search', arguments: '{}' }
    const lm = scriptedLM([{ toolCalls: [call] }, { text: 'Done.', finishReason: 'stop' }])
    expect(await lm.generate(ask('a'))).toEqual({ text: '', toolCalls: [call] })
    expect(await lm.generate(ask('b'))).toEqual({ text: 'Done.', toolCalls: [], finishReason: 'stop' })
  })

  it('calls a function with the request', async () => {
    const lm = scriptedLM([({ messages }) => ({ text: `You said ${messages.at(-1)?.content}.` })])
    expect((await lm.generate(ask('hello'))).text).toBe('You said hello.')
  })

  it('rejects with an error in the script, and continues after it', async () => {
    const error = new LMError('http_error', 'host returned 429', { status: 429 })
    const lm = scriptedLM([error, { text: 'again' }])
    await expect(lm.generate(ask('a'))).rejects.toBe(error)
    expect((await lm.generate(ask('a'))).text).toBe('again')
  })

  it('passes on what a function throws', async () => {
    const lm = scriptedLM([
      () => {
        throw new Error('odd')
      },
    ])
    await expect(lm.generate(ask('a'))).rejects.toThrow('odd')
  })

  it('records a snapshot of each request', async () => {
    const lm = scriptedLM([{ text: 'a' }, { text: 'b' }])
    const messages: Message[] = [{ role: 'user', content: 'first' }]
    await lm.generate({ messages })
    messages.push({ role: 'user', content: 'second' })
    await lm.generate({ messages })
    expect(lm.requests.map((request) => request.messages.length)).toEqual([1, 2])
    expect(lm.requests[1]?.messages[0]).toBe(messages[0])
  })

  it('streams text and arguments in pieces that add up to the reply', async () => {
    const reply = { text: 'A longer answer.', toolCalls: [{ id: '1', name: 'search', arguments: '{"q":"tea"}' }] }
    const deltas = await collect(scriptedLM([reply]).stream(ask('a')))
    expect(deltas.filter(({ type }) => type === 'text')).toHaveLength(4)
    expect(collectDeltas(deltas)).toEqual(reply)
  })

  it('streams from the same script as it generates', async () => {
    const lm = scriptedLM([{ text: 'a' }, { text: 'b' }])
    await collect(lm.stream(ask('1')))
    expect((await lm.generate(ask('2'))).text).toBe('b')
    expect(lm.requests).toHaveLength(2)
  })

  it('stops at an abort before a request, and between two pieces', async () => {
    const lm = scriptedLM([{ text: 'A longer answer.' }])
    const aborted = AbortSignal.abort(new Error('enough'))
    await expect(lm.generate(ask('a'), { signal: aborted })).rejects.toThrow('enough')
    expect(lm.requests).toEqual([])
    const controller = new AbortController()
    const reading = (async () => {
      for await (const _ of lm.stream(ask('a'), { signal: controller.signal })) controller.abort(new Error('enough'))
    })()
    await expect(reading).rejects.toThrow('enough')
  })
})

describe('script_drift', () => {
  it('is thrown for a request after the end of the script', async () => {
    const lm = scriptedLM([{ text: 'a' }])
    await lm.generate(ask('1'))
    const drift = {
      name: 'LMError',
      code: 'script_drift',
      message: 'The script has no reply for request 2, only for 1. Add a reply, or check why the run sends another request.',
    }
    await expect(lm.generate(ask('2'))).rejects.toMatchObject(drift)
    await expect(collect(lm.stream(ask('3')))).rejects.toMatchObject({ code: 'script_drift' })
  })

  it('is thrown for an unused reply', async () => {
    const lm = scriptedLM([{ text: 'a' }, { text: 'b' }])
    await lm.generate(ask('1'))
    expect(() => lm.assertDone()).toThrow('Only 1 of 2 replies in the script were used.')
    await lm.generate(ask('2'))
    expect(() => lm.assertDone()).not.toThrow()
  })
})
