import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { Connections } from './connections.ts'

/** The messages that PostgreSQL sends when a session is ready, and when its postmaster dies. */
const AUTHENTICATED = message('R', Buffer.from([0, 0, 0, 0]))
const READY = message('Z', Buffer.from('I'))
const TERMINATED = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
)

// An `error` event without a listener ends the process, which fails the run of this file.
it('a pool survives a server that dies while it accepts a connection', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, TERMINATED])))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const databaseUrl = `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/none`
  const connections = new Connections({ pg, databaseUrl, leaseMs: 5000, report: () => {} })
  onTestFinished(() => connections.close())
  const client = await connections.newPool(2).connect()
  await expect(client.query('SELECT 1')).rejects.toThrow()
  client.release(true)
})

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
