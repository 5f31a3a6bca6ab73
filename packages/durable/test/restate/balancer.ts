/** A load balancer for tests. Each connection goes to the next available worker. */
import { connect, createServer, type Socket } from 'node:net'

export interface TestBalancer {
  readonly port: number
  /** `http://127.0.0.1:PORT`. */
  readonly uri: string
  /** Adds the worker on this port. */
  add(port: number): void
  /** Removes the worker and cuts its connections. */
  remove(port: number): void
  close(): Promise<void>
}

export async function startBalancer(ports: readonly number[] = []): Promise<TestBalancer> {
  const workers = [...ports]
  const sockets = new Map<Socket, number>()
  let turn = 0
  const server = createServer((incoming) => {
    incoming.on('error', () => {})
    const first = turn++
    const order = workers.map((_, index) => workers[(first + index) % workers.length] as number)
    forward(incoming, order)
  })
  const forward = (incoming: Socket, [port, ...others]: readonly number[]) => {
    if (port === undefined) {
      incoming.destroy()
      return
    }
    const outgoing = connect(port, '127.0.0.1')
    let isConnected = false
    const leave = () => {
      sockets.delete(incoming)
      outgoing.destroy()
    }
    incoming.once('close', leave)
    outgoing.on('connect', () => {
      isConnected = true
      for (const socket of [incoming, outgoing]) sockets.set(socket, port)
      incoming.pipe(outgoing).pipe(incoming)
    })
    outgoing.on('error', () => {
      incoming.off('close', leave)
      if (isConnected) incoming.destroy()
      else forward(incoming, others)
    })
    outgoing.on('close', () => {
      sockets.delete(outgoing)
      if (isConnected) incoming.destroy()
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const cut = (isCut: (worker: number) => boolean) => {
    for (const [socket, worker] of sockets) if (isCut(worker)) socket.destroy()
  }
  return {
    port,
    uri: `http://127.0.0.1:${port}`,
    add(worker) {
      if (!workers.includes(worker)) workers.push(worker)
    },
    remove(worker) {
      const at = workers.indexOf(worker)
      if (at >= 0) workers.splice(at, 1)
      cut((other) => other === worker)
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      cut(() => true)
      await closed
    },
  }
}
