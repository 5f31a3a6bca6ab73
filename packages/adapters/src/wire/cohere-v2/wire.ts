/** Cohere's chat, version 2. */

import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { readError } from '../openai-chat/read.ts'
import type { CohereBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { cohereRules } from './rules.ts'
import { CohereStream } from './stream.ts'

/** Under `https://api.cohere.com/v2`. Documents, safety mode and thinking go into `providerOptions`. */
export const cohereV2: FullWireFormat<CohereBody> = defineWire({
  name: 'cohere-v2',
  path: '/chat',
  toolRules: () => cohereRules,
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new CohereStream(ids),
  decodeError: readError,
})
