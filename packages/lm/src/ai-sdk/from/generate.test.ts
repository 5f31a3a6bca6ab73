import { describe, expect, it } from 'vitest'
import { wholeModel } from '../../../test/ai-sdk/model.ts'
import { createMemoryStore, withCache } from '../../index.ts'
import { fromAISDK } from '../index.ts'
import type { Json } from '../read.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const generate = (reply: Json) => fromAISDK(wholeModel(reply)).generate(request)
const call = (id: string, input = '{}') => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input })

describe('a value that is not a model', () => {
  it('is refused if it is a name, which only a gateway can resolve', () => {
    const failing = () => fromAISDK('openai/gpt-5' as never)
    expect(failing).toThrow(TypeError)
    expect(failing).toThrow(`fromAISDK: "openai/gpt-5" is a model name, which only the AI SDK's gateway can resolve.`)
  })

  it('is refused if it has another version, is an embedding model, or is missing', () => {
    const model = wholeModel({})
    for (const other of [{ ...model, specificationVersion: 'v9' }, { ...model, doGenerate: undefined }, {}, null, undefined])
      expect(() => fromAISDK(other as never)).toThrow('fromAISDK: model must be a language model of the AI SDK')
  })
})

it('needs a key in a cache store, because its names may also belong to another address', () => {
  const model = fromAISDK(wholeModel({}))
  expect(() => withCache(model, { store: createMemoryStore() })).toThrow('Pass a key that identifies it')
})

describe('a complete reply', () => {
  it('contains text, reasoning, calls, the raw finish reason, all tokens, and the raw reply', async () => {
    const response = await generate({
      content: [{ type: 'reasoning', text: 'Hm.' }, { type: 'text', text: 'Let me look.' }, call('a', '{"x":1}'), call('b')],
      finishReason: { unified: 'tool-calls', raw: 'tool_use' },
      usage: {
        inputTokens: { total: 10, noCache: 5, cacheRead: 4, cacheWrite: 1 },
        outputTokens: { total: 7, text: 4, reasoning: 3 },
      },
      response: { body: { id: 'r1' } },
    })
    expect(response).toEqual({
      text: 'Let me look.',
      reasoning: 'Hm.',
      toolCalls: [
        { id: 'a', name: 'look', arguments: '{"x":1}' },
        { id: 'b', name: 'look', arguments: '{}' },
      ],
      finishReason: 'tool-calls',
      rawFinishReason: 'tool_use',
      usage: { inputTokens: 10, outputTokens: 7, cacheReadTokens: 4, cacheWriteTokens: 1, reasoningTokens: 3 },
      raw: { id: 'r1' },
    })
  })

  it('can have version 2, with plain counts and a plain reason', async () => {
    const usage = { inputTokens: 10, outputTokens: 7, totalTokens: 17, reasoningTokens: 3, cachedInputTokens: 4 }
    const content = [{ type: 'text', text: 'Hi' }]
    const response = await fromAISDK(wholeModel({ content, usage, finishReason: 'length' }, 'v2')).generate(request)
    expect(response).toMatchObject({
      finishReason: 'length',
      usage: { inputTokens: 10, outputTokens: 7, cacheReadTokens: 4, reasoningTokens: 3 },
    })
  })

  it('keeps its calls for any finish reason, and gets the reason tool-calls if it has none', async () => {
    const content = [call('a')]
    const finishOf = async (finishReason: unknown) => (await generate({ content, finishReason })).finishReason
    expect(await finishOf({ unified: 'other', raw: undefined })).toBe('tool-calls')
    expect(await finishOf('unknown')).toBe('tool-calls')
    expect(await finishOf({ unified: 'stop', raw: 'stop' })).toBe('stop')
    expect(await finishOf({ unified: 'interrupted', raw: undefined })).toBe('error')
    expect(await finishOf({ unified: 'new_word', raw: undefined })).toBe('other')
    expect(await generate({ content: [], finishReason: 'new_word' })).toMatchObject({
      finishReason: 'other',
      rawFinishReason: 'new_word',
    })
  })

  it('marks only the last call if it was truncated', async () => {
    for (const unified of ['length', 'content-filter', 'error']) {
      const { toolCalls } = await generate({ content: [call('a'), call('b')], finishReason: { unified, raw: undefined } })
      expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
    }
  })

  it('has calls with unique ids, and keeps the raw id if another was generated', async () => {
    const { toolCalls } = await generate({ content: [call('a'), call('a'), call(''), { ...call(''), toolCallId: undefined }] })
    expect(toolCalls.map(({ id }) => id)).toEqual(['a', 'call_1_1', 'call_1_2', 'call_1_3'])
    expect(toolCalls.map(({ metadata }) => metadata)).toEqual([undefined, { 'ai-sdk': { id: 'a' } }, undefined, undefined])
  })

  it('can contain anything anywhere', async () => {
    const content = [
      null,
      1,
      'x',
      [],
      {},
      { type: 'text' },
      { type: 'tool-call' },
      { type: 'tool-call', input: { x: 1 } },
      { type: 7 },
    ]
    const response = await generate({ content, finishReason: 5, usage: null, warnings: 'no', providerMetadata: [] })
    expect(response.toolCalls).toMatchObject([{ name: '', arguments: '' }, { arguments: '{"x":1}' }])
    expect(await generate({ content: 'none' })).toMatchObject({ text: '', toolCalls: [] })
  })
})

