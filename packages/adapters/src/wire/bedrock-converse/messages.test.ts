import type { ContentPart } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { toContent } from '../../protocol/content.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { bedrockConverse } from './wire.ts'

const CLAUDE = 'anthropic.claude-sonnet-4-5-20250929-v1:0'
const NOVA = 'amazon.nova-pro-v1:0'
const LLAMA = 'meta.llama3-3-70b-instruct-v1:0'

const user: Message = { role: 'user', content: 'Hello' }
const call = { id: 'a', name: 'search', arguments: '{"q": "tea"}' }
const calling: Message = { role: 'assistant', content: '', toolCalls: [call] }
const result: ToolMessage = { role: 'tool', callId: 'a', name: 'search', content: 'found' }
const image: ContentPart = { type: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } }
const pdf: ContentPart = { type: 'file', mediaType: 'application/pdf', source: { base64: 'BBBB' }, name: 'b' }

function encode(messages: readonly Message[], model = CLAUDE) {
  const losses: Loss[] = []
  const body = bedrockConverse.encode({ messages }, model, { onLoss: (loss) => losses.push(loss) })
  return { ...body, losses: losses.filter(({ path }) => path !== '/tools') }
}
const lastOf = (messages: readonly Message[], model?: string) => encode(messages, model).messages.at(-1)?.content

describe('messages', () => {
  it('join leading system messages, and put calls and results into matching turns', () => {
    const messages: Message[] = [{ role: 'system', content: 's' }, user, calling, result, user]
    expect(encode(messages)).toMatchObject({
      system: [{ text: 's' }],
      messages: [
        { role: 'user', content: [{ text: 'Hello' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'search', input: { q: 'tea' } } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'found' }] } }, { text: 'Hello' }] },
      ],
    })
  })

  it('flag an error only if the family accepts the flag', () => {
    const messages = [user, calling, { ...result, isError: true }]
    const status = (model: string) => encode(messages, model).messages.at(-1)?.content[0]
    for (const model of [CLAUDE, NOVA]) expect(status(model)).toMatchObject({ toolResult: { status: 'error' } })
    for (const model of [LLAMA, 'writer.palmyra-x5-v1:0']) expect(status(model)).not.toHaveProperty('toolResult.status')
  })

  it('have an empty list for a result without content, and no blank text', () => {
    expect(lastOf([user, calling, { ...result, content: '' }])).toEqual([{ toolResult: { toolUseId: 'a', content: [] } }])
    expect(encode([user, { role: 'assistant', content: ' \n' }, user])).toMatchObject({
      messages: [{ role: 'user' }],
      losses: [{ path: '/messages/1/content', action: 'dropped' }],
    })
  })

  it('contain valid ids, equal in a call and its result', () => {
    const id = 'functions.search:0'
    const toolCalls = [{ ...call, id }]
    const { messages } = encode([user, { ...calling, toolCalls } as Message, { ...result, callId: id }])
    const { toolUse } = (messages[1]?.content[0] ?? {}) as { readonly toolUse?: { readonly toolUseId: string } }
    const sent = toolUse?.toolUseId
    expect(sent).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(messages[2]?.content).toMatchObject([{ toolResult: { toolUseId: sent } }])
  })

  it('are in a separate turn from results if the family requires it', () => {
    const messages = [user, calling, result, user]
    const { messages: sent, losses } = encode(messages, LLAMA)
    expect(sent.slice(2).map(({ role, content }) => [role, Object.keys(content[0] ?? {})[0]])).toEqual([
      ['user', 'toolResult'],
      ['assistant', 'text'],
      ['user', 'text'],
    ])
    expect(losses).toMatchObject([{ path: '/messages', action: 'widened' }])
    expect(encode(messages, CLAUDE).messages).toHaveLength(3)
  })

  it('keep documents separate from results for Claude', () => {
    expect(encode([user, calling, result, { role: 'user', ...toContent([pdf]) }], CLAUDE).messages).toHaveLength(5)
    expect(encode([user, calling, result, { role: 'user', ...toContent([pdf]) }], NOVA).messages).toHaveLength(3)
  })

  it('trim white space at the end of a final assistant turn', () => {
    expect(encode([user, { role: 'assistant', content: 'It is: ' }])).toMatchObject({
      messages: [{}, { content: [{ text: 'It is:' }] }],
      losses: [{ path: '/messages/1/content' }],
    })
  })
})

