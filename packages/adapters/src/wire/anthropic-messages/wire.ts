/** Anthropic's Messages API, and servers with the same API. */

import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { toSafeId } from '../wire-ids.ts'
import type { AnthropicBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { NAME } from './kept-blocks.ts'
import { readError } from './read.ts'
import { anthropicRules } from './rules.ts'
import { AnthropicStream } from './stream.ts'

/**
 * Anthropic's Messages API. The base URL includes the version: `https://api.anthropic.com/v1`. The API requires a limit for
 * output tokens: `settings.maxOutputTokens`. Default: 4,096, plus the thinking budget (`providerOptions`).
 */
export const anthropicMessages: FullWireFormat<AnthropicBody> = defineWire({
  name: NAME,
  path: '/messages',
  toolRules: () => anthropicRules,
  toWireId: toSafeId,
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new AnthropicStream(ids),
  decodeError: readError,
  authHeaders: (apiKey) => ({ 'x-api-key': apiKey }),
  headers: { 'anthropic-version': '2023-06-01' },
})
