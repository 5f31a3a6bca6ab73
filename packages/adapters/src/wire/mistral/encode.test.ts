import { defineTool, toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type LMRequest, type Message, toContent } from '../../index.ts'
import type { Loss } from '../../shaping/loss.ts'
import { mistral } from '../index.ts'

const spec = toSpec(
  defineTool({ name: 'search', description: 'Searches.', args: Type.Object({ q: Type.String() }), execute: () => [] }),
)
const user: Message = { role: 'user', content: 'Hello' }
const png = { type: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } } as const
const encode = (request: Partial<LMRequest>) => {
  const losses: Loss[] = []
  const body = mistral.encode({ messages: [user], ...request }, 'my-model', { onLoss: (loss) => losses.push(loss) })
  return { body, losses }
}
const wire = (message: Message) => encode({ messages: [message] }).body.messages[0]

describe('encoding messages', () => {
  it('writes text', () => {
    expect(wire({ role: 'system', content: 'Be kind.' })).toEqual({ role: 'system', content: 'Be kind.' })
    expect(wire(user)).toEqual({ role: 'user', content: 'Hello' })
    expect(wire({ role: 'assistant', content: 'Hi', reasoning: 'hm' })).toEqual({ role: 'assistant', content: 'Hi' })
  })

  it('writes calls and results with the same valid id, and a result with the name of its tool', () => {
    const toolCalls = [{ id: 'call_1_0', name: 'search', arguments: '{"q": "tea"' }]
    const { messages } = encode({
      messages: [
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', callId: 'call_1_0', name: 'search', content: 'Error: none', isError: true },
      ],
    }).body
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'k6zWESK4S', type: 'function', function: { name: 'search', arguments: '{"q": "tea"' } }],
      },
      { role: 'tool', tool_call_id: 'k6zWESK4S', name: 'search', content: 'Error: none' },
    ])
  })

  it('leaves out an assistant message without content and calls, which the API rejects in every later request', () => {
    const empty: Message = { role: 'assistant', content: '' }
    const result: Message = { role: 'tool', callId: 'EscTeQY62', name: 'search', content: 'x' }
    const { body, losses } = encode({ messages: [user, empty, user, result, empty, user] })
    expect(body.messages.map(({ role, content }) => `${role} ${content}`)).toEqual([
      ...['user Hello', 'user Hello', 'tool x', 'assistant OK', 'user Hello'],
    ])
    expect(losses).toEqual(
      [1, 4].map((index) => ({
        ...{ path: `/messages/${index}`, keyword: 'content', action: 'dropped' },
        note: 'an empty message, which this API rejects',
      })),
    )
  })

  it("sends Mistral's own ids back unchanged", () => {
    const message = wire({ role: 'tool', callId: 'EscTeQY62', name: 'search', content: 'x' })
    expect(message).toMatchObject({ tool_call_id: 'EscTeQY62' })
  })

  it('writes images, documents and audio as URLs or base64 data', () => {
    const source = { url: 'https://a.example/b' }
    const parts = [
      { type: 'text', text: 'See' },
      png,
      { type: 'file', mediaType: 'application/pdf', source, name: 'b.pdf' },
      { type: 'file', mediaType: 'audio/wav', source: { base64: 'BBBB' } },
    ] as const
    const { body, losses } = encode({ messages: [{ role: 'user', ...toContent(parts) }] })
    expect(body.messages[0]?.content).toEqual([
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: 'data:image/png;base64,AAAA' },
      { type: 'document_url', document_url: 'https://a.example/b', document_name: 'b.pdf' },
      { type: 'input_audio', input_audio: 'BBBB' },
    ])
    expect(losses).toEqual([])
  })

  it('names a video in the text, and reports it as lost', () => {
    const film = { type: 'file', mediaType: 'video/mp4', source: { base64: 'CCCC' } } as const
    const { body, losses } = encode({ messages: [{ role: 'user', ...toContent([film]) }] })
    expect(body.messages[0]).toEqual({ role: 'user', content: '[video/mp4]' })
    expect(losses).toEqual([{ path: '/messages/0/parts/0', keyword: 'file', action: 'dropped' }])
  })

  it('sends images in results in a user message after the results', () => {
    const message: Message = { role: 'tool', callId: 'EscTeQY62', name: 'search', ...toContent([png]) }
    const { body, losses } = encode({ messages: [message, message] })
    expect(body.messages.map(({ role }) => role)).toEqual(['tool', 'tool', 'assistant', 'user'])
    expect(body.messages[0]).toMatchObject({ content: '[image/png]' })
    expect(body.messages[3]?.content).toMatchObject([{ type: 'text' }, { image_url: 'data:image/png;base64,AAAA' }, {}, {}])
    expect(losses).toEqual([])
  })

  it('never sends a user message directly after a result', () => {
    const result: Message = { role: 'tool', callId: 'EscTeQY62', name: 'search', content: 'Found.' }
    const { messages } = encode({ messages: [user, result, user, user] }).body
    expect(messages.map(({ content }) => content)).toEqual(['Hello', 'Found.', 'OK', 'Hello', 'Hello'])
    expect(encode({ messages: [user, result] }).body.messages).toHaveLength(2)
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

describe('encoding thinking', () => {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], closed: true }
  const text = { type: 'text', text: 'Hi' }
  const reference = { type: 'reference', reference_ids: [1] }
  const back = (content: string, blocks: unknown) =>
    wire({ role: 'assistant', content, metadata: { mistral: { content: blocks } } })?.content

  it('sends the parts back unchanged', () => {
    expect(back('Hi', [thinking, text, reference])).toEqual([thinking, text, reference])
  })

  it('prefers edited text', () => {
    expect(back('Ho', [thinking, text, reference])).toEqual([thinking, { type: 'text', text: 'Ho' }])
    expect(back('', [thinking, text])).toEqual([thinking])
  })

  it("ignores metadata of another provider, and values that aren't a list of parts", () => {
    const metadata = { gemini: { content: [thinking] } }
    expect(wire({ role: 'assistant', content: 'Hi', metadata })).toEqual({ role: 'assistant', content: 'Hi' })
    for (const blocks of [undefined, 5, 'x', {}, [], [null, 5, {}]]) expect(back('Hi', blocks)).toBe('Hi')
  })
})

