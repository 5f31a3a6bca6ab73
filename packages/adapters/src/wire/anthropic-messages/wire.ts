/** The wire format for Anthropic's Messages API, and for servers with the same API. */

import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { anthropicFacts } from '../facts/anthropic.ts'
import { toSafeId } from '../wire-ids.ts'
import type { AnthropicBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeRequest, REQUIRED_LIMIT } from './encode.ts'
import { NAME } from './kept-blocks.ts'
import { readError } from './read.ts'
import { anthropicRules } from './rules.ts'
import { AnthropicStream } from './stream.ts'

/**
 * Anthropic's Messages API. The base URL includes the version: `https://api.anthropic.com/v1`. The API requires an output limit. If
 * `settings.maxOutputTokens` isn't set, the model's maximum is sent, or less if the context window has less room left. For an unknown
 * model, the limit is 4,096 tokens plus any thinking budget in `providerOptions`, and it is reported as assumed.
 */
export const anthropicMessages: FullWireFormat<AnthropicBody> = defineWire({
  name: NAME,
  path: '/messages',
  toolRules: () => anthropicRules,
  facts: [anthropicFacts],
  defersTools: true,
  unknown: { forcedCalls: 'without_reasoning' },
  requiredLimit: REQUIRED_LIMIT,
  cacheMarks: () => ['turn', 'system', 'tools', 'previous'],
  toWireId: toSafeId,
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new AnthropicStream(ids),
  decodeError: readError,
  authHeaders: (apiKey) => ({ 'x-api-key': apiKey }),
  headers: { 'anthropic-version': '2023-06-01' },
})
