import { describe, expect, it } from 'vitest'
import { type ContentPart, type LMRequest, type Message, toContent } from '../../index.ts'
import type { Loss } from '../../shaping/loss.ts'
import { openaiChatHosts } from '../index.ts'
import { openaiChat } from './wire.ts'

function encode(request: Partial<LMRequest>) {
  const losses: Loss[] = []
  const body = openaiChat.encode({ messages: [], ...request }, 'm', { onLoss: (loss) => losses.push(loss) })
  return { body, message: body.messages[0], losses }
}
const user = (...parts: ContentPart[]): Message => ({ role: 'user', ...toContent(parts) })
const text = { type: 'text', text: 'See' } as const
const image = { type: 'image', mediaType: 'image/png', source: { base64: 'QUJD' } } as const

describe('parts of a message', () => {
  it('may be images, as base64 data or URLs', () => {
    const linked = { ...image, source: { url: 'https://a.test/b.png' } }
    expect(encode({ messages: [user(text, image, linked)] }).message).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
        { type: 'image_url', image_url: { url: 'https://a.test/b.png' } },
      ],
    })
  })

  it('may be audio and documents', () => {
    const sound = { type: 'file', mediaType: 'audio/wav', source: { base64: 'QUJD' } } as const
    const pdf = { type: 'file', mediaType: 'application/pdf', source: { base64: 'QUJD' }, name: 'a.pdf' } as const
    expect(encode({ messages: [user(sound, pdf)] }).message).toMatchObject({
      content: [
        { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
      ],
    })
  })

  it("are named in the text if the API doesn't support them", () => {
    const film = { type: 'file', mediaType: 'video/mp4', source: { base64: 'QUJD' }, name: 'a.mp4' } as const
    const linked = { type: 'file', mediaType: 'application/pdf', source: { url: 'https://a.test/a.pdf' } } as const
    const { message, losses } = encode({ messages: [user(film, image, linked)] })
    expect(message).toMatchObject({
      content: [{ type: 'text', text: '[a.mp4, video/mp4]' }, { type: 'image_url' }, { type: 'text', text: '[application/pdf]' }],
    })
    expect(losses.map(({ path }) => path)).toEqual(['/messages/0/parts/0', '/messages/0/parts/2'])
  })

  it('are joined into one text if all of them are text', () => {
    expect(encode({ messages: [user(text, text)] }).message).toEqual({ role: 'user', content: 'See\nSee' })
  })

  const result = (callId: string, ...parts: ContentPart[]): Message => ({
    role: 'tool',
    callId,
    name: 'look',
    ...toContent(parts),
  })
  const label = (callId: string) => ({ type: 'text', text: `In the result of "look" (call ${callId}):` })
  const sent = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }

  it('are sent in one user message after the results if they belong to results', () => {
    const results = [result('a', text, image), result('b', text), result('c', image, image)]
    const { body, losses } = encode({ messages: [...results, user(text), result('d', image)] })
    expect(body.messages).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'See\n[image/png]' },
      { role: 'tool', tool_call_id: 'b', content: 'See' },
      { role: 'tool', tool_call_id: 'c', content: '[image/png]\n[image/png]' },
      { role: 'user', content: [label('a'), sent, label('c'), sent, sent] },
      { role: 'user', content: 'See' },
      { role: 'tool', tool_call_id: 'd', content: '[image/png]' },
      { role: 'user', content: [label('d'), sent] },
    ])
    expect(losses).toEqual([])
  })

  it("are named in the text of a result and reported as lost if the host doesn't support them", () => {
    const film = { type: 'file', mediaType: 'video/mp4', source: { base64: 'QUJD' } } as const
    const { body, losses } = encode({ messages: [user(text), result('a', film), result('b', film, image)] })
    expect(body.messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '[video/mp4]' },
      { role: 'tool', tool_call_id: 'b', content: '[video/mp4]\n[image/png]' },
      { role: 'user', content: [label('b'), sent] },
    ])
    expect(losses.map(({ path }) => path)).toEqual(['/messages/1/parts/0', '/messages/2/parts/0'])
    const { deepseek } = openaiChatHosts
    expect(deepseek.encode({ messages: [result('b', image)] }, 'm').messages).toHaveLength(1)
  })
})

describe('ids of calls', () => {
  it('are shortened if they are too long for the API, in the same way for a call and its result', () => {
    const id = `call_${'x'.repeat(60)}`
    const other = `${id}y`
    const messages: Message[] = [
      { role: 'assistant', content: '', toolCalls: [id, other].map((one) => ({ id: one, name: 'look', arguments: '{}' })) },
      { role: 'tool', callId: id, name: 'look', content: 'A' },
    ]
    const [turn, result] = encode({ messages }).body.messages
    const ids = turn?.role === 'assistant' ? (turn.tool_calls ?? []).map((call) => call.id) : []
    expect(ids).toHaveLength(2)
    expect(result).toMatchObject({ tool_call_id: ids[0] })
    expect(ids[0]).not.toBe(ids[1])
    for (const one of ids) expect(one.length).toBeLessThanOrEqual(40)
  })
})

describe('the format of a reply', () => {
  const schema = { type: 'object', properties: { q: { type: 'string', minLength: 2 } } }

  it('requests any JSON object, or one that matches a schema', () => {
    expect(encode({ responseFormat: { type: 'json' } }).body.response_format).toEqual({ type: 'json_object' })
    expect(
      encode({ responseFormat: { type: 'json', schema, name: 'answer', description: 'An answer.' } }).body.response_format,
    ).toEqual({ type: 'json_schema', json_schema: { name: 'answer', description: 'An answer.', schema, strict: false } })
    expect(encode({}).body).not.toHaveProperty('response_format')
  })

  it('is strict if strict mode supports the schema', () => {
    const closed = { ...schema, properties: { q: { type: 'string' } }, required: ['q'], additionalProperties: false }
    expect(encode({ responseFormat: { type: 'json', schema: closed } })).toMatchObject({
      body: { response_format: { json_schema: { schema: closed, strict: true } } },
      losses: [],
    })
  })

  it("is sent without strict mode and reported if strict mode doesn't support the schema", () => {
    expect(encode({ responseFormat: { type: 'json', schema } })).toMatchObject({
      body: { response_format: { json_schema: { name: 'response', strict: false } } },
      losses: [{ path: '/responseFormat/schema', keyword: 'strict', action: 'refused' }],
    })
  })
})

describe('settings', () => {
  it('are all sent except topK, which is reported', () => {
    const settings = { presencePenalty: 0.1, frequencyPenalty: 0.2, stop: [], topK: 3 }
    const { body, losses } = encode({ settings })
    expect(body).toMatchObject({ presence_penalty: 0.1, frequency_penalty: 0.2 })
    expect(body).not.toHaveProperty('stop')
    expect(losses).toEqual([{ path: '/settings/topK', keyword: 'topK', action: 'dropped' }])
  })
})
