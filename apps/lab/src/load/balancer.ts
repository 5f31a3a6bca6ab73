/** A load balancer for workers on Restate: each connection goes to the next worker that accepts it. */
import { connect, createServer, type Socket } from 'node:net'

export interface Balancer {
  readonly uri: string
  add(port: number): void
  remove(port: number): void
  close(): void
}

export async function startBalancer(): Promise<Balancer> {
  const ports: number[] = []
  const sockets = new Set<Socket>()
  const forward = (incoming: Socket, tries: number) => {
    const port = tries === 0 ? undefined : ports.shift()
    if (port === undefined) return void incoming.destroy()
    ports.push(port)
    const outgoing = connect(port, '127.0.0.1')
    let isConnected = false
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('error', () => {})
    outgoing.on('connect', () => {
      isConnected = true
      incoming.pipe(outgoing).pipe(incoming)
    })
    outgoing.on('close', () => (isConnected || incoming.destroyed ? incoming.destroy() : forward(incoming, tries - 1)))
  }
  const server = createServer((incoming) => {
    sockets.add(incoming)
    incoming.on('error', () => {})
    incoming.on('close', () => sockets.delete(incoming))
    forward(incoming, ports.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    uri: `http://127.0.0.1:${port}`,
    add: (worker) => void ports.push(worker),
    remove(worker) {
      const index = ports.indexOf(worker)
      if (index >= 0) ports.splice(index, 1)
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
