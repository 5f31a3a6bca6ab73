/** A database proxy that can be frozen. A frozen proxy accepts data and forwards nothing. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TestProxy extends AsyncDisposable {
  /** URL of the same database through this proxy. */
  readonly url: string
  freeze(): void
  /**
   * Ends a freeze. What was sent meanwhile is `kept`, as by a server whose processes were suspended, or `lost`, as by a network. A
   * connection that lost data never answers.
   */
  thaw(data: 'kept' | 'lost'): void
}

export async function startProxy(databaseUrl: string): Promise<TestProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const lossy = new Set<Socket>()
  let held: { readonly from: Socket; send(): void }[] = []
  let isFrozen = false
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    const outgoing = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      const forward = (send: () => void) => (isFrozen ? held.push({ from, send }) : lossy.has(from) || send())
      from.on('data', (data) => forward(() => to.write(data)))
      from.on('end', () => forward(() => to.end()))
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
    thaw(data) {
      isFrozen = false
      if (data === 'kept') for (const { send } of held) send()
      else for (const { from } of held) lossy.add(from)
      held = []
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
