/** A loopback server with OpenAI's Chat Completions API, streamed or not. It answers from a script of model turns. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServerTurn {
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
}

export interface OpenAIServer extends AsyncDisposable {
  readonly baseURL: string
  /** The bodies of the requests so far. */
  readonly bodies: readonly Record<string, unknown>[]
}

/** Starts the server. A request with k assistant messages is answered with turn k, so that the requests of several runs can be mixed. */
export async function startOpenAIServer(turns: readonly ServerTurn[]): Promise<OpenAIServer> {
  const bodies: Record<string, unknown>[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readBody(request)) as { messages: { role: string }[]; stream?: boolean; model: string }
    bodies.push(body)
    const turn = turns[body.messages.filter(({ role }) => role === 'assistant').length]
    if (request.url !== '/v1/chat/completions' || turn === undefined)
      response.writeHead(400).end('{"error":{"message":"no such turn"}}')
    else if (body.stream) streamTurn(response, turn, body.model)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wholeReply(turn, body.model)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies, [Symbol.asyncDispose]: close }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function wholeReply({ content, tool_calls: calls = [] }: ServerTurn, model: string): object {
  const toolCalls = calls.map(({ id, ...body }) => ({ id, type: 'function', function: body }))
  const message = { role: 'assistant', content, refusal: null, ...(calls.length > 0 && { tool_calls: toolCalls }) }
  const choice = { index: 0, message, logprobs: null, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }
  return {
    ...envelope(model, 'chat.completion'),
    choices: [choice],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  }
}

/** Streams text and arguments in pieces of three characters, in byte chunks that split events. */
function streamTurn(response: ServerResponse, { content, tool_calls: calls = [] }: ServerTurn, model: string): void {
  const deltas: object[] = [{ role: 'assistant', content: '' }]
  for (const piece of pieces(content ?? '')) deltas.push({ content: piece })
  for (const [index, { id, name, arguments: text }] of calls.entries()) {
    deltas.push({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    for (const piece of pieces(text)) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  const events = deltas.map((delta) => chunk(model, [{ index: 0, delta, finish_reason: null }]))
  events.push(chunk(model, [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }]))
  events.push({ ...chunk(model, []), usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } })
  const bytes = Buffer.from(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let start = 0; start < bytes.length; start += 37) response.write(bytes.subarray(start, start + 37))
  response.end()
}

function chunk(model: string, choices: readonly object[]): object {
  return { ...envelope(model, 'chat.completion.chunk'), choices }
}

function envelope(model: string, object: string): object {
  return { id: 'chatcmpl-1', object, created: 1_700_000_000, model }
}

function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,3}/g) ?? []
}
