import { describe, expect, it } from 'vitest'
import { type ContentPart, type LMRequest, type Message, toContent } from '../../index.ts'
import type { Loss } from '../../shaping/loss.ts'
import type { ResponsesInputItem } from './body.ts'
import { openaiResponses } from './wire.ts'

const user: Message = { role: 'user', content: 'Hello' }
const parameters = { type: 'object', properties: { q: { type: 'string' } } }
const tool = { type: 'function', function: { name: 'search', description: 'Searches.', parameters } } as const

function encode(request: Partial<LMRequest>, model = 'gpt-4.1', stream = false) {
  const losses: Loss[] = []
  const body = openaiResponses.encode({ messages: [user], ...request }, model, { stream, onLoss: (loss) => losses.push(loss) })
  return { body, losses }
}
const inputOf = (...messages: Message[]): readonly ResponsesInputItem[] => encode({ messages }).body.input

describe('messages', () => {
  it('are sent as items in order, including system messages', () => {
    expect(inputOf({ role: 'system', content: 'Be kind.' }, user, { role: 'assistant', content: 'Hi' })).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello' },
      { type: 'message', role: 'assistant', content: 'Hi' },
    ])
  })

  it('become one item per call, after the text', () => {
    const toolCalls = [{ id: 'a', name: 'search', arguments: '{"q":' }]
    expect(inputOf({ role: 'assistant', content: 'I look.', toolCalls }, { role: 'assistant', content: '', toolCalls })).toEqual([
      { type: 'message', role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'a', name: 'search', arguments: '{"q":' },
      { type: 'function_call', call_id: 'a', name: 'search', arguments: '{"q":' },
    ])
    expect(inputOf({ role: 'assistant', content: '' })).toEqual([{ role: 'assistant', content: '' }])
  })

  it('contain images and files, also in results', () => {
    const parts: ContentPart[] = [
      { type: 'text', text: 'See' },
      { type: 'image', mediaType: 'image/png', source: { base64: 'QUJD' } },
      { type: 'file', mediaType: 'application/pdf', source: { base64: 'QUJD' } },
      { type: 'file', mediaType: 'text/csv', source: { url: 'https://a.test/a.csv' }, name: 'a.csv' },
    ]
    const content = [
      { type: 'input_text', text: 'See' },
      { type: 'input_image', image_url: 'data:image/png;base64,QUJD', detail: 'auto' },
      { type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,QUJD' },
      { type: 'input_file', file_url: 'https://a.test/a.csv' },
    ]
    const result: Message = { role: 'tool', callId: 'a', name: 'search', ...toContent(parts) }
    expect(inputOf({ role: 'user', ...toContent(parts) }, result)).toEqual([
      { role: 'user', content },
      { type: 'function_call_output', call_id: 'a', output: content },
    ])
  })

  it('name audio in the text, and report it as lost', () => {
    const sound: ContentPart = { type: 'file', mediaType: 'audio/wav', source: { base64: 'QUJD' } }
    const { body, losses } = encode({ messages: [{ role: 'user', ...toContent([sound]) }] })
    expect(body.input).toEqual([{ role: 'user', content: '[audio/wav]' }])
    expect(losses).toMatchObject([{ path: '/messages/0/parts/0', keyword: 'file', action: 'dropped' }])
  })

  it('contain call ids of a valid length, equal in a call and its result', () => {
    const id = 'x'.repeat(80)
    const [call, result] = inputOf(
      { role: 'assistant', content: '', toolCalls: [{ id, name: 'search', arguments: '{}' }] },
      { role: 'tool', callId: id, name: 'search', content: 'A' },
    )
    const callId = call !== undefined && 'call_id' in call ? String(call.call_id) : ''
    expect(callId).toMatch(/^x+_\w+$/)
    expect(callId.length).toBeLessThanOrEqual(64)
    expect(result).toMatchObject({ call_id: callId })
  })
})

describe('tools', () => {
  it('are flat, and always state whether they are strict', () => {
    expect(encode({ tools: [tool] }).body.tools).toEqual([
      { type: 'function', name: 'search', description: 'Searches.', parameters, strict: false },
    ])
  })

  it('are strict if that is requested and their schema supports it', () => {
    const closed = { ...parameters, required: ['q'], additionalProperties: false }
    const strict = { type: 'function', function: { ...tool.function, parameters: closed } } as const
    expect(encode({ tools: [strict], strictTools: true }).body.tools).toMatchObject([{ parameters: closed, strict: true }])
    expect(encode({ tools: [strict] }).body.tools).toMatchObject([{ strict: false }])
  })

  it('are converted once, however often they are sent', () => {
    const tools = [tool]
    expect(encode({ tools }).body.tools?.[0]).toBe(encode({ tools }).body.tools?.[0])
  })

  it('are sent with each tool choice and the switch for parallel calls, which are omitted without tools', () => {
    const choose = (toolChoice: LMRequest['toolChoice']) => encode({ tools: [tool], toolChoice }).body.tool_choice
    expect([choose('auto'), choose('none'), choose('required')]).toEqual(['auto', 'none', 'required'])
    expect(choose({ name: 'search' })).toEqual({ type: 'function', name: 'search' })
    expect(encode({ tools: [tool], parallelToolCalls: false }).body.parallel_tool_calls).toBe(false)
    const { body } = encode({ toolChoice: 'required', parallelToolCalls: false })
    expect(Object.keys(body)).toEqual(['model', 'input', 'store'])
  })
})

describe('the other fields of a request', () => {
  it('contain the settings that this API supports, and the others are reported', () => {
    const settings = { temperature: 0, topP: 0.5, maxOutputTokens: 9, stop: ['x'], seed: 1, topK: 2, presencePenalty: 1 }
    const { body, losses } = encode({ settings })
    expect(body).toMatchObject({ temperature: 0, top_p: 0.5, max_output_tokens: 9 })
    expect(losses.map(({ path }) => path)).toEqual(['stop', 'seed', 'topK', 'presencePenalty'].map((key) => `/settings/${key}`))
  })

  it('request JSON, with a schema if there is one', () => {
    expect(encode({ responseFormat: { type: 'json' } }).body.text).toEqual({ format: { type: 'json_object' } })
    const { body, losses } = encode({ responseFormat: { type: 'json', schema: parameters, name: 'answer' } })
    expect(body.text).toEqual({ format: { type: 'json_schema', name: 'answer', schema: parameters, strict: false } })
    expect(losses).toEqual([{ path: '/responseFormat/schema', keyword: 'strict', action: 'refused' }])
  })

  it('disable storage, and request reasoning that can be sent back from reasoning models', () => {
    for (const model of ['gpt-5.2', 'o3-mini', 'openai/gpt-5', 'openai.gpt-5.6-luna', 'codex-mini-latest', 'gpt-10'])
      expect(encode({}, model).body, model).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    for (const model of ['gpt-4.1', 'gpt-5-chat-latest', 'gpt-4o', 'grok-4', 'my-o3'])
      expect(encode({}, model).body, model).not.toHaveProperty('include')
    expect(encode({ providerOptions: { store: true, include: [] } }, 'gpt-5').body).toMatchObject({ store: true, include: [] })
  })

  it('request a stream', () => {
    expect(encode({}, 'm', true).body.stream).toBe(true)
    expect(encode({}).body).not.toHaveProperty('stream')
  })
})
