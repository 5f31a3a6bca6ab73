import { describe, expect, it } from 'vitest'
import { gemini } from './wire.ts'

const reply = (parts: unknown, more: object = {}, rest: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', ...more }],
  ...rest,
})
const look = { functionCall: { name: 'look', args: { q: 1 } } }

describe('decoding calls', () => {
  it('pitfall 1: finds calls with the finish reason STOP', () => {
    const { toolCalls, finishReason, rawFinishReason } = gemini.decode(reply([look]))
    expect(toolCalls).toEqual([{ id: 'call_0', name: 'look', arguments: '{"q":1}' }])
    expect([finishReason, rawFinishReason]).toEqual(['tool-calls', 'STOP'])
  })

  it('pitfall 2: decodes args that are missing, null or empty', () => {
    const args = (functionCall: object) =>
      gemini.decode(reply([{ functionCall: { name: 'look', ...functionCall } }])).toolCalls[0]?.arguments
    expect([args({}), args({ args: null }), args({ args: {} })]).toEqual(['', '', '{}'])
  })

  it('pitfall 4: generates an id if it is missing, empty or taken, and keeps the raw one', () => {
    const withId = (id?: string) => ({ functionCall: { ...look.functionCall, id } })
    const { toolCalls } = gemini.decode(reply([withId(), withId(''), withId('a'), withId('a')]))
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(4)
    expect(toolCalls.map(({ metadata }) => metadata)).toEqual([undefined, undefined, undefined, { gemini: { id: 'a' } }])
    expect(toolCalls[2]?.id).toBe('a')
  })

  it('generates ids that are new in the conversation', () => {
    const request = { messages: [{ role: 'user', content: 'x' }] } as const
    expect(gemini.decode(reply([look]), request).toolCalls[0]?.id).toBe('call_1_0')
  })

  it('pitfall 14: keeps the signature with its call', () => {
    const { toolCalls } = gemini.decode(reply([{ ...look, thoughtSignature: 'c2ln' }, look]))
    expect(toolCalls.map(({ metadata }) => metadata)).toEqual([{ gemini: { thoughtSignature: 'c2ln' } }, undefined])
  })

  it('decodes a number as the name of an unknown tool', () => {
    expect(gemini.decode(reply([{ functionCall: { name: 1, args: {} } }])).toolCalls[0]?.name).toBe('1')
  })

  it('finds no call in an empty one', () => {
    expect(gemini.decode(reply([{ functionCall: {} }, { functionCall: null }])).toolCalls).toEqual([])
  })

  it('marks the last call of a truncated reply', () => {
    const truncated = (parts: object[], finishReason: string) =>
      gemini.decode(reply(parts, { finishReason })).toolCalls.map((call) => call.truncated)
    expect(truncated([look, look], 'MAX_TOKENS')).toEqual([undefined, true])
    expect(truncated([look, { text: '' }], 'MAX_TOKENS')).toEqual([true])
    expect(truncated([look, { text: 'And then' }], 'MAX_TOKENS')).toEqual([undefined])
    expect(truncated([look], 'MALFORMED_FUNCTION_CALL')).toEqual([true])
  })
})

