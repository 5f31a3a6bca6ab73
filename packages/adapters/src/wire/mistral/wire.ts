/** The wire format for Mistral's chat completions, which differ from OpenAI's Chat Completions in ids, content parts and field names. */

import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { mistralFacts } from '../facts/mistral.ts'
import type { MistralBody } from './body.ts'
import { decodeError, decodeReply } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { mistralRules } from './rules.ts'
import { MistralStream } from './stream.ts'
import { toMistralId } from './wire-id.ts'

/** Mistral's chat completions, under `https://api.mistral.ai/v1`. Set `safe_prompt` and similar fields in `providerOptions`. */
export const mistral: FullWireFormat<MistralBody> = defineWire({
  name: 'mistral',
  path: '/chat/completions',
  toolRules: () => mistralRules,
  facts: [mistralFacts],
  toWireId: toMistralId,
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new MistralStream(ids),
  decodeError,
})
