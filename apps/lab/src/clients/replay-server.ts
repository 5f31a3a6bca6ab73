/** A loopback server that answers every request with one recorded reply, whole or streamed. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WireCase } from '../conformance/wire/wire-case.ts'

export interface ReplayServer extends AsyncDisposable {
  readonly origin: string
  /** Sets the reply for all following requests. */
  replay(recorded: WireCase): void
}

export async function startReplayServer(): Promise<ReplayServer> {
  let recorded: WireCase | undefined
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (recorded?.chunks !== undefined) writeEvents(response, recorded.chunks)
      else writeWhole(response, recorded)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replay(next) {
      recorded = next
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function writeWhole(response: ServerResponse, recorded: WireCase | undefined): void {
  response.writeHead(recorded?.http_status ?? 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(recorded?.body ?? {}))
}

/** Writes event names if the API has them, because official clients use them. Chunk boundaries are arbitrary. */
function writeEvents(response: ServerResponse, chunks: readonly unknown[]): void {
  const events = chunks.map((chunk) => {
    const { _event, ...data } = chunk as { readonly _event?: string; readonly type?: string }
    const name = _event ?? data.type
    return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
  })
  const bytes = Buffer.from(`${events.join('')}${chunks.some(isChat) ? 'data: [DONE]\n\n' : ''}`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let start = 0; start < bytes.length; start += 97) response.write(bytes.subarray(start, start + 97))
  response.end()
}

function isChat(chunk: unknown): boolean {
  return typeof chunk === 'object' && chunk !== null && 'choices' in chunk
}
