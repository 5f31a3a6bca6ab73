import { defineTool, toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type LMRequest, type Message, toContent } from '../../index.ts'
import type { Loss } from '../../shaping/loss.ts'
import { cohereV2 } from '../index.ts'
import { encodeRequest } from './encode.ts'

const [search, fetch] = ['search', 'fetch'].map((name) =>
  toSpec(defineTool({ name, description: 'A tool.', args: Type.Object({ q: Type.String() }), execute: () => [] })),
) as [NonNullable<LMRequest['tools']>[number], NonNullable<LMRequest['tools']>[number]]
const user: Message = { role: 'user', content: 'Hello' }
const png = { type: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } } as const
const pdf = { type: 'file', mediaType: 'application/pdf', source: { base64: 'BBBB' }, name: 'b.pdf' } as const
const encode = (request: Partial<LMRequest>) => {
  const losses: Loss[] = []
  const body = cohereV2.encode({ messages: [user], ...request }, 'my-model', { onLoss: (loss) => losses.push(loss) })
  return { body, losses }
}
const wire = (message: Message) => encode({ messages: [message] }).body.messages[0]

describe('encoding messages', () => {
  it('writes text', () => {
    expect(wire({ role: 'system', content: 'Be kind.' })).toEqual({ role: 'system', content: 'Be kind.' })
    expect(wire(user)).toEqual({ role: 'user', content: 'Hello' })
    expect(wire({ role: 'assistant', content: 'Hi', reasoning: 'hm' })).toEqual({ role: 'assistant', content: 'Hi' })
  })

  it('writes calls and results', () => {
    const toolCalls = [{ id: 'a', name: 'search', arguments: '{"q": "tea"' }]
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'search', arguments: '{"q": "tea"' } }]
    expect(wire({ role: 'assistant', content: '', toolCalls })).toEqual({ role: 'assistant', tool_calls })
    expect(wire({ role: 'assistant', content: 'Looking.', toolCalls })).toMatchObject({ content: 'Looking.', tool_calls })
    const result = wire({ role: 'tool', callId: 'a', name: 'search', content: 'Error: none', isError: true })
    expect(result).toEqual({ role: 'tool', tool_call_id: 'a', content: 'Error: none' })
  })

  it("writes the user's images, and names files in the text and reports them as lost", () => {
    const { body, losses } = encode({ messages: [{ role: 'user', ...toContent([{ type: 'text', text: 'See' }, png, pdf]) }] })
    expect(body.messages[0]?.content).toEqual([
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: '[b.pdf, application/pdf]' },
    ])
    expect(losses).toEqual([{ path: '/messages/0/parts/2', keyword: 'file', action: 'dropped' }])
  })

  it('sends images in results in a user message after the results, and names other files', () => {
    const pdf = { type: 'file', mediaType: 'application/pdf', source: { base64: 'BBBB' } } as const
    const { body, losses } = encode({ messages: [{ role: 'tool', callId: 'a', name: 'search', ...toContent([pdf, png]) }] })
    expect(body.messages).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '[application/pdf]\n[image/png]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'In the result of "search" (call a):' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ])
    expect(losses).toEqual([{ path: '/messages/0/parts/0', keyword: 'file', action: 'dropped' }])
  })

  it('pitfall 2: writes empty arguments as an empty object', () => {
    const toolCalls = ['', ' ', '{"q": 1}', 'no'].map((text) => ({ id: 'EscTeQY62', name: 'search', arguments: text }))
    const message = wire({ role: 'assistant', content: '', toolCalls })
    const texts = message?.role === 'assistant' && message.tool_calls?.map((call) => call.function.arguments)
    expect(texts).toEqual(['{}', '{}', '{"q": 1}', 'no'])
  })

  it('converts a message once, however often it is sent', () => {
    expect(encode({}).body.messages[0]).toBe(encode({}).body.messages[0])
  })
})

describe('encoding metadata', () => {
  const thinking = { type: 'thinking', thinking: 'hm' }
  const text = { type: 'text', text: 'Hi' }
  const toolCalls = [{ id: 'a', name: 'search', arguments: '{}' }]
  const back = (content: string, kept: object, calls = toolCalls) =>
    wire({ role: 'assistant', content, toolCalls: calls, metadata: { 'cohere-v2': kept } })

  it('sends the plan only with calls', () => {
    expect(back('', { tool_plan: 'I will search.' })).toMatchObject({ tool_plan: 'I will search.' })
    expect(back('', { tool_plan: 'I will search.' })).not.toHaveProperty('content')
    expect(back('Hi', { tool_plan: 'I will search.' }, [])).toEqual({ role: 'assistant', content: 'Hi' })
  })

  it('sends thinking in its original position, and prefers edited text', () => {
    expect(back('Hi', { content: [thinking, text] })).toMatchObject({ content: [thinking, text] })
    expect(back('Ho', { content: [thinking, text] })).toMatchObject({ content: [thinking, { type: 'text', text: 'Ho' }] })
    expect(back('', { content: [thinking, text] })).toMatchObject({ content: [thinking] })
  })

  it("doesn't send citations, and ignores metadata of other providers", () => {
    expect(back('Hi', { citations: [{ start: 0 }] }, [])).toEqual({ role: 'assistant', content: 'Hi' })
    const metadata = { mistral: { content: [thinking] } }
    expect(wire({ role: 'assistant', content: 'Hi', metadata })).toEqual({ role: 'assistant', content: 'Hi' })
  })
})

