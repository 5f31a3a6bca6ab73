/** Runs our models in the AI SDK's own loops, streamed and not: they run tools, retry, stop, and keep their metadata. */
import type { LM } from '@x/adapters'
import { LMError } from '@x/lm'
import { toAISDK } from '@x/lm/ai-sdk'
import { type ScriptedLM, scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { runStreamed, runWhole, textTool } from './loops.ts'

const weather = { id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}' }
const signed = { ...weather, metadata: { gemini: { signature: 'c2ln' } } }

/** Creates a tool, and a list of the cities that it was called with. */
function weatherTool() {
  const cities: string[] = []
  const lookUp = (city: string) => {
    cities.push(city)
    return { city, degrees: -7 }
  }
  return { cities, tools: { get_weather: textTool('city', lookUp) } }
}

/** Returns the messages of the last model request. */
const lastMessages = (lm: ScriptedLM) => lm.requests.at(-1)?.messages

describe.each([
  ['generateText', runWhole],
  ['streamText', runStreamed],
])('%s', (_name, run) => {
  it('runs a loop of two steps, which sends back the messages as the model wrote them', async () => {
    const lm = scriptedLM([
      { text: 'Let me look.', reasoning: 'Which city?', toolCalls: [signed], metadata: { gemini: { id: 7 } } },
      { text: 'Oslo: −7 °C.', usage: { inputTokens: 9, outputTokens: 3, cacheReadTokens: 4, reasoningTokens: 1 } },
    ])
    const { cities, tools } = weatherTool()
    const result = await run({ model: toAISDK(lm), tools, prompt: 'Oslo?', maxSteps: 3, temperature: 0.5 })
    expect(result.text).toBe('Oslo: −7 °C.')
    expect(result.usage).toMatchObject({ inputTokens: 9, outputTokens: 3, cachedInputTokens: 4, reasoningTokens: 1 })
    expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(cities).toEqual(['Oslo'])
    expect(lm.requests[0]).toMatchObject({ settings: { temperature: 0.5 }, toolChoice: 'auto' })
    expect(lm.requests[0]?.tools?.[0]?.function).toMatchObject({ name: 'get_weather', parameters: { required: ['city'] } })
    expect(lastMessages(lm)).toEqual([
      { role: 'user', content: 'Oslo?' },
      {
        ...{ role: 'assistant', content: 'Let me look.', reasoning: 'Which city?' },
        ...{ toolCalls: [signed], metadata: { gemini: { id: 7 } } },
      },
      { role: 'tool', callId: 'call_a', name: 'get_weather', content: '{"city":"Oslo","degrees":-7}' },
    ])
    lm.assertDone()
  })

  it('never runs a truncated call, even with valid JSON and a good finish reason', async () => {
    const { cities, tools } = weatherTool()
    const lm = scriptedLM([{ toolCalls: [{ ...weather, truncated: true }], finishReason: 'tool-calls' }])
    expect((await run({ model: toAISDK(lm), tools, prompt: 'Oslo?', maxSteps: 3 })).toolCalls).toEqual([])
    expect(cities).toEqual([])
  })

  it('shows a call of the provider as run by the provider, and does not run it', async () => {
    const { cities, tools } = weatherTool()
    const searched = { type: 'web_search_call', by: 'provider', id: 'ws_1', name: 'get_weather', raw: { city: 'Oslo' } } as const
    const lm = scriptedLM([{ text: 'Cold.', providerCalls: [searched] }])
    const { toolCalls } = await run({ model: toAISDK(lm), tools, prompt: 'Oslo?' })
    expect(toolCalls).toMatchObject([{ toolCallId: 'ws_1', providerExecuted: true }])
    expect(cities).toEqual([])
  })

  it('retries after a transient error', async () => {
    const busy = new LMError('http_error', 'host returned 429: slow down', { status: 429, retryable: true, retryAfterMs: 1 })
    const lm = scriptedLM([busy, { text: 'Now.' }])
    expect((await run({ model: toAISDK(lm), prompt: 'Hi' })).text).toBe('Now.')
    expect(lm.requests).toHaveLength(2)
  })

  it('does not retry after another error', async () => {
    const lm = scriptedLM([new LMError('http_error', 'host returned 401: no', { status: 401 }), { text: 'Now.' }])
    await expect(run({ model: toAISDK(lm), prompt: 'Hi' })).rejects.toThrow()
    expect(lm.requests).toHaveLength(1)
  })

  it('ends with the reason of an abort', async () => {
    const controller = new AbortController()
    const reason = Object.assign(new Error('enough'), { name: 'AbortError' })
    const generate: LM['generate'] = (_request, { signal } = {}) => {
      queueMicrotask(() => controller.abort(reason))
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    await expect(run({ model: toAISDK({ generate }), prompt: 'Hi', abortSignal: controller.signal })).rejects.toBe(reason)
  })

  it('sends images, results and error flags as parts, text and flags', async () => {
    const lm = scriptedLM([{ text: 'Seen.' }])
    const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10])
    const output = { type: 'error-text', value: 'No file.' }
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image', image: png },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'show', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'show', output }] },
    ]
    await run({ model: toAISDK(lm), messages })
    const image = { type: 'image', mediaType: 'image/png', source: { base64: 'iVBORw0KGgo=' } }
    expect(lastMessages(lm)).toEqual([
      { role: 'user', content: 'Look:\n[image/png]', parts: [{ type: 'text', text: 'Look:' }, image] },
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'show', arguments: '{}' }] },
      { role: 'tool', callId: 'a', name: 'show', content: 'No file.', isError: true },
    ])
  })
})
