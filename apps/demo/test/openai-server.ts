/** A server with OpenAI's Chat Completions API on the loopback address. Another `LM`, such as the rules or a script, answers its requests. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LM, LMResponse, Message } from '@x/adapters'
import { onTestFinished } from 'vitest'

/** The parts of a request that a model reads. */
interface ChatBody {
  readonly messages: readonly ChatMessage[]
  readonly tools?: never
  readonly stream?: boolean
}

interface ChatMessage {
  readonly role: Message['role'] | 'developer'
  readonly content: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

export interface OpenAIServer {
  /** For `OPENAI_BASE_URL`. */
  readonly url: string
  /** The bodies of all requests for a completion. */
  readonly bodies: readonly ChatBody[]
}

/** Starts the server. It is closed after the test. */
export async function openaiServer(lm: LM): Promise<OpenAIServer> {
  const bodies: ChatBody[] = []
  const answer = async (incoming: IncomingMessage): Promise<[status: number, body: object]> => {
    if (incoming.url === '/v1/models') return [200, { data: [{ id: 'loopback' }] }]
    if (incoming.url !== '/v1/chat/completions') return [404, { error: { message: `There is no ${incoming.url}.` } }]
    const body = JSON.parse(Buffer.concat(await incoming.toArray()).toString()) as ChatBody
    bodies.push(body)
    if (body.stream === true) return [400, { error: { message: 'This server does not stream.' } }]
    const { messages, tools } = body
    return [200, toCompletion(await lm.generate({ messages: toMessages(messages), tools }))]
  }
  const server = createServer((incoming, outgoing) => {
    answer(incoming)
      .catch((error: unknown): [number, object] => [500, { error: { message: String(error) } }])
      .then(([status, body]) => outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies }
}

function toMessages(messages: readonly ChatMessage[]): readonly Message[] {
  const names = new Map<string | undefined, string>()
  return messages.map(({ role, content, tool_call_id, tool_calls = [] }): Message => {
    const text = content ?? ''
    for (const { id, function: called } of tool_calls) names.set(id, called.name)
    if (role === 'tool') {
      // The API has no field for a failed call, so a model recognizes a failure by the text.
      const isError = FAILURE.test(text)
      return { role, callId: tool_call_id ?? '', name: names.get(tool_call_id) ?? '', content: text, isError }
    }
    if (role !== 'assistant') return { role: role === 'user' ? 'user' : 'system', content: text }
    return { role, content: text, toolCalls: tool_calls.map(({ id, function: called }) => ({ id, ...called })) }
  })
}

const FAILURE = /^Error: /

function toCompletion({ text, toolCalls }: LMResponse): object {
  const calls = toolCalls.map(({ id, name, arguments: json }) => ({ id, type: 'function', function: { name, arguments: json } }))
  const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }
  return {
    id: 'completion',
    object: 'chat.completion',
    created: 0,
    model: 'loopback',
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}
