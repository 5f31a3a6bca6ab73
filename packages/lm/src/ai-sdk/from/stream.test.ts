import { DeltaCollector, type LMDelta, type LMResponse } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { STOP, streamModel } from '../../../test/ai-sdk/model.ts'
import { LMError } from '../../errors.ts'
import { fromAISDK } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const FINISH = { type: 'finish', finishReason: STOP, usage: {} }
const start = (id: string) => ({ type: 'tool-input-start', id, toolName: 'look' })
const delta = (id: string, text: string) => ({ type: 'tool-input-delta', id, delta: text })
const call = (id: string, input: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input })

async function deltasOf(parts: readonly unknown[]): Promise<readonly LMDelta[]> {
  const deltas: LMDelta[] = []
  for await (const one of fromAISDK(streamModel(parts)).stream(request)) deltas.push(one)
  return deltas
}

async function responseOf(parts: readonly unknown[]): Promise<LMResponse> {
  const collector = new DeltaCollector()
  for (const one of await deltasOf(parts)) collector.push(one)
  return collector.response()
}

describe('a call in a stream', () => {
  it('arrives in pieces, and ends with the last piece', async () => {
    const parts = [
      start('a'),
      delta('a', '{"x"'),
      delta('a', ':1}'),
      { type: 'tool-input-end', id: 'a' },
      call('a', '{"x":1}'),
      FINISH,
    ]
    expect(await deltasOf(parts)).toEqual([
      { type: 'call_start', index: 0, id: 'a', name: 'look' },
      { type: 'arguments', index: 0, text: '{"x"' },
      { type: 'arguments', index: 0, text: ':1}' },
      { type: 'call_end', index: 0 },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'end_turn' },
    ])
  })

  it('can arrive without pieces', async () => {
    expect((await deltasOf([call('a', '{"x":1}'), FINISH])).slice(0, 3)).toEqual([
      { type: 'call_start', index: 0, id: 'a', name: 'look' },
      { type: 'arguments', index: 0, text: '{"x":1}' },
      { type: 'call_end', index: 0 },
    ])
  })

  it('has the complete text at its end if the pieces differ from it', async () => {
    const { toolCalls } = await responseOf([start('a'), delta('a', 'patch'), call('a', '"patch"'), FINISH])
    expect(toolCalls).toEqual([{ id: 'a', name: 'look', arguments: '"patch"' }])
  })

  it('can be interleaved with other calls', async () => {
    const parts = [
      start('a'),
      start('b'),
      delta('b', '{"x":2}'),
      delta('a', '{"x":1}'),
      call('b', '{"x":2}'),
      call('a', '{"x":1}'),
      FINISH,
    ]
    const { toolCalls } = await responseOf(parts)
    expect(toolCalls).toEqual([
      { id: 'a', name: 'look', arguments: '{"x":1}' },
      { id: 'b', name: 'look', arguments: '{"x":2}' },
    ])
  })

  it('is truncated if it never arrives completely', async () => {
    const { toolCalls } = await responseOf([start('a'), delta('a', '{"x":1}'), FINISH])
    expect(toolCalls).toEqual([{ id: 'a', name: 'look', arguments: '{"x":1}', truncated: true }])
  })

  it('is marked only if it is the last one of a truncated reply', async () => {
    const cut = { ...FINISH, finishReason: { unified: 'length', raw: 'max_tokens' } }
    const { toolCalls } = await responseOf([call('a', '{}'), call('b', '{}'), cut])
    expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
  })

  it('has a unique id even if the provider repeats one', async () => {
    const { toolCalls } = await responseOf([start('a'), start('a'), call('a', '{}'), call('a', '{}'), FINISH])
    expect(toolCalls.map(({ id, truncated }) => [id, truncated])).toEqual([
      ['a', true],
      ['call_1_1', undefined],
      ['call_1_2', undefined],
    ])
  })

  it('is not a tool call if the provider executes it, and is truncated if it was announced as one', async () => {
    const run = { ...call('s', '{"q":1}'), providerExecuted: true }
    const quiet = await responseOf([{ ...start('s'), providerExecuted: true }, delta('s', '{"q":1}'), run, FINISH])
    expect(quiet).toMatchObject({ toolCalls: [], providerCalls: [{ type: 'tool-call', by: 'provider', id: 's', raw: run }] })
    const announced = await responseOf([start('s'), delta('s', '{"q":1}'), run, FINISH])
    expect(announced).toMatchObject({ toolCalls: [{ id: 's', truncated: true }], providerCalls: [{ id: 's' }] })
  })
})

