import { describe, expect, it } from 'vitest'
import { anthropicMessages } from './anthropic-messages/wire.ts'
import { bedrockConverse } from './bedrock-converse/wire.ts'
import { cohereV2 } from './cohere-v2/wire.ts'
import { errorCode } from './error-code.ts'
import { gemini } from './gemini/wire.ts'
import { mistral } from './mistral/wire.ts'
import { ollama } from './ollama/wire.ts'
import { openaiChat } from './openai-chat/wire.ts'
import { openaiResponses } from './openai-responses/wire.ts'

describe('errorCode', () => {
  it.each([
    [[400, 'exceed_context_size_error'], 'exceed_context_size_error'],
    [['500', 'context_exceeded'], 'context_exceeded'],
    [['context_length_exceeded', 'invalid_request_error'], 'context_length_exceeded'],
    [['invalid_request_error', 'context_length_exceeded'], 'context_length_exceeded'],
    [[3051, 'context_length_exceeded'], 'context_length_exceeded'],
    [[null, 'content_filter'], 'content_filter'],
  ])('returns the specific code among %j', (fields, code) => {
    expect(errorCode(...fields)).toBe(code)
  })

  it.each([
    [[400, 'BadRequestError'], '400'],
    [[503, 'unavailable_error'], '503'],
    [['429', 'rate_limit_error'], '429'],
    [[500, 'error'], '500'],
    [['400', 'None'], '400'],
    [[429, 'one_api_error'], '429'],
    [['server_error', 400], 'server_error'],
    [['1300', 'rate_limited'], '1300'],
    [['', null, undefined, {}, []], undefined],
  ])('returns the first value among %j if none is specific', (fields, code) => {
    expect(errorCode(...fields)).toBe(code)
  })
})

describe('an error whose type is more specific than its number', () => {
  const error = { message: 'Too long.', code: 400, type: 'exceed_context_size_error' }
  const code = 'exceed_context_size_error'

  it.each([openaiChat, openaiResponses, mistral, cohereV2, ollama, anthropicMessages, bedrockConverse])(
    'has the type as its code in $name',
    ({ decodeError, decode }) => {
      expect(decodeError?.({ error })).toEqual({ message: 'Too long.', code })
      expect(decode({ error }).error?.code).toBe(code)
    },
  )

  it('has the type as its code in a stream', () => {
    for (const wire of [openaiChat, openaiResponses, mistral, cohereV2, ollama, anthropicMessages]) {
      const errors = wire.streamDecoder().push({ type: 'error', error })
      expect(errors).toContainEqual({ type: 'error', error: { message: 'Too long.', code } })
    }
  })

  it("has Google's status as its code if the status is specific", () => {
    const refused = { error: { code: 400, message: 'x', status: 'FAILED_PRECONDITION' } }
    expect(gemini.decodeError?.(refused)?.code).toBe('FAILED_PRECONDITION')
    expect(openaiChat.decodeError?.([refused])?.code).toBe('FAILED_PRECONDITION')
    expect(gemini.decodeError?.({ error: { code: 503, message: 'x', status: 'UNAVAILABLE' } })?.code).toBe('503')
  })

  it("keeps the code of a relay with Anthropic's API", () => {
    const relayed = { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'x' }
    expect(anthropicMessages.decodeError?.({ type: 'error', error: relayed })?.code).toBe('context_length_exceeded')
  })
})
