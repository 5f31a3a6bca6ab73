/** What a model doesn't take is left out, described in text and reported. */
import type { ContentPart } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../../protocol/collect.ts'
import { toContent } from '../../protocol/content.ts'
import type { LMRequest } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { anthropicMessages } from '../anthropic-messages/wire.ts'
import { bedrockConverse } from '../bedrock-converse/wire.ts'
import { cohereV2 } from '../cohere-v2/wire.ts'
import { gemini } from '../gemini/wire.ts'
import { mistral } from '../mistral/wire.ts'
import { openaiChatHosts } from '../openai-chat/host-wires.ts'
import { openaiChat } from '../openai-chat/wire.ts'
import { openaiResponses } from '../openai-responses/wire.ts'
import { shape } from '../shape-tool.ts'
import type { EncodeOptions, WireFormat } from '../wire-format.ts'

const image: ContentPart = { type: 'image', mediaType: 'image/png', source: { base64: 'aW1hZ2U=' } }
const file = (mediaType: string, name?: string): ContentPart => ({
  type: 'file',
  mediaType,
  source: { base64: 'ZmlsZQ==' },
  ...(name && { name }),
})
const pdf = file('application/pdf', 'bill.pdf')
const audio = file('audio/wav')
const ask = (...parts: ContentPart[]): LMRequest => ({
  messages: [{ role: 'user', ...toContent([{ type: 'text', text: 'See it.' }, ...parts]) }],
})

function encode(wire: WireFormat, model: string, request: LMRequest, facts?: EncodeOptions['facts']) {
  const losses: Loss[] = []
  const body = JSON.stringify(wire.encode(request, model, { facts, onLoss: (loss) => losses.push(loss) }))
  return { body, losses }
}

describe('an image or a file', () => {
  it.each<[WireFormat, string, ContentPart, string]>([
    [openaiChat, 'o3-mini', image, '[image/png]'],
    [openaiResponses, 'o3-mini', image, '[image/png]'],
    [openaiResponses, 'o3-mini', pdf, '[bill.pdf, application/pdf]'],
    [openaiChat, 'gpt-4o', audio, '[audio/wav]'],
    [openaiChat, 'gpt-4o-audio-preview', image, '[image/png]'],
    [bedrockConverse, 'amazon.nova-micro-v1:0', image, '[image/png]'],
    [cohereV2, 'command-a-03-2025', image, '[image/png]'],
    [mistral, 'mistral-medium-2604', audio, '[audio/wav]'],
    [openaiChatHosts.groq, 'openai/gpt-oss-20b', image, '[image/png]'],
    [openaiChatHosts.moonshot, 'kimi-k2-thinking', image, '[image/png]'],
  ])("that the model doesn't take is sent as text and reported: %o %s", (wire, model, part, words) => {
    const { body, losses } = encode(wire, model, ask(part))
    expect(body).toContain(words)
    expect(body).not.toMatch(/aW1hZ2U=|ZmlsZQ==/)
    expect(losses).toMatchObject([{ path: '/messages/0/parts/1', keyword: part.type, action: 'dropped' }])
  })

  it.each<[WireFormat, string, ContentPart]>([
    [openaiChat, 'gpt-5.4', image],
    [openaiChat, 'gpt-4o-audio-preview', audio],
    [openaiResponses, 'o3', pdf],
    [anthropicMessages, 'claude-sonnet-4-5', pdf],
    [gemini, 'gemini-3.1-pro-preview', audio],
    [cohereV2, 'command-a-vision-07-2025', image],
    [openaiChat, 'a-deployment', image],
    // A model that is newer than the table.
    [gemini, 'gemini-4-helium', audio],
    // Routers convert PDFs for models that don't take them.
    [openaiChatHosts.openrouter, 'openai/o3-mini', pdf],
  ])('that the model takes, or may take, is sent: %o %s', (wire, model, part) => {
    const { body, losses } = encode(wire, model, ask(part))
    expect(body).toMatch(/aW1hZ2U=|ZmlsZQ==/)
    expect(losses.filter(({ path }) => path === '/messages/0/parts/1')).toEqual([])
  })

  it('in a result is text in the result, and no message with it follows', () => {
    const messages: LMRequest['messages'] = [
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] },
      { role: 'tool', callId: 'c1', name: 'look', ...toContent([image]) },
    ]
    const { body, losses } = encode(openaiChat, 'o3-mini', { messages })
    expect(JSON.parse(body).messages).toHaveLength(2)
    expect(losses).toMatchObject([{ path: '/messages/1/parts/0', note: 'this model rejects image' }])
  })

  it('is sent if the facts of the caller have it, and the other parts of a message are sent in their order', () => {
    expect(encode(openaiChat, 'o3-mini', ask(image), { input: ['image'] }).losses).toEqual([])
    const { body } = encode(openaiChat, 'my-model', ask(image, audio, image), { input: ['image'] })
    const [message] = JSON.parse(body).messages
    expect(message.content.map(({ type }: { type: string }) => type)).toEqual(['text', 'image_url', 'text', 'image_url'])
  })

  it('is converted once for a message, and again after the message changed', () => {
    const request = ask(image)
    const [message] = request.messages
    const sent = () => (openaiChat.encode(request, 'o3-mini').messages as object[])[0]
    expect(sent()).toBe(sent())
    Object.assign(message ?? {}, toContent([pdf]))
    expect(JSON.stringify(sent())).toContain('bill.pdf')
  })
})

