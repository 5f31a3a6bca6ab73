/** The session of a worker in PostgreSQL: as long as it is there, the worker is alive. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type Pg from 'pg'
import type { Tell } from '../engine/options.ts'
import type { Connections } from './connections.ts'

export interface OwnerLockOptions {
  readonly connections: Connections
  readonly tell: Tell
  readonly executor: string
  /** The server ends a session that says nothing for so long, such as that of a process that was stopped. */
  readonly leaseMs: number
  /** A lost session is there again within this time, if the server is. */
  readonly backoffMs: number
}

export class OwnerLock {
  readonly #options: OwnerLockOptions
  readonly #closing = new AbortController()
  #session: Pg.Client | undefined
  #connecting: Promise<void> | undefined

  constructor(options: OwnerLockOptions) {
    this.#options = options
  }

  /** Rejects when the server cannot be reached. */
  async take(): Promise<void> {
    await this.#connect()
  }

  /** The session, while it is there. It is looked for again by itself. */
  get session(): Pg.Client | undefined {
    return this.#session
  }

  async release(): Promise<void> {
    this.#closing.abort()
    await this.#connecting
    const session = this.#session
    this.#session = undefined
    await session?.end().catch(() => {})
  }

  /** Of a session that did not answer: others may have the runs of this worker soon. */
  drop(session: Pg.Client, cause: unknown): void {
    if (this.#session !== session) return
    this.#session = undefined
    this.#options.tell(cause)
    session.end().catch(() => {})
    this.#reconnect()
  }

  async #connect(): Promise<void> {
    const { connections, executor, leaseMs } = this.#options
    const session = connections.newClient()
    session.on('error', (cause) => this.drop(session, cause))
    session.on('end', () => this.drop(session, new Error('the connection was ended')))
    try {
      await session.connect()
      await session.query(`SET idle_session_timeout = ${Math.ceil(leaseMs)}`)
      // Waits while another worker looks whether this one is there.
      await session.query('SELECT pg_advisory_lock($1)', [lockKey(executor)])
      this.#session = session
    } catch (cause) {
      session.end().catch(() => {})
      throw cause
    }
  }

  #reconnect(): void {
    const { signal } = this.#closing
    this.#connecting ??= (async () => {
      while (!signal.aborted && this.#session === undefined) {
        // The server may not be there: that was told when the session was lost.
        await this.#connect().catch(() => {})
        if (this.#session === undefined) await sleep(this.#options.backoffMs, undefined, { signal }).catch(() => {})
      }
    })().finally(() => {
      this.#connecting = undefined
      if (this.#session === undefined && !signal.aborted) this.#reconnect()
    })
  }
}

/** Of a worker, a number for PostgreSQL: 64 bits of a hash. */
export function lockKey(executor: string): string {
  return createHash('sha256').update(`x/durable ${executor}`).digest().readBigInt64BE().toString()
}
