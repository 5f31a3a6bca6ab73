/** The wire format for Ollama's own chat API, in which arguments are objects and most calls have no ids. */

import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { readError } from '../openai-chat/read.ts'
import type { OllamaBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { ollamaFacts } from './facts.ts'
import { ollamaRules } from './rules.ts'
import { OllamaStream } from './stream.ts'

/**
 * Ollama's own chat API, under `http://localhost:11434` or another server. Set thinking and the context size in
 * `providerOptions`.
 */
export const ollama: FullWireFormat<OllamaBody> = defineWire({
  name: 'ollama',
  path: '/api/chat',
  framing: 'ndjson',
  toolRules: () => ollamaRules,
  facts: [ollamaFacts],
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new OllamaStream(ids),
  decodeError: readError,
})