describe('provider-executed calls', () => {
  const search = { ...call('s1', '{"query":"x"}'), providerExecuted: true }
  const result = { type: 'tool-result', toolCallId: 's1', toolName: 'look', result: [{ title: 'X' }] }

  it('are provider calls and never tool calls', async () => {
    const { toolCalls, providerCalls } = await generate({ content: [search, result, { type: 'text', text: 'Found.' }] })
    expect(toolCalls).toEqual([])
    expect(providerCalls).toEqual([{ type: 'tool-call', by: 'provider', id: 's1', name: 'look', raw: search }])
  })

  it('ask the client for an approval if they need one', async () => {
    const approval = { type: 'tool-approval-request', approvalId: 'p1', toolCallId: 's1' }
    const { providerCalls } = await generate({ content: [search, approval] })
    expect(providerCalls?.[1]).toEqual({ type: 'tool-approval-request', by: 'client', id: 'p1', raw: approval })
  })

  it('are kept with sources and files, as plain data', async () => {
    const source = { type: 'source', sourceType: 'url', id: '1', url: 'https://a.test' }
    const file = { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }
    const { metadata } = await generate({
      content: [search, result, file, source],
      providerMetadata: { acme: { id: 'r1' }, empty: {} },
    })
    expect(metadata).toEqual({
      'ai-sdk': {
        content: [
          { type: 'tool-call', toolCallId: 's1', toolName: 'look', input: { query: 'x' }, providerExecuted: true },
          { type: 'tool-result', toolCallId: 's1', toolName: 'look', output: { type: 'json', value: [{ title: 'X' }] } },
          { type: 'file', mediaType: 'image/png', data: { base64: 'AQID' } },
        ],
        sources: [source],
        providerMetadata: { acme: { id: 'r1' } },
      },
    })
  })
})

describe('metadata of another provider', () => {
  it('cannot be forged under our key', async () => {
    const providerMetadata = { '@x/lm': { metadata: { gemini: { signature: 'forged' } }, refusal: true } }
    const content = [
      { type: 'text', text: 'Hi', providerMetadata },
      { ...call('a'), providerMetadata },
    ]
    const response = await generate({ content })
    expect(response).toMatchObject({ text: 'Hi', toolCalls: [{ id: 'a' }] })
    expect([response.metadata, response.refusal, response.toolCalls[0]?.metadata]).toEqual([undefined, undefined, undefined])
  })
})

describe('warnings', () => {
  it('become losses, in the format of any version, once per model', async () => {
    const losses: unknown[] = []
    const warnings = [
      { type: 'unsupported', feature: 'temperature', details: 'reasoning models' },
      { type: 'compatibility', feature: 'specificationVersion' },
      { type: 'unsupported-setting', setting: 'stopSequences' },
      { type: 'unsupported-tool', tool: { type: 'function', name: 'look' } },
      { type: 'other', message: 'Odd.' },
    ]
    const lm = fromAISDK(wholeModel({ content: [], warnings }), { onLoss: (loss) => losses.push(loss) })
    for (let time = 0; time < 2; time++) await lm.generate(request)
    expect(losses).toEqual([
      { path: '/settings/temperature', keyword: 'temperature', action: 'dropped', note: 'reasoning models' },
      { path: '', keyword: 'specificationVersion', action: 'kept' },
      { path: '/settings/stop', keyword: 'stopSequences', action: 'dropped' },
      { path: '/tools', keyword: 'tool', action: 'dropped', tool: 'look' },
      { path: '', keyword: 'warning', action: 'kept', note: 'Odd.' },
    ])
  })
})
