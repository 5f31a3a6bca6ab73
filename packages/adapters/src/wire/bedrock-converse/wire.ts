/** The wire format for Amazon Bedrock's Converse API. */
import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { amazonFacts } from '../facts/amazon.ts'
import { anthropicFacts } from '../facts/anthropic.ts'
import { toSafeId } from '../wire-ids.ts'
import type { BedrockBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { familyOf } from './families.ts'
import { NAME } from './kept-blocks.ts'
import { readError } from './read.ts'
import { BedrockStream } from './stream.ts'

/**
 * Amazon Bedrock's Converse API, under `https://bedrock-runtime.{region}.amazonaws.com`. Authenticate with a Bedrock API key as a bearer
 * token, or sign requests with AWS keys by using the `sign` option of `createLM`. Set model-specific fields in `providerOptions`.
 */
export const bedrockConverse: FullWireFormat<BedrockBody> = defineWire({
  name: NAME,
  path: (model, stream) => `/model/${encodeURIComponent(model)}/converse${stream ? '-stream' : ''}`,
  framing: 'aws-event-stream',
  toolRules: (model) => familyOf(model).rules,
  facts: [anthropicFacts, amazonFacts],
  cacheMarks: (model) => familyOf(model).cachePoints,
  toWireId: toSafeId,
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new BedrockStream(ids),
  decodeError: readError,
})