describe('decoding other fields', () => {
  it('keeps thoughts separate from the text, and keeps all parts as metadata', () => {
    const parts = [{ thought: true, text: 'Hm.' }, { text: 'Four.', thoughtSignature: 'c2ln' }, look]
    const { text, reasoning, metadata } = gemini.decode(reply(parts))
    expect([text, reasoning]).toEqual(['Four.', 'Hm.'])
    expect(metadata).toEqual({ gemini: { parts: [...parts.slice(0, 2), { functionCall: { id: 'call_0' } }] } })
  })

  it('keeps a signature with empty text', () => {
    expect(gemini.decode(reply([{ text: 'Four.' }, { text: '', thoughtSignature: 'c2ln' }])).metadata).toEqual({
      gemini: { parts: [{ text: 'Four.' }, { text: '', thoughtSignature: 'c2ln' }] },
    })
  })

  it('needs no metadata for text followed by calls', () => {
    expect(gemini.decode(reply([{ text: 'Four' }, { text: '.' }, look, look])).metadata).toBeUndefined()
    expect(gemini.decode(reply([look, { text: 'Four.' }])).metadata).toEqual({
      gemini: { parts: [{ functionCall: { id: 'call_0' } }, { text: 'Four.' }] },
    })
  })

  it('lists calls that the provider executed', () => {
    const code = { executableCode: { id: 'c', language: 'PYTHON', code: '1+1' } }
    const search = { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', args: {} } }
    const found = { toolResponse: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', response: {} } }
    const { providerCalls, toolCalls } = gemini.decode(
      reply([code, { codeExecutionResult: { outcome: 'OUTCOME_OK' } }, search, found]),
    )
    expect(toolCalls).toEqual([])
    expect(providerCalls).toEqual([
      { type: 'executableCode', by: 'provider', id: 'c', raw: code },
      { type: 'codeExecutionResult', by: 'provider', raw: { codeExecutionResult: { outcome: 'OUTCOME_OK' } } },
      { type: 'toolCall', by: 'provider', id: 's', name: 'GOOGLE_SEARCH_WEB', raw: search },
      { type: 'toolResponse', by: 'provider', id: 's', name: 'GOOGLE_SEARCH_WEB', raw: found },
    ])
  })

  it("counts cached tokens and thoughts, and omits counts that weren't reported", () => {
    const usageMetadata = { promptTokenCount: 20, cachedContentTokenCount: 8, candidatesTokenCount: 6, thoughtsTokenCount: 4 }
    expect(gemini.decode(reply([], {}, { usageMetadata })).usage).toEqual({
      inputTokens: 20,
      cacheReadTokens: 8,
      outputTokens: 10,
      reasoningTokens: 4,
    })
    expect(gemini.decode(reply([], {}, { usageMetadata: { promptTokenCount: 20 } })).usage).toEqual({ inputTokens: 20 })
  })

  it("pitfall 14: keeps the finish message, which isn't an error", () => {
    const { metadata, error } = gemini.decode(reply([look], { finishMessage: 'Model generated function call(s).' }))
    expect(metadata).toEqual({ gemini: { finishMessage: 'Model generated function call(s).' } })
    expect(error).toBeUndefined()
  })

  it('pitfall 15: decodes only the first candidate', () => {
    const second = { index: 1, content: { parts: [{ text: 'B' }] }, finishReason: 'MAX_TOKENS' }
    const first = { index: 0, content: { parts: [{ text: 'A' }] }, finishReason: 'STOP' }
    expect(gemini.decode({ candidates: [second, first] })).toMatchObject({ text: 'A', finishReason: 'stop' })
  })

  it('pitfall 16: keeps JSON in text as text', () => {
    const text = '{"functionCall":{"name":"look"}}'
    expect(gemini.decode(reply([{ text }]))).toMatchObject({ text, toolCalls: [], finishReason: 'stop' })
  })
})

describe('the finish reason', () => {
  const finish = (finishReason: unknown, parts: object[] = []) => gemini.decode(reply(parts, { finishReason })).finishReason

  it('is mapped from each name', () => {
    expect(finish('MAX_TOKENS')).toBe('length')
    for (const word of [
      'SAFETY',
      'RECITATION',
      'BLOCKLIST',
      'PROHIBITED_CONTENT',
      'SPII',
      'MODEL_ARMOR',
      'IMAGE_SAFETY',
      'IMAGE_PROHIBITED_CONTENT',
      'IMAGE_RECITATION',
    ])
      expect(finish(word)).toBe('content-filter')
    for (const word of ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'])
      expect(finish(word)).toBe('error')
    for (const word of ['OTHER', 'LANGUAGE', 'NO_IMAGE', 'IMAGE_OTHER', 'NEW_WORD', 'FINISH_REASON_UNSPECIFIED', '__proto__'])
      expect(finish(word)).toBe('other')
  })

  it('may be a number instead of a name', () => {
    expect([finish(1), finish(1, [look]), finish(2), finish(3), finish(9)]).toEqual([
      'stop',
      'tool-calls',
      'length',
      'content-filter',
      'other',
    ])
    expect(gemini.decode(reply([], { finishReason: 1 })).rawFinishReason).toBe('1')
  })

  it('may be missing from a complete reply', () => {
    expect([finish(undefined), finish(undefined, [look]), finish('', [look])]).toEqual([undefined, 'tool-calls', 'tool-calls'])
  })

  it('is the block reason if the prompt was blocked', () => {
    const promptFeedback = { blockReason: 'OTHER', blockReasonMessage: 'Not this.' }
    expect(gemini.decode({ promptFeedback })).toMatchObject({
      finishReason: 'content-filter',
      rawFinishReason: 'OTHER',
      metadata: { gemini: { finishMessage: 'Not this.' } },
    })
    expect(gemini.decode({ promptFeedback: { safetyRatings: [] } }).finishReason).toBeUndefined()
  })
})

describe('errors', () => {
  const error = { code: 429, message: 'Too many.', status: 'RESOURCE_EXHAUSTED' }

  it('pitfall 11: are decoded alone, in a list, and in a reply with status 200', () => {
    expect(gemini.decodeError?.({ error })).toEqual({ message: 'Too many.', code: '429' })
    expect(gemini.decodeError?.([{ error }])).toEqual({ message: 'Too many.', code: '429' })
    expect(gemini.decode([{ error }])).toMatchObject({ finishReason: 'error', error: { code: '429' } })
  })

  it('are decoded in any form, or ignored', () => {
    expect(gemini.decodeError?.({ error: 'no' })).toEqual({ message: 'no' })
    expect(gemini.decodeError?.({ error: { status: 'INTERNAL' } })).toEqual({
      message: '{"status":"INTERNAL"}',
      code: 'INTERNAL',
    })
    for (const body of [undefined, null, 7, '', [], {}, { error: null }, { error: 7 }])
      expect(gemini.decodeError?.(body)).toBeUndefined()
  })
})
