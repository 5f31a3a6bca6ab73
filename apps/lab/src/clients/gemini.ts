/** The official Gemini client. It returns the parts of a stream and doesn't assemble them. */
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import type { ClientReading } from './client-reading.ts'
import type { OfficialClient } from './official-client.ts'

export const geminiClient: OfficialClient = {
  wire: 'gemini',
  path: '/v1beta',
  async read(origin, stream) {
    const { models } = new GoogleGenAI({ apiKey: 'not-a-key', vertexai: false, httpOptions: { baseUrl: origin } })
    const request = { model: 'm', contents: 'Hello' }
    if (!stream) return toReading([await models.generateContent(request)])
    const replies: GenerateContentResponse[] = []
    for await (const reply of await models.generateContentStream(request)) replies.push(reply)
    return toReading(replies)
  },
}

function toReading(replies: readonly GenerateContentResponse[]): ClientReading {
  const parts = replies.flatMap((reply) => reply.candidates?.[0]?.content?.parts ?? [])
  const usage = replies.map((reply) => reply.usageMetadata).findLast((found) => found !== undefined)
  return {
    text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ id: call.id, name: call.name ?? '', arguments: call.args ?? {} }] : [],
    ),
    finish: replies.map((reply) => reply.candidates?.[0]?.finishReason).findLast((reason) => reason !== undefined),
    inputTokens: usage?.promptTokenCount,
    outputTokens: usage && (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
  }
}
