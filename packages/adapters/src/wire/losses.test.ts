import type { ContentPart, ImagePart } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import type { AssistantMessage, Message } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import {
  anthropicMessages,
  bedrockConverse,
  cohereV2,
  gemini,
  mistral,
  ollama,
  openaiChat,
  openaiChatHosts,
  openaiResponses,
  type WireFormat,
} from './index.ts'

const user: Message = { role: 'user', content: 'Hello' }
const toolCalls = [{ id: 'EscTeQY62', name: 'search', arguments: '{}' }]
const calling: Message = { role: 'assistant', content: '', toolCalls }
const CLAUDE = 'anthropic.claude-sonnet-5'

function lossesOf(wire: WireFormat, messages: readonly Message[], model: string) {
  const losses: Loss[] = []
  // The output limit is given, so that none has to be assumed.
  wire.encode({ messages }, model, { facts: { maxOutputTokens: 4_096 }, onLoss: (loss) => losses.push(loss) })
  return losses.filter(({ path }) => path !== '/tools')
}

describe('the error flag of a result', () => {
  const failed: Message = { role: 'tool', callId: 'EscTeQY62', name: 'search', content: 'No.', isError: true }
  const flagLosses = (wire: WireFormat, model = 'm', isError = true) =>
    lossesOf(wire, [user, calling, { ...failed, isError }], model)
  const without = [openaiChat, openaiResponses, mistral, cohereV2, ollama, bedrockConverse]

  it.each(without.map((wire) => [wire.name, wire] as const))(
    'is reported as lost by %s, once for each message that has it',
    (_, wire) => {
      expect(flagLosses(wire)).toEqual([{ path: '/messages/2/isError', keyword: 'isError', action: 'dropped' }])
      expect(flagLosses(wire, 'm', false)).toEqual([])
    },
  )

  it("isn't reported if the API supports it", () => {
    expect([flagLosses(anthropicMessages), flagLosses(gemini), flagLosses(bedrockConverse, CLAUDE)]).toEqual([[], [], []])
  })
})

describe('an image of an unknown type, as the AI SDK has it for a URL', () => {
  const image = (source: ImagePart['source']): Message => {
    const part: ContentPart = { type: 'image', mediaType: 'image/*', source }
    return { role: 'user', content: '[image/*]', parts: [part] }
  }

  it.each([openaiChat, openaiResponses, anthropicMessages, gemini, mistral, cohereV2].map((wire) => [wire.name, wire] as const))(
    'is sent by its URL by %s, and reported as lost without one',
    (_, wire) => {
      const atUrl = [image({ url: 'https://a.example/b' })]
      expect(JSON.stringify(wire.encode({ messages: atUrl }, 'm', {}))).toContain('"https://a.example/b"')
      expect(lossesOf(wire, atUrl, 'm')).toEqual([])
      expect(lossesOf(wire, [image({ base64: 'AAAA' })], 'm')).toMatchObject([{ path: '/messages/0/parts/0', keyword: 'image' }])
    },
  )
})

describe('an image of a type that the APIs reject', () => {
  const image: ContentPart = { type: 'image', mediaType: 'image/svg+xml', source: { base64: 'PHN2Zz4=' } }
  const words = '[image/svg+xml]'
  const asked: Message = { role: 'user', content: words, parts: [image] }
  const result: Message = { role: 'tool', callId: 'EscTeQY62', name: 'search', content: words, parts: [image] }
  const all = [openaiChat, openaiResponses, anthropicMessages, gemini, mistral, cohereV2, ollama, bedrockConverse]

  it.each(all.map((wire) => [wire.name, wire] as const))('is described in text by %s, and reported as lost', (_, wire) => {
    const messages = [asked, calling, result]
    const body = JSON.stringify(wire.encode({ messages }, wire === bedrockConverse ? CLAUDE : 'm', {}))
    expect(body).not.toMatch(/PHN2Zz4=|inlineData|"image_url"|"input_image"/)
    expect(body.split(words)).toHaveLength(3)
    const lost = (at: number) => ({ path: `/messages/${at}/parts/0`, keyword: 'image', action: 'dropped' })
    expect(lossesOf(wire, messages, wire === bedrockConverse ? CLAUDE : 'm')).toMatchObject([lost(0), lost(2)])
  })
})

describe('reasoning', () => {
  const thinking = { type: 'thinking', thinking: 'Hm.' }
  const item = { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' }
  const signed = { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } }
  const text = { type: 'text', text: 'Hi' }
  const { deepseek, openrouter } = openaiChatHosts
  const turn = (more: Partial<AssistantMessage>): Message => ({ role: 'assistant', content: 'Hi', reasoning: 'Hm.', ...more })
  const reasoningLosses = (wire: WireFormat, more: Partial<AssistantMessage> = {}) =>
    lossesOf(wire, [user, turn(more)], wire === bedrockConverse ? CLAUDE : 'm')
  const losing = [openaiChat, openaiResponses, anthropicMessages, gemini, mistral, cohereV2, bedrockConverse]

  it.each(losing.map((wire) => [wire.name, wire] as const))('from another provider is reported as lost by %s', (_, wire) => {
    const loss = { path: '/messages/1/reasoning', keyword: 'reasoning', action: 'dropped' }
    expect(reasoningLosses(wire)).toMatchObject([loss])
    expect(reasoningLosses(wire, { toolCalls, metadata: { other: { content: [thinking], items: [item] } } })).toMatchObject([
      loss,
    ])
  })

  it.each<[string, WireFormat, Partial<AssistantMessage>]>([
    ['openai-responses', openaiResponses, { metadata: { 'openai-responses': { items: [item] } } }],
    ['anthropic-messages', anthropicMessages, { metadata: { 'anthropic-messages': { content: [thinking, text] } } }],
    ['gemini', gemini, { metadata: { gemini: { parts: [{ thought: true, text: 'Hm.' }, { text: 'Hi' }] } } }],
    ['mistral', mistral, { metadata: { mistral: { content: [thinking, text] } } }],
    ['cohere-v2', cohereV2, { metadata: { 'cohere-v2': { content: [thinking, text] } } }],
    ['cohere-v2, as the plan of calls', cohereV2, { toolCalls, metadata: { 'cohere-v2': { tool_plan: 'Hm.' } } }],
    ['bedrock-converse', bedrockConverse, { metadata: { 'bedrock-converse': { content: [signed, { text: 'Hi' }] } } }],
    ['deepseek', deepseek, { toolCalls, metadata: { [deepseek.name]: { reasoning_content: 'Hm.' } } }],
    ['openrouter', openrouter, { metadata: { [openrouter.name]: { reasoning_details: [{ text: 'Hm.' }] } } }],
    ['ollama, from any provider', ollama, {}],
    ['deepseek, from any provider', deepseek, {}],
    ['deepseek with calls, from any provider', deepseek, { toolCalls }],
  ])('is sent back without a loss by %s', (_, wire, more) => {
    expect(reasoningLosses(wire, more)).toEqual([])
  })

  it('is reported as lost by openai-responses if nothing follows it', () => {
    const metadata = { 'openai-responses': { items: [item] } }
    expect(reasoningLosses(openaiResponses, { content: '', metadata })).toMatchObject([
      { path: '/messages/1/metadata', keyword: 'reasoning', action: 'dropped', note: 'no content follows the reasoning' },
    ])
  })
})
