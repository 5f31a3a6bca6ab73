/** A worker's session in PostgreSQL. The worker counts as alive while the session holds its lock. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type Pg from 'pg'
import type { Report } from '../engine/options.ts'
import type { Connections } from './connections.ts'

export interface OwnerLockOptions {
  readonly connections: Connections
  readonly report: Report
  readonly executor: string
  /** Key of a lock that the session shares with those of other workers. */
  readonly sharedKey: string
  /** Time after which the server ends a silent session, in milliseconds. The process may be suspended, for example. */
  readonly leaseMs: number
  /** Delay between attempts to reconnect, in milliseconds. */
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

  /** Opens the session and takes the lock. Rejects if the server can't be reached. */
  async take(): Promise<void> {
    const { connections, executor, sharedKey, leaseMs } = this.#options
    const session = connections.newClient()
    session.on('error', (cause) => this.drop(session, cause))
    session.on('end', () => this.drop(session, new Error('the connection was ended')))
    try {
      await session.connect()
      await session.query(`SET idle_session_timeout = ${Math.ceil(leaseMs)}`)
      // This query waits if another worker is just checking whether this one, or any of its version, is alive.
      await session.query('SELECT pg_advisory_lock($1), pg_advisory_lock_shared($2)', [lockKey(executor), sharedKey])
      this.#session = session
    } catch (cause) {
      session.end().catch(() => {})
      throw cause
    }
  }

  /** The open session. Undefined while it is being reopened. */
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

  /** Drops a session that doesn't respond and opens another one. Meanwhile, other workers may take over this worker's runs. */
  drop(session: Pg.Client, cause: unknown): void {
    if (this.#session !== session) return
    this.#session = undefined
    this.#options.report(cause)
    session.end().catch(() => {})
    this.#reconnect()
  }

  #reconnect(): void {
    const { signal } = this.#closing
    this.#connecting ??= (async () => {
      while (!signal.aborted && this.#session === undefined) {
        // The loss of the session was already reported, so failed attempts aren't.
        await this.take().catch(() => {})
        if (this.#session === undefined) await sleep(this.#options.backoffMs, undefined, { signal }).catch(() => {})
      }
    })().finally(() => {
      this.#connecting = undefined
      if (this.#session === undefined && !signal.aborted) this.#reconnect()
    })
  }
}

/** Returns the key of an advisory lock in PostgreSQL: 64 bits of a hash of its name. */
export function lockKey(name: string): string {
  return createHash('sha256').update(`x/durable ${name}`).digest().readBigInt64BE().toString()
}
