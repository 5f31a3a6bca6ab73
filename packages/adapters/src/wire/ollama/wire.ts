/** Ollama's own chat API, in which arguments are objects and calls mostly have no ids. */

import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { readError } from '../openai-chat/read.ts'
import type { OllamaBody } from './body.ts'
import { decodeReply } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { ollamaRules } from './rules.ts'
import { OllamaStream } from './stream.ts'

/** Under `http://localhost:11434`, or another server. How a model thinks and how much it reads at once go into `providerOptions`. */
export const ollama: FullWireFormat<OllamaBody> = defineWire({
  name: 'ollama',
  path: '/api/chat',
  framing: 'ndjson',
  toolRules: () => ollamaRules,
  encode: encodeRequest,
  decode: decodeReply,
  streamDecoder: (ids) => new OllamaStream(ids),
  decodeError: readError,
})
