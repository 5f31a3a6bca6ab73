/** The official OpenAI client for Responses. It assembles streams itself. */
import OpenAI from 'openai'
import type { ClientReading } from './client-reading.ts'
import type { OfficialClient } from './official-client.ts'

export const openaiResponsesClient: OfficialClient = {
  wire: 'openai-responses',
  path: '/v1',
  async read(origin, stream) {
    const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'not-a-key', maxRetries: 0 })
    const request = { model: 'm', input: 'Hello' }
    if (!stream) return toReading(await client.responses.create(request))
    return toReading(await client.responses.stream(request).finalResponse())
  },
}

function toReading({ output, usage, error }: OpenAI.Responses.Response): ClientReading {
  if (error) throw new Error(error.message)
  const texts = output.flatMap((item) => (item.type === 'message' ? item.content : []))
  return {
    text: texts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
    ),
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
  }
}
