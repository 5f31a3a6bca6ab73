/** The official OpenAI client for Chat Completions. It assembles streams itself. */
import OpenAI from 'openai'
import type { ClientReading } from './client-reading.ts'
import type { OfficialClient } from './official-client.ts'

export const openaiChatClient: OfficialClient = {
  wire: 'openai-chat',
  path: '/v1',
  async read(origin, stream) {
    const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'not-a-key', maxRetries: 0 })
    const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }] }
    if (!stream) return toReading(await client.chat.completions.create(request))
    return toReading(await client.chat.completions.stream(request).finalChatCompletion())
  },
}

function toReading({ choices, usage }: OpenAI.Chat.Completions.ChatCompletion): ClientReading {
  const [choice] = choices
  return {
    text: choice?.message.content ?? '',
    calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === 'custom' ? [] : [{ id: call.id, name: call.function.name, arguments: call.function.arguments }],
    ),
    finish: choice?.finish_reason,
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
  }
}
