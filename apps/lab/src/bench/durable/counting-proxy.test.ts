import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { readyCounter, startCountingProxy } from './counting-proxy.ts'

/** A message of PostgreSQL: its type, its length, and its content. */
function message(type: string, content: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(4 + content.length, 1)
  return Buffer.concat([head, Buffer.from(content)])
}

const ANSWERS = Buffer.concat([message('D', 'ZZZZ'), message('Z', 'I'), message('C', 'SELECT 1'), message('Z', 'T')])

it('counts ready messages wherever the pieces of a connection end', () => {
  for (let first = 0; first <= ANSWERS.length; first++)
    for (let second = first; second <= ANSWERS.length; second++) {
      const count = readyCounter()
      const pieces = [ANSWERS.subarray(0, first), ANSWERS.subarray(first, second), ANSWERS.subarray(second)]
      expect(pieces.reduce((sum, piece) => sum + count(piece), 0)).toBe(2)
    }
})

it('counts the bytes and the round trips of all connections', async () => {
  const database = createServer((socket) => socket.once('data', () => socket.end(ANSWERS))).listen(0, '127.0.0.1')
  onTestFinished(() => void database.close())
  await once(database, 'listening')
  await using proxy = await startCountingProxy(`postgres://user@127.0.0.1:${(database.address() as AddressInfo).port}/test`)
  for (let connections = 1; connections <= 2; connections++) {
    const client = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    client.write('query')
    const pieces: Buffer[] = []
    client.on('data', (data) => pieces.push(data))
    await once(client, 'close')
    expect(Buffer.concat(pieces)).toEqual(ANSWERS)
    expect(proxy.traffic).toEqual({
      roundTrips: 2 * connections,
      sent: 'query'.length * connections,
      received: ANSWERS.length * connections,
    })
  }
})
