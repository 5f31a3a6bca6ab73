import type { ToolSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import type { LMRequest, Message, UserMessage } from '../index.ts'
import type { Loss } from '../shaping/loss.ts'
import type { ToolRules } from '../shaping/rules/tool-rules.ts'
import { defineWire } from './define-wire.ts'
import { anthropicMessages, defineOpenAIChatHost, gemini, openaiChat, openaiChatHosts, openaiChatProfiles } from './index.ts'

const spec = (name: string, description = 'Searches.'): ToolSpec => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: { q: { type: 'string' } } } },
})
const longId = `call_${'x'.repeat(60)}`
const called: readonly Message[] = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: '', toolCalls: [{ id: longId, name: 'a.b', arguments: '{}' }] },
]
const answered: Message = { role: 'tool', callId: longId, name: 'a.b', content: '1' }

describe('a conversation on two wire formats', () => {
  it.each([
    ['openai-chat', 'groq', openaiChat, openaiChatHosts.groq],
    ['groq', 'openai-chat', openaiChatHosts.groq, openaiChat],
    ['openai-chat', 'gemini', openaiChat, gemini],
    ['anthropic-messages', 'openai-chat', anthropicMessages, openaiChat],
  ])("%s doesn't affect a later request for %s", (_, __, first, second) => {
    const tools = [spec('a.b')]
    first.encode({ messages: called, tools }, 'm')
    const messages = [...called, answered]
    const fresh = structuredClone({ messages, tools: [spec('a.b')] })
    expect(second.encode({ messages, tools }, 'm')).toEqual(second.encode(fresh, 'm'))
  })
})

describe('a cached conversion', () => {
  it('is repeated for a message that was changed', () => {
    const message: { -readonly [Key in keyof UserMessage]: UserMessage[Key] } = { role: 'user', content: 'one' }
    openaiChat.encode({ messages: [message] }, 'm')
    message.content = 'two'
    expect(JSON.stringify(openaiChat.encode({ messages: [message] }, 'm'))).toContain('"two"')
  })

  it('is repeated for a tool that was changed, also if the tool was renamed', () => {
    for (const name of ['search', 'a.search']) {
      const tool = spec(name)
      const request: LMRequest = { messages: called, tools: [tool] }
      openaiChat.encode(request, 'm')
      Object.assign(tool.function, { description: 'Finds.' })
      expect(JSON.stringify(openaiChat.encode(request, 'm'))).toContain('Finds.')
    }
  })

  it("can't be changed through the body", () => {
    const body = openaiChat.encode({ messages: called }, 'm')
    expect(() => Object.assign(body.messages[0] as object, { content: 'changed' })).toThrow(TypeError)
  })

  it('depends on the rules themselves, not on their id', () => {
    const { toolRules } = openaiChatProfiles.vllm
    const shortNames: ToolRules = { ...toolRules, names: { ...toolRules.names, maxLength: 8 } }
    const request: LMRequest = { messages: called, tools: [spec('search_the_web')] }
    openaiChatHosts.vllm.encode(request, 'm')
    const host = defineOpenAIChatHost({ ...openaiChatProfiles.vllm, name: 'mine', toolRules: shortNames })
    expect(host.encode(request, 'm').tools?.[0]?.function.name).toHaveLength(8)
  })
})

describe('a tool choice without tools', () => {
  it('is reported as lost if a call was required', () => {
    const losses: Loss[] = []
    openaiChat.encode({ messages: called, toolChoice: 'required' }, 'm', { onLoss: (loss) => losses.push(loss) })
    expect(losses).toMatchObject([{ path: '/toolChoice', action: 'refused' }])
    openaiChat.encode({ messages: called, toolChoice: 'auto' }, 'm', { onLoss: (loss) => losses.push(loss) })
    expect(losses).toHaveLength(1)
  })
})

describe('a minimal wire format', () => {
  const least = defineWire({
    name: 'least',
    path: '/',
    toolRules: () => ({ ...openaiChatProfiles.vllm.toolRules, id: 'least' }),
    encode: ({ tools, messages, toolChoice }) => ({ tools: tools.map(({ tool }) => tool.function.name), messages, toolChoice }),
    decode: (reply, ids) => ({
      text: '',
      toolCalls: (reply as string[]).map((name) => ({ id: ids.take(undefined), name, arguments: '{"q":1}' })),
      finishReason: 'stop',
    }),
    streamDecoder: (ids) => ({
      push: (name) => [
        { type: 'finish', finishReason: 'stop' },
        { type: 'call_start', index: 0, id: ids.take(undefined), name: name as string },
      ],
      end: () => [{ type: 'call_end', index: 0 }],
    }),
  })
  const request: LMRequest = { messages: called, tools: [spec('a.b'), spec('a_b')], toolChoice: { name: 'a.b' } }

  it('receives only names and ids that are valid for the API', () => {
    const body = least.encode(request, 'm')
    expect(new Set(body.tools).size).toBe(2)
    for (const name of body.tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(body.toolChoice).toEqual({ name: body.tools[0] })
    expect(body.messages[1]).toMatchObject({ toolCalls: [{ name: body.tools[0] }] })
  })

  it("restores the original names of tools, and generates ids that the conversation doesn't contain", () => {
    const { tools } = least.encode(request, 'm')
    const { toolCalls, finishReason } = least.decode(tools, request)
    expect(toolCalls.map(({ name }) => name)).toEqual(['a.b', 'a_b'])
    expect(new Set([longId, ...toolCalls.map(({ id }) => id)]).size).toBe(3)
    expect(finishReason).toBe('tool-calls')
  })

  it('pitfall 1: corrects a finish reason that arrived before the call', () => {
    const decoder = least.streamDecoder(request)
    const deltas = [...decoder.push('a_b'), ...decoder.end()]
    expect(deltas.filter(({ type }) => type === 'finish').at(-1)).toEqual({ type: 'finish', finishReason: 'tool-calls' })
  })
})
