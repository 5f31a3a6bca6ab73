/** Asks a PostgreSQL server to stop what a connection runs: dropping the connection alone does not stop it. */
import { connect } from 'node:net'
import type { PoolClient } from 'pg'

/** The driver has them, and its types do not; its own `cancel` tells nobody when it is done. */
interface CancelKey {
  readonly host?: string
  readonly port?: number
  readonly processID?: number | null
  readonly secretKey?: unknown
}

const CANCEL_CODE = 80877102
const WAIT_MS = 2000

/** Settles when the server has taken the request, or does not answer; never rejects. It is sent in the clear: servers take it so. */
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
    // The server closes when it has passed the request on.
    socket.on('connect', () => socket.end(packet))
    socket.resume()
  })
}
