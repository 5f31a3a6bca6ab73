import { describe, expect, it } from 'vitest'
import type { LMRequest, Message } from '../../index.ts'
import type { Loss } from '../../shaping/loss.ts'
import { openaiChatHosts, openaiChatProfiles } from './host-wires.ts'
import { defineOpenAIChatHost, openaiChat } from './wire.ts'

type Request = Partial<LMRequest>
const user: Message = { role: 'user', content: 'Hello' }
const tool = { type: 'function', function: { name: 'search', description: 'Searches.', parameters: { type: 'object' } } } as const

function encode(wire: typeof openaiChat, request: Request, stream = false) {
  const losses: Loss[] = []
  const body = wire.encode({ messages: [user], ...request }, 'm', { stream, onLoss: (loss) => losses.push(loss) })
  return { body, losses }
}

describe('the wire formats of hosts', () => {
  it('have distinct names, and base URLs', () => {
    const names = Object.values(openaiChatHosts).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const [key, { name, baseURL }] of Object.entries(openaiChatProfiles)) {
      expect(openaiChatHosts[key as 'groq'].name).toBe(name)
      expect(name).toMatch(/^openai-chat:[a-z-]+$/)
      expect(URL.canParse(baseURL)).toBe(true)
    }
  })

  it('write the output limit under the name that the host uses', () => {
    const limit = (wire: typeof openaiChat) => Object.keys(encode(wire, { settings: { maxOutputTokens: 9 } }).body).at(-1)
    expect(limit(openaiChat)).toBe('max_completion_tokens')
    expect(limit(openaiChatHosts.groq)).toBe('max_completion_tokens')
    for (const key of ['deepseek', 'together', 'fireworks', 'openrouter', 'alibaba', 'vllm', 'llamaCpp', 'lmStudio'] as const)
      expect(limit(openaiChatHosts[key]), key).toBe('max_tokens')
  })

  it('send topK if the host supports it, and otherwise report it', () => {
    const lost = [{ path: '/settings/topK', keyword: 'topK', action: 'dropped' }]
    expect(encode(openaiChatHosts.vllm, { settings: { topK: 5 } })).toMatchObject({ body: { top_k: 5 }, losses: [] })
    expect(encode(openaiChat, { settings: { topK: 5 } }).losses).toEqual(lost)
    expect(encode(openaiChatHosts.deepseek, { settings: { seed: 5 } }).losses).toMatchObject([{ keyword: 'seed' }])
  })

  it("send the next weaker tool choice if the host doesn't support the choice", () => {
    const choose = (key: keyof typeof openaiChatHosts, toolChoice: LMRequest['toolChoice']) =>
      encode(openaiChatHosts[key], { tools: [tool], toolChoice })
    expect(choose('lmStudio', { name: 'search' })).toMatchObject({
      body: { tool_choice: 'required' },
      losses: [{ path: '/toolChoice', keyword: 'named', action: 'refused', note: 'sent as required' }],
    })
    expect(choose('moonshot', { name: 'search' }).body.tool_choice).toBe('auto')
    expect(choose('moonshot', 'required')).toMatchObject({ body: { tool_choice: 'auto' }, losses: [{ keyword: 'required' }] })
    expect(choose('alibaba', { name: 'search' }).losses).toEqual([])
    expect(choose('lmStudio', 'none')).toMatchObject({ body: { tool_choice: 'none' }, losses: [] })
  })

  it("omit the switch for parallel calls if the host doesn't support it", () => {
    const { body, losses } = encode(openaiChatHosts.lmStudio, { tools: [tool], parallelToolCalls: false })
    expect(body).not.toHaveProperty('parallel_tool_calls')
    expect(losses).toEqual([{ path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' }])
    expect(encode(openaiChatHosts.lmStudio, { tools: [tool], parallelToolCalls: true }).losses).toEqual([])
  })

  it('request JSON in the way that the host supports', () => {
    const schema = { type: 'object', properties: {} }
    const json = { responseFormat: { type: 'json' } } as const
    const shaped = { responseFormat: { type: 'json', schema } } as const
    expect(encode(openaiChatHosts.deepseek, shaped)).toMatchObject({
      body: { response_format: { type: 'json_object' } },
      losses: [{ path: '/responseFormat/schema', action: 'dropped' }],
    })
    expect(encode(openaiChatHosts.lmStudio, json)).toMatchObject({ losses: [{ path: '/responseFormat', action: 'dropped' }] })
    expect(encode(openaiChatHosts.lmStudio, json).body).not.toHaveProperty('response_format')
    expect(encode(openaiChatHosts.lmStudio, shaped).body.response_format).toMatchObject({ type: 'json_schema' })
  })

  it('name an image in the text if the host accepts no images, or no image URLs', () => {
    const parts = [
      { type: 'text', text: 'See' },
      { type: 'image', mediaType: 'image/png', source: { url: 'https://a.test/b.png' } },
    ] as const
    const messages: Message[] = [{ role: 'user', content: 'See\n[image/png]', parts }]
    for (const key of ['deepseek', 'moonshot', 'lmStudio'] as const) {
      const { body, losses } = encode(openaiChatHosts[key], { messages })
      expect(body.messages).toEqual([{ role: 'user', content: 'See\n[image/png]' }])
      expect(losses).toEqual([{ path: '/messages/0/parts/1', keyword: 'image', action: 'dropped' }])
    }
    expect(encode(openaiChatHosts.groq, { messages }).losses).toEqual([])
  })

  it('can be defined for another host', () => {
    const wire = defineOpenAIChatHost({ ...openaiChatProfiles.vllm, name: 'openai-chat:mine', streamUsage: false })
    expect(wire.name).toBe('openai-chat:mine')
    expect(encode(wire, {}, true).body).not.toHaveProperty('stream_options')
  })
})

describe('metadata for a host', () => {
  const calling = {
    content: null,
    reasoning_content: 'Hm.',
    tool_calls: [{ id: 'a', function: { name: 'search', arguments: '{}' } }],
  }
  const details = [
    { type: 'reasoning.text', text: 'Hm.', signature: 's', index: 0, format: 'x' },
    { type: 'reasoning.encrypted', data: 'q', index: 1 },
  ]

  function turn(wire: typeof openaiChat, message: object): object | undefined {
    const { text: content, toolCalls, metadata, reasoning } = wire.decode({ choices: [{ message, finish_reason: 'stop' }] })
    return encode(wire, { messages: [{ role: 'assistant', content, toolCalls, metadata, reasoning }] }).body.messages[0]
  }

  it('is the reasoning of every turn at DeepSeek and Moonshot, even if it is empty, and at no other host', () => {
    for (const reasoning_content of ['Hm.', '']) {
      const messages = [
        { ...calling, reasoning_content },
        { content: 'Hi', reasoning_content },
      ]
      for (const message of messages) {
        expect(turn(openaiChatHosts.deepseek, message)).toMatchObject({ reasoning_content })
        expect(turn(openaiChatHosts.moonshot, message)).toMatchObject({ reasoning_content })
        expect(turn(openaiChat, message)).not.toHaveProperty('reasoning_content')
      }
    }
    for (const wire of [openaiChatHosts.deepseek, openaiChatHosts.moonshot])
      expect(turn(wire, { ...calling, reasoning_content: null })).not.toHaveProperty('reasoning_content')
  })

  it("is another provider's reasoning if the host rejects calls without reasoning", () => {
    const toolCalls = [{ id: 'a', name: 'search', arguments: '{}' }]
    const messages: Message[] = [{ role: 'assistant', content: '', toolCalls, reasoning: 'Other.' }]
    expect(encode(openaiChatHosts.deepseek, { messages }).body.messages[0]).toMatchObject({ reasoning_content: 'Other.' })
    expect(encode(openaiChat, { messages }).body.messages[0]).not.toHaveProperty('reasoning_content')
  })

  it('is the list of reasoning details at OpenRouter, unchanged', () => {
    expect(turn(openaiChatHosts.openrouter, { content: 'Hi', reasoning_details: details })).toMatchObject({
      reasoning_details: details,
    })
  })

  it('is joined from the pieces of a stream', () => {
    const decoder = openaiChatHosts.openrouter.streamDecoder()
    const piece = (detail: object) => ({ choices: [{ index: 0, delta: { reasoning_details: [detail] } }] })
    const events = [
      piece({ type: 'reasoning.text', text: 'H', index: 0, format: 'x', signature: null }),
      piece({ type: 'reasoning.text', text: 'm.', index: 0, format: null }),
      piece({ type: 'reasoning.text', signature: 's', index: 0 }),
      piece({ type: 'reasoning.encrypted', data: 'q', index: 1 }),
    ]
    const deltas = [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
    const metadata = deltas.find((delta) => delta.type === 'metadata')
    expect(metadata).toEqual({ type: 'metadata', metadata: { 'openai-chat:openrouter': { reasoning_details: details } } })
  })

  it('is empty reasoning if a stream has nothing but an empty piece of it', () => {
    const decoder = openaiChatHosts.moonshot.streamDecoder()
    const piece = (delta: object) => decoder.push({ choices: [{ index: 0, delta }] })
    const deltas = [
      ...piece({ reasoning_content: '' }),
      ...piece({ content: 'Hi', reasoning_content: null }),
      ...decoder.end(true),
    ]
    expect(deltas.filter(({ type }) => type === 'metadata')).toEqual([
      { type: 'metadata', metadata: { 'openai-chat:moonshot': { reasoning_content: '' } } },
    ])
  })

  it("is read only from the host's own metadata", () => {
    const metadata = { 'openai-chat:deepseek': { reasoning_content: 'Hm.' } }
    const messages: Message[] = [{ role: 'assistant', content: 'Hi', metadata }]
    expect(encode(openaiChatHosts.moonshot, { messages }).body.messages[0]).toEqual({ role: 'assistant', content: 'Hi' })
  })
})
