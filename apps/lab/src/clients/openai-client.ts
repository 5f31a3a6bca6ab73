/** The official client as an LM: it sends the request that our wire format encodes, and our wire format decodes the reply. */
import type { LM } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import type OpenAI from 'openai'

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming
type StreamBody = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming

export function clientLM(client: OpenAI, model: string): Required<LM> {
  return {
    async generate(request) {
      return openaiChat.decode(await client.chat.completions.create(openaiChat.encode(request, model) as unknown as Body))
    },
    async *stream(request) {
      const body = openaiChat.encode(request, model, { stream: true }) as unknown as StreamBody
      const decoder = openaiChat.streamDecoder?.(request)
      for await (const event of await client.chat.completions.create(body)) yield* decoder?.push(event) ?? []
      yield* decoder?.end() ?? []
    },
  }
}
