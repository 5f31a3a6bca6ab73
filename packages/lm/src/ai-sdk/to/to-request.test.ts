import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { scriptedLM } from '../../testing.ts'
import { toAISDK } from '../index.ts'

const user: LanguageModelV3Prompt[number] = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }

async function requestOf(options: Partial<LanguageModelV3CallOptions>) {
  const lm = scriptedLM([{}])
  const { warnings } = await toAISDK(lm, { provider: 'acme.chat' }).doGenerate({ prompt: [user], ...options })
  const { messages, ...rest } = lm.requests[0] ?? { messages: [] }
  return { messages, rest, warned: warnings.map((warning) => (warning.type === 'other' ? warning.message : warning.feature)) }
}

describe('call options', () => {
  it("become settings, a format, and only this provider's options", async () => {
    const settings = {
      temperature: 0,
      topP: 0.5,
      topK: 4,
      maxOutputTokens: 9,
      seed: 1,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    }
    const schema = { type: 'object' } as const
    const { rest, warned } = await requestOf({
      ...{ ...settings, stopSequences: ['END'] },
      responseFormat: { type: 'json', schema, name: 'reply' },
      providerOptions: { acme: { service_tier: 'flex' }, openai: { user: 'ada' } },
    })
    expect(rest).toEqual({
      settings: { ...settings, stop: ['END'] },
      responseFormat: { type: 'json', schema, name: 'reply' },
      providerOptions: { service_tier: 'flex' },
    })
    expect(warned).toEqual([])
    expect((await requestOf({ responseFormat: { type: 'text' } })).rest).toEqual({})
  })

  it('become tools, a choice, and strict mode if all tools set it', async () => {
    const inputSchema = { type: 'object' } as const
    const tool = (name: string, strict?: boolean) => ({ type: 'function' as const, name, inputSchema, ...(strict && { strict }) })
    const { rest } = await requestOf({ tools: [tool('look', true)], toolChoice: { type: 'tool', toolName: 'look' } })
    expect(rest).toEqual({
      tools: [{ type: 'function', function: { name: 'look', description: '', parameters: inputSchema } }],
      toolChoice: { name: 'look' },
      strictTools: true,
    })
    const mixed = await requestOf({ tools: [tool('look', true), tool('see')], toolChoice: { type: 'required' } })
    expect([mixed.rest.strictTools, mixed.rest.toolChoice, mixed.warned]).toEqual([undefined, 'required', ['strict']])
  })

  it('cause a warning if there is no field for them', async () => {
    const { rest, warned } = await requestOf({
      tools: [
        { type: 'provider', id: 'openai.web_search', name: 'search', args: {} },
        { type: 'function', name: 'look', inputSchema: {}, inputExamples: [{ input: {} }] },
      ],
      headers: { 'User-Agent': 'ai/6', 'x-team': 'a' },
      includeRawChunks: true,
    })
    expect(rest.tools).toHaveLength(1)
    expect(warned).toEqual(['includeRawChunks', 'headers', 'provider tool openai.web_search', 'inputExamples'])
  })
})

describe('a prompt', () => {
  it('becomes messages, with one message for each result', async () => {
    const output = (value: object) => ({ type: 'tool-result', toolCallId: 'a', toolName: 'look', output: value }) as never
    const { messages } = await requestOf({
      prompt: [
        { role: 'system', content: 'Be brief.' },
        user,
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'A' },
            { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { x: 1 } },
          ],
        },
        {
          role: 'tool',
          content: [
            output({ type: 'text', value: 'T' }),
            output({ type: 'json', value: { y: 1 } }),
            output({ type: 'error-json', value: [1] }),
            output({ type: 'execution-denied', reason: 'Not now.' }),
          ],
        },
      ],
    })
    const result = { role: 'tool', callId: 'a', name: 'look' }
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'A', toolCalls: [{ id: 'a', name: 'look', arguments: '{"x":1}' }] },
      { ...result, content: 'T' },
      { ...result, content: '{"y":1}' },
      { ...result, content: '[1]', isError: true },
      { ...result, content: 'Not now.', isError: true },
    ])
  })

  it('contains files as parts, in any form', async () => {
    const url = 'https://a.test/b'
    const file = (data: unknown, mediaType: string) => ({ type: 'file', data, mediaType, filename: 'b' }) as never
    const { messages } = await requestOf({
      prompt: [
        {
          role: 'user',
          content: [file(new Uint8Array(20_000), 'image/png'), file('AQID', 'text/csv'), file(new URL(url), 'image/*')],
        },
      ],
    })
    expect(messages).toEqual([
      {
        role: 'user',
        content: '[image/png]\n[b, text/csv]\n[image/*]',
        parts: [
          { type: 'image', mediaType: 'image/png', source: { base64: Buffer.alloc(20_000).toString('base64') } },
          { type: 'file', mediaType: 'text/csv', source: { base64: 'AQID' }, name: 'b' },
          { type: 'image', mediaType: 'image/*', source: { url } },
        ],
      },
    ])
  })

  it('contains results with parts, and names those that only another provider can read', async () => {
    const value = [
      { type: 'text', text: 'Here:' },
      { type: 'image-data', data: 'AQID', mediaType: 'image/png' },
      { type: 'file-url', url: 'https://a.test/b' },
      { type: 'file-id', fileId: 'f1' },
    ]
    const part = { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'content', value } } as never
    const approval = { type: 'tool-approval-response', approvalId: 'p', approved: true } as const
    const { messages, warned } = await requestOf({ prompt: [{ role: 'tool', content: [part, approval] }] })
    expect(messages).toMatchObject([
      { content: 'Here:\n[image/png]\n[application/octet-stream]\n[file-id]', parts: { length: 4 } },
    ])
    expect(warned).toEqual(['tool result part file-id', 'tool-approval-response'])
  })

  it('keeps what another provider needs back, for AI SDK models', async () => {
    const providerOptions = { anthropic: { signature: 'c2ln' } }
    const reasoning = { type: 'reasoning', text: 'R', providerOptions } as const
    const { messages } = await requestOf({ prompt: [{ role: 'assistant', content: [reasoning, { type: 'text', text: 'A' }] }] })
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: 'A',
        reasoning: 'R',
        metadata: { 'ai-sdk': { content: [reasoning, { type: 'text', text: 'A' }] } },
      },
    ])
  })
})
