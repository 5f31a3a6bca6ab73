import type { ContentPart } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { toContent } from '../../protocol/content.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { anthropicMessages } from './wire.ts'

const user: Message = { role: 'user', content: 'Hello' }
const call = { id: 'toolu_1', name: 'search', arguments: '{"q": "tea"}' }
const result: ToolMessage = { role: 'tool', callId: 'toolu_1', name: 'search', content: 'found' }

function encode(...messages: readonly Message[]) {
  const losses: Loss[] = []
  const body = anthropicMessages.encode({ messages }, 'claude', { onLoss: (loss) => losses.push(loss) })
  return { ...body, losses }
}
const blocksOf = (message: Message) => encode(user, { role: 'assistant', content: 'x' }, message).messages.at(-1)?.content
const assistantOf = (message: Omit<AssistantMessage, 'role'>) =>
  encode(user, { role: 'assistant', ...message }, user).messages[1]?.content

describe('messages', () => {
  it('hoists what the system says at the start, joined', () => {
    expect(encode({ role: 'system', content: 'a' }, { role: 'system', content: 'b' }, user)).toMatchObject({
      system: 'a\n\nb',
      messages: [{ role: 'user' }],
    })
  })

  it('writes all results of a turn into one turn of the user, results first', () => {
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

  it('flags a result that is an error, and leaves out an empty content', () => {
    expect(blocksOf({ ...result, content: 'no', isError: true })).toMatchObject([{ content: 'no', is_error: true }])
    expect(blocksOf({ ...result, content: '' })).toEqual([{ type: 'tool_result', tool_use_id: 'toolu_1' }])
  })

  it('makes ids legal, the same in call and result', () => {
    const id = 'functions.search:0'
    const { messages } = encode(user, { role: 'assistant', content: '', toolCalls: [{ ...call, id }] }, { ...result, callId: id })
    const sent = messages[1]?.content[0] as { readonly id: string }
    expect(sent.id).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect(messages[2]?.content).toMatchObject([{ tool_use_id: sent.id }])
  })

  it('sends no blank text, and reports one that is not empty', () => {
    expect(encode(user, { role: 'assistant', content: '', toolCalls: [call] }, { ...result, content: 'x' }).losses).toEqual([])
    const { messages, losses } = encode(user, { role: 'assistant', content: '\n ' }, user)
    expect(messages).toHaveLength(1)
    expect(losses).toMatchObject([{ path: '/messages/1/content', action: 'dropped' }])
  })

  it('trims the end of a last turn of the assistant, and of no other', () => {
    const { messages, losses } = encode({ role: 'user', content: 'a ' }, { role: 'assistant', content: 'The answer is: ' })
    expect(messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'a ' }],
      [{ type: 'text', text: 'The answer is:' }],
    ])
    expect(losses).toMatchObject([{ path: '/messages/1/content' }])
    expect(assistantOf({ content: 'b ' })).toEqual([{ type: 'text', text: 'b ' }])
  })

  it('makes the blocks of a message once, however often it is sent', () => {
    const [first, second] = [encode(user), encode(user)]
    expect(first.messages[0]?.content[0]).toBe(second.messages[0]?.content[0])
  })

  it('reports arguments that cannot be read, each time', () => {
    const message: Message = { role: 'assistant', content: '', toolCalls: [call, { ...call, id: 'b', arguments: '{"q": ' }] }
    for (let turn = 0; turn < 2; turn++) {
      expect(encode(user, message).losses).toMatchObject([{ path: '/messages/1/toolCalls/1/arguments', keyword: 'arguments' }])
    }
  })
})

describe('images and files', () => {
  const write = (...parts: ContentPart[]) => blocksOf({ role: 'user', ...toContent(parts) })

  it('are blocks, by their bytes or by their address', () => {
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

  it('of text are read as text', () => {
    const source = { base64: Buffer.from('Grüße').toString('base64') }
    expect(write({ type: 'file', mediaType: 'text/markdown', source })).toEqual([
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
    ])
  })

  it('stand in a result as well', () => {
    const parts: ContentPart[] = [{ type: 'image', mediaType: 'image/gif', source: { base64: 'AAAA' } }]
    expect(blocksOf({ ...result, ...toContent(parts) })).toMatchObject([{ content: [{ type: 'image' }] }])
  })

  it('are named in the result of a failed call, which takes only text', () => {
    const parts: ContentPart[] = [{ type: 'image', mediaType: 'image/gif', source: { base64: 'AAAA' } }]
    expect(blocksOf({ ...result, ...toContent(parts), isError: true })).toMatchObject([
      { content: [{ type: 'text', text: '[image/gif]' }], is_error: true },
    ])
  })

  it('that the API does not take are named in the text, and are a loss', () => {
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

describe('what the provider wants back', () => {
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

  it('goes back unchanged and in its order, thinking with its signature first', () => {
    expect(assistantOf(message)).toEqual(reply.content)
  })

  it('goes back from plain JSON as well', () => {
    expect(assistantOf(JSON.parse(JSON.stringify(message)))).toEqual(reply.content)
  })

  it('stays beside a text and calls that were changed', () => {
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

  it('of another provider does not go out, and reasoning without a signature is a loss', () => {
    const foreign: Message = { role: 'assistant', content: 'Hi', reasoning: 'hm', metadata: { gemini: { content: [thinking] } } }
    const { messages, losses } = encode(user, foreign, user)
    expect(messages[1]?.content).toEqual([{ type: 'text', text: 'Hi' }])
    expect(losses).toMatchObject([{ path: '/messages/1/reasoning', action: 'dropped' }])
  })

  it('may not be thinking alone, nor thinking at the end', () => {
    const cut = { content: '', reasoning: 'hm', metadata: { 'anthropic-messages': { content: [thinking] } } }
    const { messages, losses } = encode(user, { role: 'assistant', ...cut }, user)
    expect(messages.map(({ role }) => role)).toEqual(['user'])
    expect(losses).toMatchObject([{ path: '/messages/1/metadata', keyword: 'reasoning' }, { path: '/messages/1' }])
  })

  it('survives metadata that holds anything', () => {
    for (const content of [null, 'x', [null, 5, 'x', [], {}], { 0: thinking }]) {
      const blocks = assistantOf({ content: 'Hi', metadata: { 'anthropic-messages': { content } } })
      expect(blocks).toContainEqual({ type: 'text', text: 'Hi' })
    }
  })

  it("names the container in which the model's code waits, and only in the next request", () => {
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
