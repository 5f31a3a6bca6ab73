/** The official Anthropic client. It assembles streams itself. */
import Anthropic from '@anthropic-ai/sdk'
import type { ClientReading } from './client-reading.ts'
import type { OfficialClient } from './official-client.ts'

export const anthropicClient: OfficialClient = {
  wire: 'anthropic-messages',
  path: '/v1',
  async read(origin, stream) {
    const client = new Anthropic({ baseURL: origin, apiKey: 'not-a-key', maxRetries: 0 })
    const request = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] }
    if (!stream) return toReading(await client.messages.create(request))
    return toReading(await client.messages.stream(request).finalMessage())
  },
}

function toReading({ content, stop_reason, usage }: Anthropic.Message): ClientReading {
  const { input_tokens, output_tokens, cache_creation_input_tokens: written, cache_read_input_tokens: read } = usage
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
    ),
    finish: stop_reason,
    inputTokens: input_tokens + (written ?? 0) + (read ?? 0),
    outputTokens: output_tokens,
  }
}
