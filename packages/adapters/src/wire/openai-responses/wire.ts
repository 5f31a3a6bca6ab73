/** The wire format for OpenAI's Responses API. */

import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { openaiFacts } from '../facts/openai.ts'
import { breakpointsOf } from '../openai-chat/cache.ts'
import { readError } from '../openai-chat/read.ts'
import { withoutWrappers } from '../openai-chat/wrappers.ts'
import type { OpenAIResponsesBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeBody } from './encode.ts'
import { NAME, toWireId } from './items.ts'
import { openaiResponsesRules } from './rules.ts'
import { OpenAIResponsesStream } from './stream.ts'

/**
 * OpenAI's Responses API. Sends `store: false`, and requests encrypted reasoning from reasoning models. Override both in
 * `providerOptions`. A reply is sent back as its original items.
 */
export const openaiResponses: FullWireFormat<OpenAIResponsesBody> = defineWire({
  name: NAME,
  path: '/responses',
  toolRules: () => openaiResponsesRules,
  facts: [openaiFacts],
  defersTools: true,
  cacheMarks: (_, facts) => breakpointsOf(facts),
  toWireId,
  encode: encodeBody,
  decode: decodeReply,
  streamDecoder: (ids) => new OpenAIResponsesStream(ids),
  decodeError: readError,
  replaceCalls: withoutWrappers,
})
