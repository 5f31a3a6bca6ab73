/** The wire format for the Gemini API of Google AI Studio and, at another base URL, of Vertex AI. */
import { collectDeltas } from '../../protocol/collect.ts'
import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { googleFacts } from '../facts/google.ts'
import type { GeminiBody } from './body.ts'
import { encodeBody, rulesFor } from './encode.ts'
import { pathOf } from './models.ts'
import { readError } from './read.ts'
import { GeminiStream } from './stream.ts'

/** The Gemini API, under `https://generativelanguage.googleapis.com/v1beta`, or a publisher URL of Vertex AI. */
export const gemini: FullWireFormat<GeminiBody> = defineWire({
  name: 'gemini',
  path: pathOf,
  framing: 'sse',
  toolRules: rulesFor,
  facts: [googleFacts],
  encode: encodeBody,
  decode(reply, ids) {
    const stream = new GeminiStream(ids)
    return { ...collectDeltas([...stream.push(reply), ...stream.endReply()]), raw: reply }
  },
  streamDecoder: (ids) => new GeminiStream(ids),
  decodeError: readError,
  authHeaders: (apiKey) => ({ 'x-goog-api-key': apiKey }),
})
