/** Anthropic's Messages API, and the servers that speak it. */

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
 * Under a base URL that ends in the version: `https://api.anthropic.com/v1`. The API wants to be told how many tokens the reply may
 * have: 4,096 unless `settings.maxOutputTokens` says otherwise, and the budget of thinking (`providerOptions`) on top of them.
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
