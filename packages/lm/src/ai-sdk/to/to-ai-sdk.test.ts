import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { LM, LMDelta } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { LMError } from '../../errors.ts'
import { scriptedLM } from '../../testing.ts'
import { toAISDK } from '../index.ts'

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }]
const call = { id: 'a', name: 'look', arguments: '{"x":1}' }
const streaming = (deltas: readonly (LMDelta | Error)[], onReturn = () => {}): LM => ({
  generate: () => Promise.reject(new Error('not whole')),
  async *stream() {
    try {
      for (const delta of deltas) {
        if (delta instanceof Error) throw delta
        yield delta
      }
    } finally {
      onReturn()
    }
  },
})

async function partsOf(lm: LM): Promise<LanguageModelV3StreamPart[]> {
  const { stream } = await toAISDK(lm).doStream({ prompt })
  const parts: LanguageModelV3StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

it('refuses a value that is not an LM', () => {
  for (const other of [undefined, null, {}, 'openai/gpt-5'])
    expect(() => toAISDK(other as never)).toThrow('toAISDK: lm must be an LM with a generate method, got ')
})

it('has the given provider and model id', () => {
  const lm = scriptedLM([])
  expect(toAISDK(lm)).toMatchObject({ specificationVersion: 'v3', provider: 'x', modelId: 'lm', supportedUrls: {} })
  expect(toAISDK(lm, { provider: 'acme', modelId: 'm' })).toMatchObject({ provider: 'acme', modelId: 'm' })
})

describe('a complete reply', () => {
  it('contains JSON as the input of a call that the provider executed, even if its data is not JSON', async () => {
    const raw: { self?: unknown } = {}
    raw.self = raw
    const lm = scriptedLM([{ text: '', providerCalls: [{ type: 'search', by: 'provider', id: 's', raw }] }])
    const [part] = (await toAISDK(lm).doGenerate({ prompt })).content
    expect(part?.type === 'tool-call' && JSON.parse(part.input)).toBe('(cannot be written as JSON)')
  })

  it('contains content, the finish reason with its raw value, all tokens and the raw reply', async () => {
    const usage = { inputTokens: 10, outputTokens: 7, cacheReadTokens: 4, cacheWriteTokens: 1, reasoningTokens: 3 }
    const lm = scriptedLM([
      {
        text: 'A',
        reasoning: 'R',
        toolCalls: [call],
        finishReason: 'tool-calls',
        rawFinishReason: 'tool_use',
        usage,
        raw: { id: 1 },
      },
    ])
    expect(await toAISDK(lm).doGenerate({ prompt })).toEqual({
      content: [
        { type: 'reasoning', text: 'R' },
        { type: 'text', text: 'A' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"x":1}' },
      ],
      finishReason: { unified: 'tool-calls', raw: 'tool_use' },
      usage: {
        inputTokens: { total: 10, noCache: 5, cacheRead: 4, cacheWrite: 1 },
        outputTokens: { total: 7, text: 4, reasoning: 3 },
      },
      warnings: [],
      response: { body: { id: 1 } },
    })
  })

  it('has the reason tool-calls if it has complete calls, and stop if it has no reason', async () => {
    const reasonOf = async (reply: object) => (await toAISDK(scriptedLM([reply])).doGenerate({ prompt })).finishReason.unified
    expect(await reasonOf({ toolCalls: [call] })).toBe('tool-calls')
    expect(await reasonOf({ toolCalls: [call], finishReason: 'other' })).toBe('tool-calls')
    expect(await reasonOf({ toolCalls: [{ ...call, truncated: true }], finishReason: 'length' })).toBe('length')
    expect(await reasonOf({ text: 'A' })).toBe('stop')
  })

  it('rejects with a retryable error for a transient error', async () => {
    const failing = toAISDK(scriptedLM([{ error: { message: 'Busy.', code: 'overloaded_error' } }])).doGenerate({ prompt })
    await expect(failing).rejects.toMatchObject({ name: 'AI_APICallError', isRetryable: true })
  })

  it('rejects for any other error', async () => {
    const failing = toAISDK(scriptedLM([{ error: { message: 'Busy.', code: 'busy' } }])).doGenerate({ prompt })
    await expect(failing).rejects.toMatchObject({ name: 'AI_APICallError', message: 'x reported an error: Busy.' })
  })
})

describe('a streamed reply', () => {
  it('starts and ends each block, and ends with the finish', async () => {
    const deltas: LMDelta[] = [
      { type: 'reasoning', text: 'R' },
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B' },
      { type: 'call_start', index: 0, id: 'a', name: 'look' },
      { type: 'arguments', index: 0, text: '{"x"' },
      { type: 'arguments', index: 0, text: ':1}' },
      { type: 'call_end', index: 0 },
      { type: 'usage', usage: { inputTokens: 1 } },
      { type: 'finish', finishReason: 'stop' },
    ]
    expect(await partsOf(streaming(deltas))).toMatchObject([
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'R' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'A' },
      { type: 'text-delta', id: '1', delta: 'B' },
      { type: 'text-end', id: '1' },
      { type: 'tool-input-start', id: 'a', toolName: 'look' },
      { type: 'tool-input-delta', id: 'a', delta: '{"x"' },
      { type: 'tool-input-delta', id: 'a', delta: ':1}' },
      { type: 'tool-input-end', id: 'a' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"x":1}' },
      { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: { inputTokens: { total: 1 } } },
    ])
  })

  it('consists of the complete reply in parts if the model does not stream', async () => {
    const types = (await partsOf({ generate: async () => ({ text: 'A', toolCalls: [] }) })).map(({ type }) => type)
    expect(types).toEqual(['stream-start', 'text-start', 'text-delta', 'text-end', 'finish'])
  })

  it('leaves out calls that are truncated or never end', async () => {
    const start = { type: 'call_start', index: 0, id: 'a', name: 'look' } as const
    for (const end of [[], [{ type: 'call_end', index: 0, truncated: true } as const]]) {
      const types = (await partsOf(streaming([start, ...end]))).map(({ type }) => type)
      expect(types).toEqual(['stream-start', 'tool-input-start', 'tool-input-end', 'reasoning-start', 'reasoning-end', 'finish'])
    }
  })

  it('rejects if it fails at once, and contains an error part if it fails later', async () => {
    const error = new LMError('http_error', 'host returned 429: no', { status: 429, retryable: true })
    await expect(toAISDK(streaming([error])).doStream({ prompt })).rejects.toMatchObject({ statusCode: 429, isRetryable: true })
    for (const late of [error, { type: 'error', error: { message: 'no' } } as const]) {
      const parts = await partsOf(streaming([{ type: 'text', text: 'A' }, late]))
      expect(parts.slice(-3)).toMatchObject([
        { type: 'error', error: { name: 'AI_APICallError' } },
        { type: 'text-end' },
        { type: 'finish', finishReason: { unified: 'error' } },
      ])
    }
  })

  it('rejects for an error value before any content, retryable if the error is transient', async () => {
    const usage: LMDelta = { type: 'usage', usage: { inputTokens: 1 } }
    for (const [code, isRetryable] of [
      ['overloaded_error', true],
      ['invalid_request_error', false],
    ] as const) {
      const lm = streaming([usage, { type: 'error', error: { message: 'No.', code } }])
      await expect(toAISDK(lm).doStream({ prompt })).rejects.toMatchObject({ message: 'x reported an error: No.', isRetryable })
    }
  })

  it('is closed when the reader stops', async () => {
    let isOver = false
    const { stream } = await toAISDK(
      streaming(
        [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
        () => (isOver = true),
      ),
    ).doStream({ prompt })
    await stream.cancel()
    expect(isOver).toBe(true)
  })

  it('fails with the reason of an abort, and is closed', async () => {
    const controller = new AbortController()
    let isOver = false
    const texts = ['A', 'B', 'C'].map((text): LMDelta => ({ type: 'text', text }))
    const lm = streaming(texts, () => (isOver = true))
    const { stream } = await toAISDK(lm).doStream({ prompt, abortSignal: controller.signal })
    const reason = new Error('enough')
    const reading = async () => {
      for await (const { type } of stream) if (type === 'text-delta') controller.abort(reason)
    }
    await expect(reading()).rejects.toBe(reason)
    expect(isOver).toBe(true)
  })
})
