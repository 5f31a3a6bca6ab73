/** The wire format for Anthropic's Messages API, and for servers with the same API. */

import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { anthropicFacts } from '../facts/anthropic.ts'
import { toSafeId } from '../wire-ids.ts'
import type { AnthropicBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { NAME } from './kept-blocks.ts'
import { readError } from './read.ts'
import { anthropicRules } from './rules.ts'
import { AnthropicStream } from './stream.ts'

/**
 * Anthropic's Messages API. The base URL includes the version: `https://api.anthropic.com/v1`. The API requires an output limit. Default
 * for `settings.maxOutputTokens`: the limit of the model's family, 4,096 to 64,000 tokens. With a thinking budget in `providerOptions`,
 * the default is at least 4,096 tokens above the budget.
 */
export const anthropicMessages: FullWireFormat<AnthropicBody> = defineWire({
  name: NAME,
  path: '/messages',
  toolRules: () => anthropicRules,
  facts: [anthropicFacts],
  defersTools: true,
  cacheMarks: () => ['turn', 'system', 'tools', 'previous'],
  toWireId: toSafeId,
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new AnthropicStream(ids),
  decodeError: readError,
  authHeaders: (apiKey) => ({ 'x-api-key': apiKey }),
  headers: { 'anthropic-version': '2023-06-01' },
})
