import type { ContentPart } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { toContent } from '../../protocol/content.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { anthropicMessages } from './wire.ts'

const user: Message = { role: 'user', content: 'Hello' }
const call = { id: 'toolu_1', name: 'search', arguments: '{"q": "tea"}' }
const result: ToolMessage = { role: 'tool', callId: 'toolu_1', name: 'search', content: 'found' }

/** An unknown model. Its limit is given, so that no limit has to be assumed. */
const facts = { maxOutputTokens: 4_096 }

function encode(...messages: readonly Message[]) {
  const losses: Loss[] = []
  const body = anthropicMessages.encode({ messages }, 'claude', { facts, onLoss: (loss) => losses.push(loss) })
  return { ...body, losses }
}
const blocksOf = (message: Message) => encode(user, { role: 'assistant', content: 'x' }, message).messages.at(-1)?.content
const assistantOf = (message: Omit<AssistantMessage, 'role'>) =>
  encode(user, { role: 'assistant', ...message }, user).messages[1]?.content

describe('messages', () => {
  it('join leading system messages into the system prompt', () => {
    expect(encode({ role: 'system', content: 'a' }, { role: 'system', content: 'b' }, user)).toMatchObject({
      system: 'a\n\nb',
      messages: [{ role: 'user' }],
    })
  })

  it('contain all results of a turn in one user turn, results first', () => {
    const toolCalls = [call, { ...call, id: 'toolu_2' }]
    const { messages } = encode(user, { role: 'assistant', content: '', toolCalls }, user, result, {
      ...result,
      callId: 'toolu_2',
    })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(messages[1]?.content).toEqual([
      { type: 'tool_use', id: 'toolu_1', name: 'search', input: { q: 'tea' } },
      { type: 'tool_use', id: 'toolu_2', name: 'search', input: { q: 'tea' } },
    ])
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'found' },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'found' },
      { type: 'text', text: 'Hello' },
    ])
  })

  it('flag a failed result, and omit empty content', () => {
    expect(blocksOf({ ...result, content: 'no', isError: true })).toMatchObject([{ content: 'no', is_error: true }])
    expect(blocksOf({ ...result, content: '' })).toEqual([{ type: 'tool_result', tool_use_id: 'toolu_1' }])
  })

  it('contain valid ids, equal in a call and its result', () => {
    const id = 'functions.search:0'
    const { messages } = encode(user, { role: 'assistant', content: '', toolCalls: [{ ...call, id }] }, { ...result, callId: id })
    const sent = messages[1]?.content[0] as { readonly id: string }
    expect(sent.id).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect(messages[2]?.content).toMatchObject([{ tool_use_id: sent.id }])
  })

  it('contain no blank text, and report text of white space as a loss', () => {
    expect(encode(user, { role: 'assistant', content: '', toolCalls: [call] }, { ...result, content: 'x' }).losses).toEqual([])
    const { messages, losses } = encode(user, { role: 'assistant', content: '\n ' }, user)
    expect(messages).toHaveLength(1)
    expect(losses).toMatchObject([{ path: '/messages/1/content', action: 'dropped' }])
  })

  it('trim the end of a final assistant turn, but of no other', () => {
    const { messages, losses } = encode({ role: 'user', content: 'a ' }, { role: 'assistant', content: 'The answer is: ' })
    expect(messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'a ' }],
      [{ type: 'text', text: 'The answer is:' }],
    ])
    expect(losses).toMatchObject([{ path: '/messages/1/content' }])
    expect(assistantOf({ content: 'b ' })).toEqual([{ type: 'text', text: 'b ' }])
  })

  it('are converted to blocks once, however often they are sent', () => {
    const [first, second] = [encode(user), encode(user)]
    expect(first.messages[0]?.content[0]).toBe(second.messages[0]?.content[0])
  })

  it("report arguments that can't be parsed in every request", () => {
    const message: Message = { role: 'assistant', content: '', toolCalls: [call, { ...call, id: 'b', arguments: '{"q": ' }] }
    for (let turn = 0; turn < 2; turn++) {
      expect(encode(user, message).losses).toMatchObject([{ path: '/messages/1/toolCalls/1/arguments', keyword: 'arguments' }])
    }
  })
})

