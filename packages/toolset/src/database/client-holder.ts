/** Opens a client at first use, once for all callers, and checks it. Closes the client only if it was opened here. */
import { databaseError } from './database-error.ts'
import type { SqlClient } from './sql-client.ts'

export type ClientSource = SqlClient | (() => SqlClient | Promise<SqlClient>)

export function isClientSource(value: unknown): boolean {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && typeof (value as Partial<SqlClient>).run === 'function'
}

export class ClientHolder {
  readonly #source: ClientSource
  readonly #assertFit: (client: SqlClient) => Promise<void>
  #opened: Promise<SqlClient> | undefined
  #closing: Promise<void> = Promise.resolve()
  #isClosed = false

  /** `assertFit` checks a client before its first use. It rejects if the client must not be used. */
  constructor(source: ClientSource, assertFit: (client: SqlClient) => Promise<void>) {
    this.#source = source
    this.#assertFit = assertFit
  }

  /** Opens the client, even after `close`. */
  open(): Promise<SqlClient> {
    this.#isClosed = false
    return this.get()
  }

  /**
   * Returns the client. If this holder opens the client, rejects with `closed` after `close`, because a client that is opened later would
   * never be closed.
   */
  get(): Promise<SqlClient> {
    const source = this.#source
    const isOurs = typeof source === 'function'
    if (isOurs && this.#isClosed) return Promise.reject(databaseError('closed', 'The database is closed.'))
    if (this.#opened !== undefined) return this.#opened
    const opening = isOurs ? this.#closing.catch(() => {}).then(() => this.#open(source)) : this.#admit(source)
    this.#opened = opening
    // Lets the next call try again.
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined
    })
    return opening
  }

  async #open(source: () => SqlClient | Promise<SqlClient>): Promise<SqlClient> {
    const client = await source()
    try {
      return await this.#admit(client)
    } catch (error) {
      await client.close()
      throw error
    }
  }

  async #admit(client: SqlClient): Promise<SqlClient> {
    await this.#assertFit(client)
    return client
  }

  /** Closes all clients that were opened before this call. Settles when they are closed. */
  close(): Promise<void> {
    if (typeof this.#source !== 'function') return Promise.resolve()
    this.#isClosed = true
    const opened = this.#opened
    this.#opened = undefined
    if (opened !== undefined) this.#closing = this.#closing.catch(() => {}).then(() => closeWhenOpen(opened))
    return this.#closing
  }
}

async function closeWhenOpen(opened: Promise<SqlClient>): Promise<void> {
  const client = await opened.catch(() => undefined)
  await client?.close()
}
