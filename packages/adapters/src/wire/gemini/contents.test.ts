import { describe, expect, it } from 'vitest'
import { type AssistantMessage, type ContentPart, type Message, toContent } from '../../index.ts'
import type { Loss } from '../../shaping/loss.ts'
import { gemini } from './wire.ts'

const user: Message = { role: 'user', content: 'Hello' }
const image = { type: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } } as const
const call = (id: string, more: object = {}) => ({ id, name: 'look', arguments: '{"q":1}', ...more })
const result = (callId: string, more: object = {}): Message => ({
  role: 'tool',
  callId,
  name: 'look',
  content: `of ${callId}`,
  ...more,
})

function encode(messages: readonly Message[], model = 'gemini-2.5-pro') {
  const losses: Loss[] = []
  return { ...gemini.encode({ messages }, model, { onLoss: (loss) => losses.push(loss) }), losses }
}
const turn = (message: Omit<AssistantMessage, 'role'>, model?: string) =>
  encode([{ role: 'assistant', ...message }], model).contents[0]?.parts

describe('encoding messages', () => {
  it('writes the system message separately from the turns', () => {
    const { contents, systemInstruction, losses } = encode([{ role: 'system', content: 'Be kind.' }, user])
    expect(systemInstruction).toEqual({ parts: [{ text: 'Be kind.' }] })
    expect(contents).toEqual([{ role: 'user', parts: [{ text: 'Hello' }] }])
    expect(losses).toEqual([])
  })

  it('reports that a later system message loses its position', () => {
    const { systemInstruction, losses } = encode([user, { role: 'system', content: 'Now be brief.' }])
    expect(systemInstruction?.parts).toEqual([{ text: 'Now be brief.' }])
    expect(losses).toEqual([{ path: '/messages/1', keyword: 'position', action: 'dropped' }])
  })

  it('writes images and files in their positions', () => {
    const file = {
      type: 'file',
      mediaType: 'application/pdf',
      name: 'a.pdf',
      source: { url: 'https://files.example/a' },
    } as const
    const { contents, losses } = encode([{ role: 'user', ...toContent([image, { type: 'text', text: 'and' }, file]) }])
    expect(contents[0]?.parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { text: 'and' },
      { fileData: { mimeType: 'application/pdf', fileUri: 'https://files.example/a' } },
    ])
    expect(losses).toEqual([{ path: '/messages/0/parts/2/name', keyword: 'name', action: 'dropped' }])
  })

  it('writes the type of an image with a URL and an unknown type by its extension, and reports one that the API rejects', () => {
    const partOf = (url: string) => {
      const parts: ContentPart[] = [{ type: 'image', mediaType: 'image/*', source: { url } }]
      const { contents, losses } = encode([{ role: 'user', ...toContent(parts) }])
      return [contents[0]?.parts[0]?.fileData?.mimeType, losses.length]
    }
    expect(partOf('https://a.test/b.PNG?width=5')).toEqual(['image/png', 0])
    expect(partOf('gs://bucket/c.webp')).toEqual(['image/webp', 0])
    expect(partOf('https://a.test/b.jpg')).toEqual(['image/jpeg', 0])
    expect(partOf('https://a.test/b')).toEqual(['image/jpeg', 0])
    expect(partOf('https://a.test/b.jpg?from=c.png')).toEqual(['image/jpeg', 0])
    expect(partOf('https://a.test/b#c.svg?d.png')).toEqual(['image/jpeg', 0])
    expect(partOf('https://a.test/b.svg#x')).toEqual([undefined, 1])
  })

  it('never sends a turn without parts', () => {
    expect(encode([{ role: 'user', content: '' }]).contents).toEqual([{ role: 'user', parts: [{ text: '' }] }])
  })

  it("leaves out a model's turn without content, which Vertex rejects in every later request, and empty text beside media", () => {
    const { contents, losses } = encode([user, { role: 'assistant', content: '' }, user])
    expect(contents).toEqual([encode([user]).contents[0], encode([user]).contents[0]])
    expect(losses).toEqual([
      { path: '/messages/1', keyword: 'content', action: 'dropped', note: 'an empty message, which this API rejects' },
    ])
    expect(turn({ content: '', metadata: { gemini: { parts: [{ text: '', thoughtSignature: 'c2ln' }] } } })).toEqual([
      { text: '', thoughtSignature: 'c2ln' },
    ])
    const beside = encode([{ role: 'user', ...toContent([{ type: 'text', text: '' }, image]) }])
    expect(beside.contents[0]?.parts).toEqual([{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }])
  })

  it('converts a message once per model generation, however often it is sent', () => {
    const message: Message = { role: 'assistant', content: '', toolCalls: [call('a')] }
    expect(encode([message]).contents[0]).toBe(encode([message]).contents[0])
    expect(encode([message], 'gemini-3-pro').contents[0]).not.toEqual(encode([message]).contents[0])
  })
})

