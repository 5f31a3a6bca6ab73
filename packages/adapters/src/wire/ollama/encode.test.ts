import { defineTool, toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type LMRequest, type Message, toContent } from '../../index.ts'
import type { Loss } from '../../shaping/loss.ts'
import { ollama } from '../index.ts'

const [search, fetch] = ['search', 'fetch'].map((name) =>
  toSpec(defineTool({ name, description: 'A tool.', args: Type.Object({ q: Type.String() }), execute: () => [] })),
) as [NonNullable<LMRequest['tools']>[number], NonNullable<LMRequest['tools']>[number]]
const user: Message = { role: 'user', content: 'Hello' }
const png = { type: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } } as const
const linked = { type: 'image', mediaType: 'image/png', source: { url: 'https://a.example/b.png' } } as const
const encode = (request: Partial<LMRequest>) => {
  const losses: Loss[] = []
  const body = ollama.encode({ messages: [user], ...request }, 'my-model', { onLoss: (loss) => losses.push(loss) })
  return { body, losses }
}
const wire = (message: Message) => encode({ messages: [message] }).body.messages[0]

describe('encoding messages', () => {
  it('writes text', () => {
    expect(wire({ role: 'system', content: 'Be kind.' })).toEqual({ role: 'system', content: 'Be kind.' })
    expect(wire(user)).toEqual({ role: 'user', content: 'Hello' })
  })

  it('sends thinking back', () => {
    const message = wire({ role: 'assistant', content: 'Hi', reasoning: 'hm' })
    expect(message).toEqual({ role: 'assistant', content: 'Hi', thinking: 'hm' })
  })

  it('writes calls without ids, and results with the name of their tool', () => {
    const toolCalls = [{ id: 'a', name: 'search', arguments: '{"q": "tea"}' }]
    const tool_calls = [{ function: { name: 'search', arguments: { q: 'tea' } } }]
    expect(wire({ role: 'assistant', content: '', toolCalls })).toEqual({ role: 'assistant', content: '', tool_calls })
    const result = wire({ role: 'tool', callId: 'a', name: 'search', content: 'Error: none', isError: true })
    expect(result).toEqual({ role: 'tool', tool_name: 'search', content: 'Error: none' })
  })

  it('writes arguments as an object: repaired if they are unambiguous, otherwise empty with a loss', () => {
    const argumentsOf = (text: string, truncated = false) => {
      const toolCalls = [{ id: 'a', name: 'search', arguments: text, truncated }]
      const { body, losses } = encode({ messages: [{ role: 'assistant', content: '', toolCalls }] })
      const [message] = body.messages
      return [message?.role === 'assistant' && message.tool_calls?.[0]?.function.arguments, losses]
    }
    expect(argumentsOf('')).toEqual([{}, []])
    expect(argumentsOf('null')).toEqual([{}, []])
    expect(argumentsOf("{'q': 'tea',}")).toEqual([{ q: 'tea' }, []])
    for (const [text, truncated] of [
      ['{"q": "te', true],
      ['[1]', false],
      ['no', false],
    ] as const) {
      const [args, losses] = argumentsOf(text, truncated)
      expect(args).toEqual({})
      expect(losses).toMatchObject([{ path: '/messages/0/toolCalls/0/arguments', keyword: 'arguments', action: 'dropped' }])
    }
  })

  it('sends base64 images next to the text', () => {
    const content = toContent([{ type: 'text', text: 'See' }, png])
    expect(wire({ role: 'user', ...content })).toEqual({ role: 'user', content: 'See', images: ['AAAA'] })
    const result = wire({ role: 'tool', callId: 'a', name: 'search', ...content })
    expect(result).toEqual({ role: 'tool', tool_name: 'search', content: 'See', images: ['AAAA'] })
  })

  it('names lost media in the text', () => {
    const { body, losses } = encode({ messages: [{ role: 'user', ...toContent([png, { type: 'text', text: 'See' }, linked]) }] })
    expect(body.messages[0]).toEqual({ role: 'user', content: 'See\n[image/png]', images: ['AAAA'] })
    expect(losses).toEqual([{ path: '/messages/0/parts/2', keyword: 'image', action: 'dropped' }])
    const file = { type: 'file', mediaType: 'text/csv', source: { base64: 'BBBB' } } as const
    expect(encode({ messages: [{ role: 'user', ...toContent([file]) }] })).toMatchObject({
      body: { messages: [{ role: 'user', content: '[text/csv]' }] },
      losses: [{ path: '/messages/0/parts/0', keyword: 'file', action: 'dropped' }],
    })
  })

  it('converts a message once, however often it is sent', () => {
    expect(encode({}).body.messages[0]).toBe(encode({}).body.messages[0])
  })
})

