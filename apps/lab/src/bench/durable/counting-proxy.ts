/** A proxy for PostgreSQL that counts bytes and round trips. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Traffic {
  /** Number of times that the server has announced that it is ready for another query. */
  readonly roundTrips: number
  readonly sent: number
  readonly received: number
}

export interface CountingProxy extends AsyncDisposable {
  /** URL of the same database through this proxy. */
  readonly url: string
  /** Totals of all connections so far. */
  readonly traffic: Traffic
}

export async function startCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const total = { roundTrips: 0, sent: 0, received: 0 }
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    const countReady = readyCounter()
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.end()
      })
      from.on('data', (data) => {
        if (from === client) total.sent += data.length
        else {
          total.received += data.length
          total.roundTrips += countReady(data)
        }
        to.write(data)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get traffic() {
      return { ...total }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Type of the message `ReadyForQuery`. Source: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const READY = 'Z'.charCodeAt(0)
/** A message starts with its type and its length. The length excludes the type. */
const HEAD_BYTES = 5

/** Returns a function that counts the ready messages in the pieces of one connection. */
export function readyCounter(): (data: Buffer) => number {
  let rest = Buffer.alloc(0)
  return (data) => {
    rest = Buffer.concat([rest, data])
    let ready = 0
    let at = 0
    while (at + HEAD_BYTES <= rest.length) {
      const end = at + 1 + rest.readUInt32BE(at + 1)
      if (end > rest.length) break
      if (rest[at] === READY) ready++
      at = end
    }
    rest = rest.subarray(at)
    return ready
  }
}
