/** Decodes a streamed Mistral reply in the same way as Chat Completions, and collects the content parts that must be sent back. */
import type { LMDelta, Metadata } from '../../protocol/protocol.ts'
import type { CallIds } from '../call-ids.ts'
import { choiceOf } from '../openai-chat/read.ts'
import { OpenAIChatStream } from '../openai-chat/stream.ts'
import { fieldAt, objectAt } from '../read-json.ts'
import type { StreamDecoder } from '../wire-format.ts'
import { toChatReply } from './chat-reply.ts'
import { ContentBlocks, withBlocks } from './content-blocks.ts'

export class MistralStream implements StreamDecoder {
  readonly #chat: OpenAIChatStream
  readonly #content = new ContentBlocks()
  #ended = false

  constructor(ids: CallIds) {
    this.#chat = new OpenAIChatStream(ids, { name: 'mistral' })
  }

  push(event: unknown): readonly LMDelta[] {
    const choice = choiceOf(event)
    this.#content.push(fieldAt(objectAt(choice, 'delta') ?? objectAt(choice, 'message'), 'content'))
    return this.#chat.push(toChatReply(event))
  }

  end(isDone?: boolean): readonly LMDelta[] {
    if (this.#ended) return []
    this.#ended = true
    const deltas = this.#chat.end(isDone)
    const kept = deltas.find((delta): delta is LMDelta & { metadata: Metadata } => delta.type === 'metadata')?.metadata
    const metadata = withBlocks(kept, this.#content.blocks())
    return metadata === kept || metadata === undefined ? deltas : [...deltas, { type: 'metadata', metadata }]
  }
}
