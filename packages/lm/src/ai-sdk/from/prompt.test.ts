import type { Message } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { wholeModel } from '../../../test/ai-sdk/model.ts'
import { fromAISDK } from '../index.ts'
import type { Json } from '../read.ts'
import { createToPrompt } from './prompt.ts'
import { VERSIONS, type Version } from './versions.ts'

const version = (name: string) => VERSIONS.get(name) as Version
const user: Message = { role: 'user', content: 'Hi' }
const base64 = 'AQID'

function promptOf(messages: readonly Message[], name = 'v3') {
  const losses: unknown[] = []
  const prompt = createToPrompt(version(name))(messages, (loss) => losses.push(loss))
  return { prompt, losses }
}
const contentOf = (message: Message, name = 'v3') => promptOf([message], name).prompt[0]?.content

describe('messages', () => {
  it('become a prompt in which the results of a turn are one message, with their errors', () => {
    const calls = [
      { id: 'a', name: 'look', arguments: '{"x":1}' },
      { id: 'b', name: 'look', arguments: '' },
    ]
    const messages: Message[] = [
      { role: 'system', content: 'Be brief.' },
      user,
      { role: 'assistant', content: 'Let me look.', reasoning: 'Hm.', toolCalls: calls },
      { role: 'tool', callId: 'a', name: 'look', content: '{"y":2}' },
      { role: 'tool', callId: 'b', name: 'look', content: 'No.', isError: true },
      user,
    ]
    const hi = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
    expect(promptOf(messages)).toEqual({
      losses: [],
      prompt: [
        { role: 'system', content: 'Be brief.' },
        hi,
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'Let me look.' },
            { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { x: 1 } },
            { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'text', value: '{"y":2}' } },
            { type: 'tool-result', toolCallId: 'b', toolName: 'look', output: { type: 'error-text', value: 'No.' } },
          ],
        },
        hi,
      ],
    })
  })

  it('contain images and files in the format of each version', () => {
    const url = 'https://a.test/b.png'
    const message: Message = {
      role: 'user',
      content: 'Look',
      parts: [
        { type: 'text', text: 'Look' },
        { type: 'image', mediaType: 'image/png', source: { base64 } },
        { type: 'file', mediaType: 'application/pdf', source: { url }, name: 'b.pdf' },
      ],
    }
    const text = { type: 'text', text: 'Look' }
    const v3 = [
      text,
      { type: 'file', mediaType: 'image/png', data: base64 },
      { type: 'file', mediaType: 'application/pdf', data: new URL(url), filename: 'b.pdf' },
    ]
    expect(contentOf(message)).toEqual(v3)
    expect(contentOf(message, 'v2')).toEqual(v3)
    expect(contentOf(message, 'v4')).toEqual([
      text,
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: base64 } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: new URL(url) }, filename: 'b.pdf' },
    ])
  })

  it('contain result parts in the format of each version, and name those without a field', () => {
    const url = 'https://a.test/b'
    const message: Message = {
      ...{ role: 'tool', callId: 'a', name: 'look', content: '' },
      parts: [
        { type: 'text', text: 'Here:' },
        { type: 'image', mediaType: 'image/png', source: { base64 } },
        { type: 'file', mediaType: 'text/csv', source: { base64 }, name: 'b.csv' },
        { type: 'image', mediaType: 'image/png', source: { url } },
        { type: 'file', mediaType: 'text/csv', source: { url } },
      ],
    }
    const valuesIn = (name: string) =>
      (contentOf(message, name) as Json[]).flatMap(({ output }) => (output as { value: Json[] }).value)
    const text = { type: 'text', text: 'Here:' }
    expect(valuesIn('v3')).toEqual([
      text,
      { type: 'image-data', data: base64, mediaType: 'image/png' },
      { type: 'file-data', data: base64, mediaType: 'text/csv', filename: 'b.csv' },
      { type: 'image-url', url },
      { type: 'file-url', url, mediaType: 'text/csv' },
    ])
    expect(valuesIn('v4')[3]).toEqual({ type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL(url) } })
    expect(valuesIn('v2').slice(2)).toEqual([
      { type: 'media', data: base64, mediaType: 'text/csv' },
      { type: 'text', text: '[image/png]' },
      { type: 'text', text: '[text/csv]' },
    ])
    expect(promptOf([message], 'v2').losses).toMatchObject([{ path: '/messages/0/parts/3' }, { path: '/messages/0/parts/4' }])
  })

  it('name a part with an invalid URL, and report it', () => {
    const parts = [{ type: 'image', mediaType: 'image/png', source: { url: 'not a URL' } }] as const
    const { prompt, losses } = promptOf([user, { role: 'user', content: '', parts }])
    expect(prompt[1]?.content).toEqual([{ type: 'text', text: '[image/png]' }])
    expect(losses).toEqual([
      { path: '/messages/1/parts/0', keyword: 'image', action: 'dropped', note: 'its address is not a valid URL' },
    ])
  })

  it('lose arguments that are not an object, at any depth, and report it', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    for (const text of ['{"x":', '[1]', '"x"', 'null', `{"x":${deep}}`, '{"x":1} more']) {
      const { prompt, losses } = promptOf([
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look', arguments: text }] },
      ])
      expect(prompt[0]?.content).toEqual([{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} }])
      expect(losses).toMatchObject([{ path: '/messages/0/toolCalls/0/arguments', keyword: 'arguments', action: 'dropped' }])
    }
  })

  it('are converted once, but their losses are reported each time', () => {
    const toPrompt = createToPrompt(version('v3'))
    const messages: Message[] = [user, { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{' }] }]
    const losses: unknown[] = []
    const [first, second] = [
      toPrompt(messages, (loss) => losses.push(loss)),
      toPrompt([...messages, user], (loss) => losses.push(loss)),
    ]
    expect(second[1]).toBe(first[1])
    expect(losses).toHaveLength(2)
  })
})

describe('data that a provider needs back', () => {
  const signed = (signature: string) => ({ acme: { signature } })
  const content = [
    { type: 'reasoning', text: 'Hm.', providerMetadata: signed('r') },
    { type: 'text', text: 'Let me ', providerMetadata: signed('t') },
    {
      type: 'tool-call',
      toolCallId: 's',
      toolName: 'search',
      input: '{"q":1}',
      providerExecuted: true,
      providerMetadata: signed('s'),
    },
    { type: 'tool-result', toolCallId: 's', toolName: 'search', result: 'X', isError: true },
    { type: 'text', text: 'look.' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"x":1}', providerMetadata: signed('c') },
    { type: 'file', mediaType: 'image/png', data: base64 },
  ]
  const reasoning = { type: 'reasoning', text: 'Hm.', providerOptions: signed('r') }
  const search = [
    {
      type: 'tool-call',
      toolCallId: 's',
      toolName: 'search',
      input: { q: 1 },
      providerExecuted: true,
      providerOptions: signed('s'),
    },
    { type: 'tool-result', toolCallId: 's', toolName: 'search', output: { type: 'error-text', value: 'X' } },
  ]
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { x: 1 }, providerOptions: signed('c') }
  const file = { type: 'file', mediaType: 'image/png', data: base64 }

  async function turn() {
    const {
      text,
      reasoning: thought,
      toolCalls,
      metadata,
    } = await fromAISDK(wholeModel({ content })).generate({ messages: [user] })
    return {
      role: 'assistant',
      content: text,
      reasoning: thought,
      toolCalls,
      metadata: JSON.parse(JSON.stringify(metadata)),
    } as const
  }

  it('is sent back unchanged and in its place, even after it was stored as JSON', async () => {
    const texts = [
      { type: 'text', text: 'Let me ', providerOptions: signed('t') },
      { type: 'text', text: 'look.' },
    ] as const
    expect(contentOf(await turn())).toEqual([reasoning, texts[0], ...search, texts[1], call, file])
  })

  it('is sent back in the format of version 4', async () => {
    const parts = contentOf(await turn(), 'v4') as Json[]
    expect(parts.at(-1)).toEqual({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: base64 } })
  })

  it('is sent back beside text and calls that were edited', async () => {
    const message = await turn()
    const text = { type: 'text', text: 'Edited.' }
    expect(contentOf({ ...message, content: 'Edited.' })).toEqual([reasoning, ...search, file, text, call])
    const without = contentOf({ ...message, toolCalls: [] })
    expect(without).toEqual([reasoning, ...search, file, { type: 'text', text: 'Let me look.' }])
  })

  it("is not read from another wire's metadata, and may be malformed", () => {
    const plain = [{ type: 'text', text: 'A' }]
    for (const metadata of [
      { gemini: { content: [] } },
      { 'ai-sdk': null },
      { 'ai-sdk': { content: 'x' } },
      { 'ai-sdk': { content: [null] } },
    ])
      expect(contentOf({ role: 'assistant', content: 'A', metadata })).toEqual(plain)
  })
})
