/** An engine's PostgreSQL connections. A query fails if it isn't answered in time. All connections can be closed at once. */
import { Socket } from 'node:net'
import type Pg from 'pg'
import type { Report } from '../engine/options.ts'

export interface ConnectionsOptions {
  readonly pg: typeof Pg
  readonly databaseUrl: string
  /** Time without an answer after which the server counts as unreachable, in milliseconds. */
  readonly leaseMs: number
  readonly report: Report
}

export class Connections {
  readonly #options: ConnectionsOptions
  readonly #sockets = new Set<Socket>()
  readonly #ends = new Map<Pg.Pool, Promise<void> | undefined>()
  #timer: NodeJS.Timeout | undefined
  #isCut = false
  #onCut: () => void = () => {}
  readonly #cut = new Promise<void>((resolve) => {
    this.#onCut = resolve
  })

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  newPool(max: number): Pg.Pool {
    const { pg, report } = this.#options
    const pool = new pg.Pool({ ...this.#settings(), max })
    // An idle connection reports its errors here. The next query uses a new connection.
    pool.on('error', (cause) => {
      if (!this.#isCut) report(cause)
    })
    // The server may announce its shutdown in the packet that accepts the connection. The client then emits an error before the
    // code that uses it can listen. The query rejects in any case.
    pool.on('connect', (client) => client.on('error', () => {}))
    this.#ends.set(pool, undefined)
    return pool
  }

  newClient(): Pg.Client {
    return new this.#options.pg.Client(this.#settings())
  }

  /**
   * Destroys all connections that are still open after `leaseMs`, so that closing also completes if the server doesn't answer.
   */
  cutSoon(): void {
    this.#timer ??= setTimeout(() => this.#cutAll(), this.#options.leaseMs)
  }

  async close(): Promise<void> {
    this.cutSoon()
    await Promise.race([Promise.all([...this.#ends.keys()].map((pool) => this.#end(pool))), this.#cut])
    clearTimeout(this.#timer)
    this.#cutAll()
  }

  #settings(): Pg.PoolConfig {
    const { databaseUrl: connectionString, leaseMs } = this.#options
    const stream = () => {
      const socket = new Socket()
      this.#sockets.add(socket)
      return socket.once('close', () => this.#sockets.delete(socket))
    }
    return { connectionString, keepAlive: true, connectionTimeoutMillis: leaseMs, query_timeout: leaseMs, stream }
  }

  #end(pool: Pg.Pool): Promise<void> {
    const end = this.#ends.get(pool) ?? pool.end()
    this.#ends.set(pool, end)
    return end
  }

  #cutAll(): void {
    this.#isCut = true
    // Ending the pools keeps them from opening more connections.
    for (const pool of this.#ends.keys()) this.#end(pool).catch(() => {})
    for (const socket of this.#sockets) socket.destroy()
    setImmediate(this.#onCut)
  }
}