describe('encoding tools', () => {
  it('sends the canonical specs unchanged, and nothing about tools if there are none', () => {
    expect(encode({ tools: [spec] }).body.tools?.[0]).toBe(spec)
    const { body } = encode({ tools: [], toolChoice: 'required', parallelToolCalls: false })
    expect(Object.keys(body)).toEqual(['model', 'messages', 'stream'])
  })

  it('writes each tool choice', () => {
    const choice = (toolChoice: LMRequest['toolChoice']) => encode({ tools: [spec], toolChoice }).body.tool_choice
    expect(choice('auto')).toBe('auto')
    expect(choice('none')).toBe('none')
    expect(choice('required')).toBe('any')
    expect(choice({ name: 'search' })).toEqual({ type: 'function', function: { name: 'search' } })
    expect(encode({ tools: [spec] }).body).not.toHaveProperty('tool_choice')
  })

  it('requests one call at a time if asked to', () => {
    expect(encode({ tools: [spec], parallelToolCalls: false }).body.parallel_tool_calls).toBe(false)
    expect(encode({ tools: [spec] }).body).not.toHaveProperty('parallel_tool_calls')
  })
})

describe('encoding other fields', () => {
  it('writes settings under their names in this API, and reports the unsupported one', () => {
    const settings = { temperature: 0, topP: 1, topK: 5, maxOutputTokens: 9, stop: ['x'], seed: 7, presencePenalty: 0.1 }
    const { body, losses } = encode({ settings: { ...settings, frequencyPenalty: 0.2 } })
    expect(body).toEqual({
      model: 'my-model',
      messages: [user],
      temperature: 0,
      top_p: 1,
      max_tokens: 9,
      stop: ['x'],
      random_seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      stream: false,
    })
    expect(losses).toEqual([{ path: '/settings/topK', keyword: 'topK', action: 'dropped' }])
  })

  it('requests JSON, with a schema if there is one', () => {
    const schema = { type: 'object' }
    expect(encode({ responseFormat: { type: 'json' } }).body.response_format).toEqual({ type: 'json_object' })
    const { body, losses } = encode({ responseFormat: { type: 'json', schema, name: 'tea', description: 'A tea.' } })
    const json_schema = { name: 'tea', description: 'A tea.', schema }
    expect(body.response_format).toEqual({ type: 'json_schema', json_schema })
    expect(losses).toEqual([{ path: '/responseFormat/schema', keyword: 'strict', action: 'refused' }])
  })

  it('writes whether to stream, and merges provider options', () => {
    const body = mistral.encode({ messages: [user], providerOptions: { safe_prompt: true } }, 'm', { stream: true })
    expect(body).toMatchObject({ stream: true, safe_prompt: true })
  })
})