describe('strict tools', () => {
  const closed = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'], additionalProperties: false }
  const tool = { type: 'function', function: { name: 'search', description: 'Searches.', parameters: closed } } as const
  const request: LMRequest = { messages: [{ role: 'user', content: 'Hi' }], tools: [tool], strictTools: true }

  it.each<[WireFormat, string]>([
    [anthropicMessages, 'claude-sonnet-4-20250514'],
    [bedrockConverse, 'anthropic.claude-3-haiku-20240307-v1:0'],
  ])('are sent without strict mode to a model that rejects it, and the loss is reported: %o %s', (wire, model) => {
    const { body, losses } = encode(wire, model, request)
    expect(body).not.toContain('strict')
    expect(losses).toMatchObject([{ path: '/strictTools', action: 'refused', note: 'this model rejects it' }])
    expect(shape(tool, wire, { model, strict: true }).strict).toBe(false)
    expect(encode(wire, model, request, { strictTools: true })).toMatchObject({ body: expect.stringContaining('"strict":true') })
  })

  it.each<[WireFormat, string]>([
    [anthropicMessages, 'claude-sonnet-4-5'],
    [openaiChat, 'gpt-4-turbo'],
    [openaiChat, 'a-deployment'],
  ])('are strict for a model that accepts or may accept them: %o %s', (wire, model) => {
    const { body, losses } = encode(wire, model, request)
    expect(body).toContain('"strict":true')
    expect(losses.filter(({ action }) => action === 'refused')).toEqual([])
  })
})

describe('the schema of a reply', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  const request: LMRequest = {
    messages: [{ role: 'user', content: 'Hi' }],
    responseFormat: { type: 'json', schema, name: 'answer' },
  }
  const lost = { path: '/responseFormat/schema', keyword: 'schema', action: 'dropped' }

  it('is left out for a model that only knows JSON', () => {
    for (const wire of [openaiChat, openaiResponses]) {
      const { body, losses } = encode(wire, 'gpt-4-turbo', request)
      expect(body).toContain('"type":"json_object"')
      expect(losses).toMatchObject([lost])
    }
  })

  it('leaves the whole format out where the API needs a schema', () => {
    const { body, losses } = encode(anthropicMessages, 'claude-sonnet-4-20250514', request)
    expect(body).not.toContain('output_config')
    expect(losses).toMatchObject([lost, { path: '/responseFormat', action: 'dropped' }])
  })

  it('is sent to a model that accepts it', () => {
    expect(encode(openaiChat, 'gpt-5-chat-latest', request).body).toContain('"json_schema"')
    expect(encode(anthropicMessages, 'claude-sonnet-4-5', request).body).toContain('"json_schema"')
  })
})

describe('arguments of a call', () => {
  const parameters = { type: 'object', properties: { q: { type: 'string' }, days: { type: 'integer' } }, required: ['q'] }
  const given: LMRequest = {
    messages: [],
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters } }],
    strictTools: true,
  }
  const args = { q: 'a', days: null }
  const call = (name: string, input: unknown) => ({
    id: 'a',
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  })
  const uses = { tool_uses: [{ recipient_name: 'functions.look', parameters: args }] }
  const replies = [call('look', args), call('multi_tool_use.parallel', uses)].map((one) => ({
    choices: [{ index: 0, message: { content: '', tool_calls: [one] }, finish_reason: 'tool_calls' }],
  }))

  it.each<[EncodeOptions['facts'], string]>([
    [undefined, '{"q":"a"}'],
    [{ strictTools: false }, '{"q":"a","days":null}'],
  ])('are restored as the request was sent, with the facts %j', (facts, text) => {
    expect(encode(openaiChat, 'gpt-5.4', given, facts).body.includes('"strict":true')).toBe(facts === undefined)
    for (const reply of replies) {
      expect(openaiChat.decode(reply, given, 'gpt-5.4', facts).toolCalls).toMatchObject([{ name: 'look', arguments: text }])
      const decoder = openaiChat.streamDecoder(given, 'gpt-5.4', facts)
      const [{ message, ...choice }] = reply.choices as [(typeof reply.choices)[number]]
      const deltas = [...decoder.push({ choices: [{ ...choice, delta: message }] }), ...decoder.end(true)]
      expect(collectDeltas(deltas).toolCalls).toMatchObject([{ name: 'look', arguments: text }])
    }
  })
})
