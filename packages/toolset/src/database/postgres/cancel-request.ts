/** Asks a PostgreSQL server to cancel a connection's statement. Closing the connection alone wouldn't stop the statement. */
import { connect } from 'node:net'
import type { PoolClient } from 'pg'

/** Fields that the driver's types don't declare. The driver also has a method `cancel`, but it doesn't report when it is done. */
interface CancelKey {
  readonly host?: string
  readonly port?: number
  readonly processID?: number | null
  readonly secretKey?: unknown
}

const CANCEL_CODE = 80877102
const WAIT_MS = 2000

/**
 * Settles when the server has accepted the request, or if it doesn't respond. Never rejects. Sends the request without TLS, which servers
 * accept for cancellation.
 */
export function requestCancel(connection: PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = connection as CancelKey
  if (!host || !port || typeof processID !== 'number' || typeof secretKey !== 'number') return Promise.resolve()
  const packet = Buffer.alloc(16)
  for (const [index, value] of [16, CANCEL_CODE, processID, secretKey].entries()) packet.writeInt32BE(value | 0, index * 4)
  return new Promise((resolve) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    socket.setTimeout(WAIT_MS, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    // The server closes the connection after it has forwarded the request.
    socket.on('connect', () => socket.end(packet))
    socket.resume()
  })
}