describe('images and files', () => {
  const ofUser = (...parts: ContentPart[]): Message => ({ role: 'user', ...toContent(parts) })
  const write = (...parts: ContentPart[]) => encode([ofUser(...parts)])

  it('are sent as blocks of their format, with base64 data or an S3 location', () => {
    const message = ofUser(
      { type: 'text', text: 'See:' },
      image,
      { type: 'image', mediaType: 'image/jpeg', source: { url: 's3://bucket/k.jpg' } },
      { type: 'file', mediaType: 'text/markdown', source: { base64: 'CCCC' } },
      { type: 'file', mediaType: 'video/mp4', source: { base64: 'DDDD' } },
    )
    const { messages, losses } = encode([message], NOVA)
    expect(messages[0]?.content).toEqual([
      { text: 'See:' },
      { image: { format: 'png', source: { bytes: 'AAAA' } } },
      { image: { format: 'jpeg', source: { s3Location: { uri: 's3://bucket/k.jpg' } } } },
      { document: { format: 'md', name: 'Document', source: { bytes: 'CCCC' } } },
      { video: { format: 'mp4', source: { bytes: 'DDDD' } } },
    ])
    expect(losses).toEqual([])
  })

  it('have valid and distinct names, also in results', () => {
    const named = (name?: string): ContentPart => ({ type: 'file', mediaType: 'application/pdf', source: { base64: 'A' }, name })
    const parts = [named('Größe_v2.pdf'), named('a'), named('A'), named(), named(), named('. .')]
    const { messages, losses } = encode([
      { role: 'user', ...toContent(parts) },
      calling,
      { ...result, ...toContent([named('a')]) },
    ])
    const names = JSON.stringify(messages).match(/(?<="name":")[^"]*(?=","source)/g)
    expect(names).toEqual(['Gr e v2 pdf', 'a', 'A 2', 'Document', 'Document 2', 'Document 3', 'a 3'])
    expect(losses.map(({ path }) => path)).toEqual(['/messages/0/parts/0/name', '/messages/0/parts/5/name'])
  })

  it('add a text if a document is alone in a message', () => {
    expect(write(pdf).messages[0]?.content).toMatchObject([{ text: '[b, application/pdf]' }, { document: {} }])
  })

  it("are named in the text and reported as lost if the API doesn't accept them", () => {
    const { messages, losses } = write(
      { type: 'image', mediaType: 'image/png', source: { url: 'https://a.b/c' } },
      { type: 'file', mediaType: 'audio/wav', source: { base64: 'A' } },
    )
    expect(messages[0]?.content).toEqual([{ text: '[image/png]' }, { text: '[audio/wav]' }])
    expect(losses.map(({ path, keyword }) => [path, keyword])).toEqual([
      ['/messages/0/parts/1', 'file'],
      ['/messages/0/parts/0', 'image'],
    ])
  })

  it('are sent in a result if the family accepts them there', () => {
    const messages = [user, calling, { ...result, ...toContent([image]) }]
    const failed = [user, calling, { ...result, ...toContent([image]), isError: true }]
    expect(lastOf(failed, CLAUDE)).toMatchObject([{ toolResult: { content: [{ text: '[image/png]' }], status: 'error' } }])
    expect(lastOf(messages, NOVA)).toMatchObject([{ toolResult: { content: [{ image: {} }] } }])
    expect(lastOf(messages, LLAMA)).toMatchObject([{ toolResult: { content: [{ text: '[image/png]' }] } }])
    expect(encode(messages, LLAMA).losses).toMatchObject([{ path: '/messages/2/parts/0', keyword: 'image' }])
  })
})

describe('metadata for the provider', () => {
  const thought = { reasoningContent: { reasoningText: { text: 'hm', signature: 'sig' } } }
  const redacted = { reasoningContent: { redactedContent: 'AAAA' } }
  const search = { toolUse: { toolUseId: 's', name: 'nova_grounding', input: { query: 'tea' }, type: 'server_tool_use' } }
  const found = { toolResult: { toolUseId: 's', content: [{ text: 'x' }], type: 'nova_grounding_result', status: 'success' } }
  const cited = { citationsContent: { content: [{ text: 'Tea.' }], citations: [{ title: 't' }] } }
  const used = { toolUse: { toolUseId: 'a', name: 'search', input: { q: 'tea' } } }
  const decodeBlocks = (...content: object[]) =>
    bedrockConverse.decode({ output: { message: { content } }, stopReason: 'tool_use' })
  const assistantOf = (message: Omit<AssistantMessage, 'role'>) => encode([user, { role: 'assistant', ...message }, user])

  it('is sent back unchanged and in order, except for the type of an ordinary call', () => {
    const reply = decodeBlocks(thought, redacted, search, found, cited, { toolUse: { ...used.toolUse, type: 'tool_use' } })
    const message = { content: reply.text, ...reply }
    expect(assistantOf(message).messages[1]?.content).toEqual([thought, redacted, search, found, cited, used])
  })

  it('is kept if the text has been edited', () => {
    const reply = decodeBlocks(thought, cited, used)
    const message = { ...reply, content: 'No.' }
    expect(assistantOf(message).messages[1]?.content).toEqual([thought, { text: 'No.' }, used])
  })

  it("doesn't contain unsigned reasoning, which is reported as lost", () => {
    const reply = decodeBlocks({ reasoningContent: { reasoningText: { text: 'hm' } } }, { text: 'Hi' })
    expect(reply.metadata).toBeUndefined()
    const { messages, losses } = assistantOf({ content: reply.text, ...reply })
    expect(messages[1]?.content).toEqual([{ text: 'Hi' }])
    expect(losses).toMatchObject([{ path: '/messages/1/reasoning', action: 'dropped' }])
  })

  it("doesn't end with reasoning", () => {
    const reply = decodeBlocks(thought)
    expect(assistantOf({ content: '', ...reply })).toMatchObject({
      messages: [{ role: 'user' }],
      losses: [{ path: '/messages/1/metadata', keyword: 'reasoning' }, { path: '/messages/1' }],
    })
  })
})