describe('metadata in a stream', () => {
  it("applies to the whole block if it comes at the block's end", async () => {
    const signature = { acme: { signature: 'c2ln' } }
    const parts = [
      { type: 'reasoning-start', id: '0', providerMetadata: { acme: {} } },
      { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
      { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: signature },
      { type: 'reasoning-end', id: '0' },
      { ...call('a', '{}'), providerMetadata: { acme: { thought: 1 } } },
      FINISH,
    ]
    const { reasoning, metadata, toolCalls } = await responseOf(parts)
    expect(reasoning).toBe('Hm.')
    expect(toolCalls[0]?.metadata).toEqual({ 'ai-sdk': { providerOptions: { acme: { thought: 1 } } } })
    const content = [
      { type: 'reasoning', text: 'Hm.', providerOptions: signature },
      { type: 'tool-call', toolCallId: 'a' },
    ]
    expect(metadata).toEqual({ 'ai-sdk': { content } })
  })

  it('is absent if text and calls contain everything: an empty block, raw parts', async () => {
    const text = [
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: '' },
      { type: 'text-end', id: '0' },
    ]
    const others = [
      { type: 'stream-start', warnings: [] },
      { type: 'raw', rawValue: 1 },
      { type: 'response-metadata', id: 'r' },
      { type: 'ping' },
    ]
    expect(await responseOf([...others, ...text, call('a', '{}'), FINISH])).toEqual({
      text: '',
      toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }],
      finishReason: 'stop',
      rawFinishReason: 'end_turn',
    })
  })
})

describe('the end of a stream', () => {
  it('is the finishReason, and nothing after it counts', async () => {
    const { text, toolCalls } = await responseOf([FINISH, { type: 'text-delta', id: '0', delta: 'Hi' }, call('a', '{}'), FINISH])
    expect([text, toolCalls]).toEqual(['', []])
  })

  it('is an error without a reason, and the last call may then be incomplete', async () => {
    const stopped = { ...FINISH, finishReason: { unified: 'other', raw: undefined } }
    const { finishReason, toolCalls } = await responseOf([call('a', '{}'), stopped])
    expect([finishReason, toolCalls[0]?.truncated]).toEqual(['error', true])
  })

  it('is an invalid reply if the finish is missing', async () => {
    await expect(deltasOf([{ type: 'text-delta', id: '0', delta: 'Hi' }])).rejects.toMatchObject({
      code: 'invalid_reply',
      message: 'acme.chat (m) ended the stream before the reply was complete.',
    })
  })

  it('can be an error, in any form', async () => {
    const failing = (error: unknown) =>
      deltasOf([
        { type: 'text-delta', id: '0', delta: 'Hi' },
        { type: 'error', error },
      ])
    await expect(failing({ type: 'overloaded_error', message: 'Busy.' })).rejects.toMatchObject({
      code: 'provider_error',
      providerCode: 'overloaded_error',
      retryable: true,
      message: 'acme.chat (m) failed: Busy.',
    })
    for (const error of ['Busy.', new Error('Busy.'), { error: { message: 'Busy.' } }])
      await expect(failing(error)).rejects.toMatchObject({ message: 'acme.chat (m) failed: Busy.', retryable: false })
    for (const error of [undefined, null, 7, []]) await expect(failing(error)).rejects.toBeInstanceOf(LMError)
  })

  it('is not awaited if the reader stops, which cancels the reply', async () => {
    let isCancelled = false
    const model = streamModel([{ type: 'text-delta', id: '0', delta: 'Hi' }, FINISH], () => {
      isCancelled = true
    })
    for await (const { type } of fromAISDK(model).stream(request)) if (type === 'text') break
    expect(isCancelled).toBe(true)
  })

  it('can be an abort, which is passed on and reported as an abort', async () => {
    const controller = new AbortController()
    const model = streamModel([{ type: 'text-delta', id: '0', delta: 'Hi' }, { type: 'text-delta', id: '0', delta: '!' }, FINISH])
    const reading = async () => {
      for await (const one of fromAISDK(model).stream(request, { signal: controller.signal }))
        if (one.type === 'text') controller.abort()
    }
    await expect(reading()).rejects.toMatchObject({ code: 'aborted', message: 'The request to acme.chat (m) was aborted.' })
    expect(model.calls[0]?.abortSignal).toBe(controller.signal)
  })
})
