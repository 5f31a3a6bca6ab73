/** Decodes a complete Mistral reply, and the body of an error. */
import type { LMResponse, ProviderError } from '../../protocol/protocol.ts'
import type { CallIds } from '../call-ids.ts'
import { decodeReply as decodeChatReply } from '../openai-chat/decode.ts'
import { choiceOf, readError } from '../openai-chat/read.ts'
import { arrayAt, objectAt, optional } from '../read-json.ts'
import { toChatReply } from './chat-reply.ts'
import { withBlocks } from './content-blocks.ts'

export function decodeReply(raw: unknown, ids: CallIds): LMResponse {
  const { metadata, ...response } = decodeChatReply(toChatReply(raw), ids, { name: 'mistral' })
  const content = arrayAt(objectAt(choiceOf(raw), 'message'), 'content')
  return { ...response, ...optional({ metadata: withBlocks(metadata, content) }), raw }
}

export function decodeError(body: unknown): ProviderError | undefined {
  return readError(toChatReply(body))
}