describe('encoding tools', () => {
  const choose = (toolChoice: LMRequest['toolChoice']) => encode({ tools: [search, fetch], toolChoice })

  it('sends the canonical specs unchanged, and no key if there are none', () => {
    expect(encode({ tools: [search] }).body.tools?.[0]).toBe(search)
    expect(Object.keys(encode({ tools: [] }).body)).toEqual(['model', 'messages', 'stream'])
  })

  it('sends no choice for auto, and no tools for none', () => {
    expect(choose('auto')).toMatchObject({ body: { tools: [search, fetch] }, losses: [] })
    expect(choose('none').body).not.toHaveProperty('tools')
    expect(choose('none').losses).toMatchObject([{ path: '/toolChoice', keyword: 'none', action: 'dropped' }])
  })

  it("reports that calls can't be forced, and sends only a tool that must be called", () => {
    const loss = { path: '/toolChoice', action: 'refused' }
    expect(choose('required')).toMatchObject({ body: { tools: [search, fetch] }, losses: [{ ...loss, keyword: 'required' }] })
    expect(choose({ name: 'fetch' }).body.tools).toEqual([fetch])
    expect(choose({ name: 'fetch' }).losses).toMatchObject([{ ...loss, keyword: 'named' }])
    expect(choose({ name: 'grep' })).toMatchObject({ body: { tools: [search, fetch] }, losses: [{ ...loss, keyword: 'named' }] })
    expect(choose('required').body).not.toHaveProperty('tool_choice')
  })

  it("reports that parallel calls can't be limited", () => {
    const loss = { path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' }
    expect(encode({ tools: [search], parallelToolCalls: false }).losses).toEqual([loss])
    expect(encode({ tools: [search], parallelToolCalls: true }).losses).toEqual([])
  })
})

describe('encoding other fields', () => {
  it('writes every setting under its name in this API', () => {
    const settings = { temperature: 0, topP: 0.9, topK: 5, maxOutputTokens: 9, stop: ['x'], seed: 7, presencePenalty: 0.1 }
    const { body, losses } = encode({ settings: { ...settings, frequencyPenalty: 0.2 } })
    expect(body.options).toEqual({
      temperature: 0,
      top_p: 0.9,
      top_k: 5,
      num_predict: 9,
      stop: ['x'],
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
    })
    expect(losses).toEqual([])
    expect(encode({ settings: { stop: [] } }).body).not.toHaveProperty('options')
  })

  it('requests JSON, with a schema if there is one', () => {
    const schema = { type: 'object' }
    expect(encode({ responseFormat: { type: 'json' } }).body.format).toBe('json')
    const { body, losses } = encode({ responseFormat: { type: 'json', schema, description: 'A tea.' } })
    expect(body.format).toEqual(schema)
    expect(losses).toEqual([{ path: '/responseFormat/description', keyword: 'description', action: 'dropped' }])
  })

  it("disables streaming, which is the server's default", () => {
    expect(encode({}).body.stream).toBe(false)
    expect(ollama.encode({ messages: [user] }, 'm', { stream: true }).stream).toBe(true)
  })

  it('merges provider options into its own', () => {
    const { body } = encode({ settings: { seed: 7 }, providerOptions: { think: true, options: { num_ctx: 8192 } } })
    expect(body).toMatchObject({ think: true, options: { seed: 7, num_ctx: 8192 } })
  })
})
