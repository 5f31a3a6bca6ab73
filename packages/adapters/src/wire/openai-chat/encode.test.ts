import { defineTool, toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { LMRequest, Loss, Message } from '../../index.ts'
import { openaiChat, openaiChatHosts } from '../index.ts'

const spec = toSpec(
  defineTool({ name: 'search', description: 'Searches.', args: Type.Object({ q: Type.String() }), execute: () => [] }),
)
const user: Message = { role: 'user', content: 'Hello' }
const encode = (request: Partial<LMRequest>, stream?: boolean) =>
  openaiChat.encode({ messages: [user], ...request }, 'my-model', stream === undefined ? undefined : { stream })

describe('encoding messages', () => {
  const wire = (message: Message) => encode({ messages: [message] }).messages[0]

  it('writes system and user messages', () => {
    expect(wire({ role: 'system', content: 'Be kind.' })).toEqual({ role: 'system', content: 'Be kind.' })
    expect(wire(user)).toEqual({ role: 'user', content: 'Hello' })
  })

  it('writes an assistant message without calls', () => {
    expect(wire({ role: 'assistant', content: 'Hi', reasoning: 'hm' })).toEqual({ role: 'assistant', content: 'Hi' })
  })

  it.each(['moonshot', 'xai'] as const)('leaves out an empty assistant message for %s, which rejects it', (host) => {
    const empty: Message = { role: 'assistant', content: '', toolCalls: [] }
    const losses: Loss[] = []
    const onLoss = (loss: Loss) => losses.push(loss)
    const { messages } = openaiChatHosts[host].encode({ messages: [user, empty, user] }, 'my-model', { onLoss })
    expect(messages).toEqual([user, user])
    expect(losses).toEqual([{ path: '/messages/1', keyword: 'content', action: 'dropped' }])
    // Other hosts get it, because some templates require that roles alternate.
    expect(encode({ messages: [user, empty, user] }).messages).toEqual([user, { role: 'assistant', content: '' }, user])
  })

  it('keeps an assistant message that has nothing but reasoning that the host wants back', () => {
    const thought: Message = { role: 'assistant', content: '', reasoning: 'hm' }
    expect(openaiChatHosts.moonshot.encode({ messages: [user, thought, user] }, 'my-model').messages[1]).toEqual({
      ...{ role: 'assistant', content: '', reasoning_content: 'hm' },
    })
  })

  it('writes calls with their original argument text', () => {
    const toolCalls = [{ id: 'a', name: 'search', arguments: '{ "q": 1e2 }', metadata: { x: 1 } }]
    expect(wire({ role: 'assistant', content: 'Looking.', toolCalls })).toEqual({
      role: 'assistant',
      content: 'Looking.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'search', arguments: '{ "q": 1e2 }' } }],
    })
  })

  it('wraps argument text that is not a JSON object, because vLLM and llama.cpp reject a conversation with it', () => {
    const sent = (text: string) => {
      const message = wire({ role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'search', arguments: text }] })
      return message?.role === 'assistant' && message.tool_calls?.[0]?.function.arguments
    }
    for (const text of ['{"q": "tea"', "{'q': 1}", '[1]', '"x"']) expect(sent(text)).toBe(JSON.stringify({ malformed: text }))
    for (const text of ['', ' ', 'null', '{}']) expect(sent(text)).toBe('{}')
  })

  it('writes null as the content of calls without text', () => {
    const toolCalls = [{ id: 'a', name: 'search', arguments: '{}' }]
    expect(wire({ role: 'assistant', content: '', toolCalls })).toMatchObject({ content: null })
  })

  it('writes a result with the id of its call', () => {
    expect(wire({ role: 'tool', callId: 'a', name: 'search', content: 'Error: none', isError: true })).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: 'Error: none',
    })
  })

  it('converts a message once, however often it is sent', () => {
    expect(encode({}).messages[0]).toBe(encode({}).messages[0])
  })
})

describe('encoding tools', () => {
  it('sends the canonical specs unchanged', () => {
    const { tools } = encode({ tools: [spec] })
    expect(tools?.[0]).toBe(spec)
  })

  it('marks tools as strict if that is requested and strict mode supports their schema', () => {
    const parameters = { type: 'object', properties: { at: { type: 'object', patternProperties: { a: { type: 'string' } } } } }
    const open = { type: 'function', function: { name: 'open', description: 'Opens.', parameters } } as const
    const { tools } = encode({ tools: [spec, open], strictTools: true })
    expect(tools?.map((tool) => tool.function)).toMatchObject([{ strict: true }, open.function])
    expect(tools?.[1]?.function).not.toHaveProperty('strict')
    expect(encode({ tools: [spec] }).tools?.[0]?.function).not.toHaveProperty('strict')
  })

  it('T4-3: omits the tools key and all options for tools if there are no tools', () => {
    for (const tools of [undefined, []]) {
      expect(Object.keys(encode({ tools, toolChoice: 'required', parallelToolCalls: false }))).toEqual(['model', 'messages'])
    }
  })

  it('writes each tool choice', () => {
    const choice = (toolChoice: LMRequest['toolChoice']) => encode({ tools: [spec], toolChoice }).tool_choice
    expect(choice('auto')).toBe('auto')
    expect(choice('none')).toBe('none')
    expect(choice('required')).toBe('required')
    expect(choice({ name: 'search' })).toEqual({ type: 'function', function: { name: 'search' } })
    expect(encode({ tools: [spec] })).not.toHaveProperty('tool_choice')
  })

  it('requests one call at a time if asked to', () => {
    expect(encode({ tools: [spec], parallelToolCalls: false }).parallel_tool_calls).toBe(false)
    expect(encode({ tools: [spec] })).not.toHaveProperty('parallel_tool_calls')
  })
})

describe('encoding settings', () => {
  it('writes every setting under its name in this API', () => {
    const settings = { temperature: 0, topP: 0.5, maxOutputTokens: 9, stop: ['END'], seed: 7 }
    expect(encode({ settings })).toMatchObject({
      temperature: 0,
      top_p: 0.5,
      max_completion_tokens: 9,
      stop: ['END'],
      seed: 7,
    })
  })

  it("omits settings that aren't set", () => {
    expect(Object.keys(encode({ settings: { temperature: undefined } }))).toEqual(['model', 'messages'])
  })

  it('requests a stream with usage', () => {
    expect(encode({}, true)).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(encode({}, false)).not.toHaveProperty('stream')
  })

  it('merges provider options, which take precedence', () => {
    const body = encode({ settings: { temperature: 0 }, providerOptions: { temperature: 1, reasoning_effort: 'low' } })
    expect(body).toMatchObject({ temperature: 1, reasoning_effort: 'low' })
  })

  it('returns JSON, and accepts a frozen request', () => {
    const request = Object.freeze({ messages: Object.freeze([Object.freeze({ ...user })]), tools: Object.freeze([spec]) })
    const body = openaiChat.encode(request, 'm', { stream: true })
    expect(JSON.parse(JSON.stringify(body))).toEqual(body)
  })
})