describe('images and files', () => {
  const write = (...parts: ContentPart[]) => blocksOf({ role: 'user', ...toContent(parts) })

  it('are sent as blocks with base64 data or a URL', () => {
    expect(
      write(
        { type: 'text', text: 'See:' },
        { type: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } },
        { type: 'image', mediaType: 'image/webp', source: { url: 'https://a.b/c' } },
        { type: 'file', mediaType: 'application/pdf', source: { base64: 'BBBB' }, name: 'b.pdf' },
        { type: 'file', mediaType: 'application/pdf', source: { url: 'https://a.b/d' } },
      ),
    ).toEqual([
      { type: 'text', text: 'See:' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { type: 'url', url: 'https://a.b/c' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' }, title: 'b.pdf' },
      { type: 'document', source: { type: 'url', url: 'https://a.b/d' } },
    ])
  })

  it('are decoded to text if they contain text', () => {
    const source = { base64: Buffer.from('Grüße').toString('base64') }
    expect(write({ type: 'file', mediaType: 'text/markdown', source })).toEqual([
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
    ])
  })

  it('are also sent in results', () => {
    const parts: ContentPart[] = [{ type: 'image', mediaType: 'image/gif', source: { base64: 'AAAA' } }]
    expect(blocksOf({ ...result, ...toContent(parts) })).toMatchObject([{ content: [{ type: 'image' }] }])
  })

  it('are named in the text of a failed result, which accepts only text', () => {
    const parts: ContentPart[] = [{ type: 'image', mediaType: 'image/gif', source: { base64: 'AAAA' } }]
    expect(blocksOf({ ...result, ...toContent(parts), isError: true })).toMatchObject([
      { content: [{ type: 'text', text: '[image/gif]' }], is_error: true },
    ])
  })

  it("are named in the text and reported as lost if the API doesn't accept them", () => {
    const parts: ContentPart[] = [
      { type: 'image', mediaType: 'image/bmp', source: { base64: 'AAAA' } },
      { type: 'file', mediaType: 'audio/wav', source: { base64: 'AAAA' }, name: 'a.wav' },
      { type: 'file', mediaType: 'text/plain', source: { base64: '//79' } },
    ]
    const { messages, losses } = encode({ role: 'user', ...toContent(parts) })
    expect(messages[0]?.content).toEqual(
      ['[image/bmp]', '[a.wav, audio/wav]', '[text/plain]'].map((text) => ({ type: 'text', text })),
    )
    expect(losses.map(({ path, keyword }) => [path, keyword])).toEqual([
      ['/messages/0/parts/0', 'image'],
      ['/messages/0/parts/1', 'file'],
      ['/messages/0/parts/2', 'file'],
    ])
  })
})

describe('metadata for the provider', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' }
  const redacted = { type: 'redacted_thinking', data: 'xyz' }
  const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { q: 'tea' } }
  const found = { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] }
  const reply = {
    type: 'message',
    content: [
      thinking,
      redacted,
      { type: 'text', text: 'I look.' },
      search,
      found,
      { type: 'tool_use', id: 'toolu_1', name: 'search', input: { q: 'tea' }, caller: { type: 'direct' } },
    ],
    stop_reason: 'tool_use',
  }
  const { text, toolCalls, reasoning, metadata } = anthropicMessages.decode(reply)
  const message = { content: text, toolCalls, reasoning, metadata }

  it('is sent back unchanged and in order, with signed thinking first', () => {
    expect(assistantOf(message)).toEqual(reply.content)
  })

  it('is also sent back after it was serialized as JSON', () => {
    expect(assistantOf(JSON.parse(JSON.stringify(message)))).toEqual(reply.content)
  })

  it('is kept if the text and calls have been edited', () => {
    const changed = { ...message, content: 'No.', toolCalls: [{ ...call, id: 'toolu_2' }] }
    expect(assistantOf(changed)).toEqual([
      thinking,
      redacted,
      { type: 'text', text: 'No.' },
      search,
      found,
      { type: 'tool_use', id: 'toolu_2', name: 'search', input: { q: 'tea' } },
    ])
  })

  it("isn't sent if it comes from another provider, and unsigned reasoning is reported as lost", () => {
    const foreign: Message = { role: 'assistant', content: 'Hi', reasoning: 'hm', metadata: { gemini: { content: [thinking] } } }
    const { messages, losses } = encode(user, foreign, user)
    expect(messages[1]?.content).toEqual([{ type: 'text', text: 'Hi' }])
    expect(losses).toMatchObject([{ path: '/messages/1/reasoning', action: 'dropped' }])
  })

  it("isn't sent as thinking alone or thinking at the end", () => {
    const cut = { content: '', reasoning: 'hm', metadata: { 'anthropic-messages': { content: [thinking] } } }
    const { messages, losses } = encode(user, { role: 'assistant', ...cut }, user)
    expect(messages.map(({ role }) => role)).toEqual(['user'])
    expect(losses).toMatchObject([{ path: '/messages/1/metadata', keyword: 'reasoning' }, { path: '/messages/1' }])
  })

  it('is sent without a call to a provider tool that has no result, unless the model can still continue its turn', () => {
    const paused = (...content: readonly object[]): Message => {
      const { text: words, toolCalls: calls, metadata: kept } = anthropicMessages.decode({ content, stop_reason: 'pause_turn' })
      return { role: 'assistant', content: words, toolCalls: calls, metadata: kept }
    }
    const looking = { type: 'text', text: 'I look.' }
    const open = paused(looking, thinking, search)
    const sent = (...messages: readonly Message[]) => encode(user, ...messages)
    expect(sent(open).messages[1]?.content).toEqual([looking, thinking, search])
    expect(sent(open, paused(found)).messages[1]?.content).toEqual([looking, thinking, search, found])
    const { messages, losses } = sent(open, user)
    expect(messages[1]?.content).toEqual([looking])
    expect(losses).toEqual([
      { path: '/messages/1/metadata', keyword: 'server_tool_use', action: 'dropped', note: 'the call has no result' },
      { path: '/messages/1/metadata', keyword: 'reasoning', action: 'dropped', note: 'no content follows the reasoning' },
    ])
    expect(sent(paused(thinking, search), user).messages.map(({ role }) => role)).toEqual(['user'])
    // The API runs both calls before it continues.
    const both = paused(search, { type: 'tool_use', id: call.id, name: call.name, input: {} })
    expect(sent(both, result, user).messages[1]?.content).toHaveLength(2)
  })

  it('may contain anything without an exception', () => {
    for (const content of [null, 'x', [null, 5, 'x', [], {}], { 0: thinking }]) {
      const blocks = assistantOf({ content: 'Hi', metadata: { 'anthropic-messages': { content } } })
      expect(blocks).toContainEqual({ type: 'text', text: 'Hi' })
    }
    const damaged: Message = { role: 'assistant', content: '', metadata: { 'anthropic-messages': { content: [{}] } } }
    const marked = anthropicMessages.encode({ messages: [user, damaged, user], cache: [1] }, 'claude-opus-4-5')
    expect(marked.messages[1]?.content).toEqual([{ cache_control: { type: 'ephemeral' } }])
  })

  it('contains the id of the container with waiting code, which only the next request sends', () => {
    const coded = {
      content: [{ type: 'tool_use', id: 't', name: 'f', input: {}, caller: { type: 'code_execution_20250825', tool_id: 's' } }],
      container: { id: 'container_1' },
      stop_reason: 'tool_use',
    }
    const { toolCalls: calls, metadata: kept } = anthropicMessages.decode(coded)
    const assistant: Message = { role: 'assistant', content: '', toolCalls: calls, metadata: kept }
    expect(encode(user, assistant, { ...result, callId: 't' })).toMatchObject({
      container: 'container_1',
      messages: [{}, { content: [{ caller: { tool_id: 's' } }] }, {}],
    })
    expect(encode(user, assistant, { ...result, callId: 't' }, { role: 'assistant', content: 'Done.' })).not.toHaveProperty(
      'container',
    )
  })
})