describe('encoding tools', () => {
  it('sends the canonical specs unchanged, and nothing about tools if there are none', () => {
    expect(encode({ tools: [search] }).body.tools?.[0]).toBe(search)
    const { body } = encode({ tools: [], toolChoice: 'required', parallelToolCalls: false })
    expect(Object.keys(body)).toEqual(['model', 'messages', 'stream'])
  })

  it('writes each tool choice, and omits auto', () => {
    const choice = (toolChoice: LMRequest['toolChoice']) => encode({ tools: [search], toolChoice }).body
    expect(choice('auto')).not.toHaveProperty('tool_choice')
    expect(choice('none')).toMatchObject({ tool_choice: 'NONE', tools: [search] })
    expect(choice('required').tool_choice).toBe('REQUIRED')
  })

  it('sends only the tool that must be called', () => {
    const { body, losses } = encode({ tools: [search, fetch], toolChoice: { name: 'fetch' } })
    expect(body).toMatchObject({ tool_choice: 'REQUIRED', tools: [fetch] })
    expect(losses).toEqual([])
  })

  it("reports that a missing tool can't be forced", () => {
    const { body, losses } = encode({ tools: [search], toolChoice: { name: 'grep' } })
    expect(body).toMatchObject({ tool_choice: 'REQUIRED', tools: [search] })
    expect(losses).toMatchObject([{ path: '/toolChoice', keyword: 'named', action: 'widened' }])
  })

  it("reports that parallel calls can't be limited", () => {
    const loss = { path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' }
    expect(encode({ tools: [search], parallelToolCalls: false }).losses).toEqual([loss])
    expect(encode({ tools: [search], parallelToolCalls: true }).losses).toEqual([])
  })

  it('uses strict mode for all tools or for none', () => {
    const shaped = (strict: boolean) => ({
      name: search.function.name,
      tool: search,
      losses: [],
      strict,
      restores: false,
      restore: (args: Readonly<Record<string, unknown>>) => args,
    })
    const strictOf = (...tools: boolean[]) => {
      const losses: Loss[] = []
      const body = encodeRequest({
        model: 'm',
        stream: false,
        messages: [],
        tools: tools.map(shaped),
        deferred: [],
        toolChoice: undefined,
        parallelToolCalls: undefined,
        request: { messages: [], strictTools: true },
        settings: {},
        reasoning: undefined,
        facts: { source: 'unknown' },
        lose: (loss) => losses.push(loss),
      })
      return [body.strict_tools, losses.map(({ path, action }) => [path, action])]
    }
    expect(strictOf(true, true)).toEqual([true, []])
    expect(strictOf(true, false)).toEqual([undefined, [['/strictTools', 'refused']]])
    expect(strictOf(false, false)).toEqual([undefined, []])
    expect(encode({ tools: [search] }).body).not.toHaveProperty('strict_tools')
    expect(encode({ tools: [search], strictTools: true }).losses).toMatchObject([{ tool: 'search', keyword: 'strict' }])
  })
})

describe('encoding other fields', () => {
  it('writes every setting under its name in this API', () => {
    const settings = { temperature: 0, topP: 0.9, topK: 5, maxOutputTokens: 9, stop: ['x'], seed: 7, presencePenalty: 0.1 }
    const { body, losses } = encode({ settings: { ...settings, frequencyPenalty: 0.2 } })
    expect(body).toEqual({
      model: 'my-model',
      messages: [user],
      temperature: 0,
      p: 0.9,
      k: 5,
      max_tokens: 9,
      stop_sequences: ['x'],
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      stream: false,
    })
    expect(losses).toEqual([])
  })

  it('requests JSON, with a schema if there is one', () => {
    const schema = { type: 'object' }
    expect(encode({ responseFormat: { type: 'json' } }).body.response_format).toEqual({ type: 'json_object' })
    const { body, losses } = encode({ responseFormat: { type: 'json', schema, description: 'A tea.' } })
    expect(body.response_format).toEqual({ type: 'json_object', json_schema: schema })
    expect(losses).toEqual([{ path: '/responseFormat/description', keyword: 'description', action: 'dropped' }])
  })

  it("reports that JSON can't be requested together with tools", () => {
    const { body, losses } = encode({ tools: [search], responseFormat: { type: 'json' } })
    expect(body).not.toHaveProperty('response_format')
    expect(losses).toMatchObject([{ path: '/responseFormat', keyword: 'responseFormat', action: 'dropped' }])
  })

  it('writes whether to stream', () => {
    expect(cohereV2.encode({ messages: [user] }, 'm', { stream: true }).stream).toBe(true)
  })
})
