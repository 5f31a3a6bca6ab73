/** Amazon Bedrock's Converse API. */
import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { toSafeId } from '../wire-ids.ts'
import type { BedrockBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { familyOf } from './families.ts'
import { NAME } from './kept-blocks.ts'
import { readError } from './read.ts'
import { BedrockStream } from './stream.ts'

/**
 * Under `https://bedrock-runtime.{region}.amazonaws.com`, with a Bedrock API key as bearer token, or signed with
 * AWS keys (`sign` of `createLM`). Cache points and what only some models take go into `providerOptions`.
 */
export const bedrockConverse: FullWireFormat<BedrockBody> = defineWire({
  name: NAME,
  path: (model, stream) => `/model/${encodeURIComponent(model)}/converse${stream ? '-stream' : ''}`,
  framing: 'aws-event-stream',
  toolRules: (model) => familyOf(model).rules,
  toWireId: toSafeId,
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new BedrockStream(ids),
  decodeError: readError,
})
