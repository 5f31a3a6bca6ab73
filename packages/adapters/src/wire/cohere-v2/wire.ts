/** The wire format for version 2 of Cohere's chat API. */

import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { cohereFacts } from '../facts/cohere.ts'
import { readError } from '../openai-chat/read.ts'
import type { CohereBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { cohereRules } from './rules.ts'
import { CohereStream } from './stream.ts'

/** Cohere's chat API, under `https://api.cohere.com/v2`. Set documents, safety mode and thinking in `providerOptions`. */
export const cohereV2: FullWireFormat<CohereBody> = defineWire({
  name: 'cohere-v2',
  path: '/chat',
  toolRules: () => cohereRules,
  facts: [cohereFacts],
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new CohereStream(ids),
  decodeError: readError,
})
