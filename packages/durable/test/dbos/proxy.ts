/** A database proxy that can be frozen. A frozen proxy is like a network that loses packets: it accepts data and forwards nothing. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TestProxy extends AsyncDisposable {
  /** URL of the same database through this proxy. */
  readonly url: string
  freeze(): void
}

export async function startProxy(databaseUrl: string): Promise<TestProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    const outgoing = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', (data) => !isFrozen && to.write(data))
      from.on('end', () => !isFrozen && to.end())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    freeze() {
      isFrozen = true
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