describe('encoding calls', () => {
  it('writes arguments as an object', () => {
    expect(turn({ content: 'I look.', toolCalls: [call('a')] })).toEqual([
      { text: 'I look.' },
      { functionCall: { id: 'a', name: 'look', args: { q: 1 } } },
    ])
  })

  it('pitfall 2: writes empty arguments as an empty object, without a loss', () => {
    for (const text of ['', ' ', 'null', '{}']) {
      const { contents, losses } = encode([{ role: 'assistant', content: '', toolCalls: [call('a', { arguments: text })] }])
      expect(contents[0]?.parts[0]?.functionCall?.args).toEqual({})
      expect(losses).toEqual([])
    }
  })

  it("reports arguments that aren't an object as lost", () => {
    for (const text of ['{"q": ', '[1]', '7', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`]) {
      const { contents, losses } = encode([user, { role: 'assistant', content: '', toolCalls: [call('a', { arguments: text })] }])
      expect(contents[1]?.parts[0]?.functionCall?.args).toEqual({})
      expect(losses).toMatchObject([{ path: '/messages/1/toolCalls/0/arguments', keyword: 'arguments', action: 'dropped' }])
    }
  })

  it('writes repaired arguments as they were executed, and none for a truncated call', () => {
    const argsOf = (more: object) => turn({ content: '', toolCalls: [call('a', more)] })?.[0]?.functionCall?.args
    expect(argsOf({ arguments: "{'q': 1,}" })).toEqual({ q: 1 })
    expect(argsOf({ truncated: true })).toEqual({})
  })

  it('pitfall 14: sends each signature with its own call', () => {
    const toolCalls = [call('a'), call('b', { metadata: { gemini: { thoughtSignature: 'c2ln' } } })]
    expect(turn({ content: '', toolCalls })?.map(({ thoughtSignature }) => thoughtSignature)).toEqual([undefined, 'c2ln'])
  })

  it('adds a placeholder signature to the first call of another model if the model requires signatures', () => {
    const signatures = (model: string, metadata?: object) =>
      turn({ content: 'I look.', toolCalls: [call('a', { metadata }), call('b')] }, model)?.map(
        ({ thoughtSignature }) => thoughtSignature,
      )
    expect(signatures('gemini-3-flash', { 'openai-chat': { thoughtSignature: 'x' } })).toEqual([
      undefined,
      'skip_thought_signature_validator',
      undefined,
    ])
    expect(signatures('gemini-3-flash', { gemini: { thoughtSignature: 'c2ln' } })).toEqual([undefined, 'c2ln', undefined])
    expect(signatures('gemini-2.5-flash')).toEqual([undefined, undefined, undefined])
  })
})

describe('encoding results', () => {
  const calls: Message = { role: 'assistant', content: '', toolCalls: [call('a'), call('b')] }

  it('writes them into one turn, in the order of the calls', () => {
    const { contents } = encode([calls, result('b', { isError: true }), result('a'), user])
    expect(contents.slice(1)).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'look', response: { output: 'of a' } } },
          { functionResponse: { id: 'b', name: 'look', response: { error: 'of b' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'Hello' }] },
    ])
  })

  it("pitfall 14: writes a JSON result as a string, so that Gemini doesn't interpret `$ref` in it", () => {
    const { contents } = encode([calls, result('a', { content: '{"$ref":"#/x"}' })])
    expect(contents[1]?.parts[0]?.functionResponse?.response).toEqual({ output: '{"$ref":"#/x"}' })
  })

  const withImage = { ...toContent([{ type: 'text', text: 'Here:' }, image]) }

  it('writes unsupported media next to the response, also since Gemini 3', () => {
    const parts: ContentPart[] = [
      { type: 'file', mediaType: 'audio/wav', source: { base64: 'BBBB' } },
      image,
      { type: 'image', mediaType: 'image/png', source: { url: 'https://a.test/b.png' } },
      { type: 'file', mediaType: 'application/pdf', source: { url: 'gs://bucket/c.pdf' } },
    ]
    const { contents, losses } = encode([calls, result('a', toContent(parts)), result('b')], 'gemini-3-pro')
    expect(contents[1]?.parts).toEqual([
      {
        functionResponse: {
          ...{ id: 'a', name: 'look', response: { output: '[audio/wav]\n[image/png]' } },
          parts: [
            { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
            { fileData: { mimeType: 'application/pdf', fileUri: 'gs://bucket/c.pdf' } },
          ],
        },
      },
      { functionResponse: { id: 'b', name: 'look', response: { output: 'of b' } } },
      { inlineData: { mimeType: 'audio/wav', data: 'BBBB' } },
      { fileData: { mimeType: 'image/png', fileUri: 'https://a.test/b.png' } },
    ])
    expect(losses).toEqual([])
  })

  it('writes images into the response since Gemini 3', () => {
    const { contents, losses } = encode([calls, result('a', withImage)], 'gemini-3-pro')
    expect(contents[1]?.parts).toEqual([
      {
        functionResponse: {
          ...{ id: 'a', name: 'look', response: { output: 'Here:' } },
          parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
        },
      },
    ])
    expect(losses).toEqual([])
  })

  it('writes images after all responses before Gemini 3, and names them in the text', () => {
    const { contents } = encode([calls, result('a', withImage), result('b')])
    expect(contents[1]?.parts).toEqual([
      { functionResponse: { id: 'a', name: 'look', response: { output: 'Here:\n[image/png]' } } },
      { functionResponse: { id: 'b', name: 'look', response: { output: 'of b' } } },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
    ])
  })
})

describe('a turn written by the model', () => {
  const thought = { thought: true, text: 'Hm.', thoughtSignature: 'c2lnLTE=' }
  const code = { executableCode: { language: 'PYTHON', code: '1+1' } }
  const parts = [thought, { text: 'Two: ' }, code, { text: 'four.', thoughtSignature: 'c2lnLTI=' }, { functionCall: { id: 'a' } }]
  const message = { content: 'Two: four.', toolCalls: [call('a')], metadata: { gemini: { parts } } }
  const callPart = { functionCall: { id: 'a', name: 'look', args: { q: 1 } } }

  it('is sent back part by part', () => {
    expect(turn(message)).toEqual([...parts.slice(0, 4), callPart])
  })

  it('contains the edited text of the message, and the parts that only the provider can create', () => {
    expect(turn({ ...message, content: 'Three.' })).toEqual([thought, code, { text: 'Three.' }, callPart])
    expect(turn({ ...message, content: '' })).toEqual([thought, code, callPart])
  })

  it('contains the edited calls of the message', () => {
    const added = turn({ ...message, toolCalls: [call('a', { arguments: '{"q":2}' }), call('b')] })
    expect(added?.slice(-2).map(({ functionCall }) => functionCall)).toEqual([
      { id: 'a', name: 'look', args: { q: 2 } },
      { id: 'b', name: 'look', args: { q: 1 } },
    ])
    expect(turn({ ...message, toolCalls: [] })).toEqual(parts.slice(0, 4))
  })

  it('accepts metadata of any form', () => {
    for (const kept of [null, 7, 'x', {}, [null, 7, 'x', []], [{ functionCall: null }], [{ functionCall: { id: 7 } }]])
      expect(turn({ content: 'Yes.', metadata: { gemini: { parts: kept } } })).toContainEqual({ text: 'Yes.' })
  })
})
