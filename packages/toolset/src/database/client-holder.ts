/** Opens a client when it is first needed, once for all who wait, looks whether it is fit, and closes only what it opened. */
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

  /** `assertFit` rejects for a client that may not be used; it is asked once for each. */
  constructor(source: ClientSource, assertFit: (client: SqlClient) => Promise<void>) {
    this.#source = source
    this.#assertFit = assertFit
  }

  /** Also after it was closed. */
  open(): Promise<SqlClient> {
    this.#isClosed = false
    return this.get()
  }

  /** Rejects with `closed` after it was closed, since nobody would close what a late call opens. */
  get(): Promise<SqlClient> {
    const source = this.#source
    const isOurs = typeof source === 'function'
    if (isOurs && this.#isClosed) return Promise.reject(databaseError('closed', 'The database is closed.'))
    if (this.#opened !== undefined) return this.#opened
    const opening = isOurs ? this.#closing.catch(() => {}).then(() => this.#open(source)) : this.#admit(source)
    this.#opened = opening
    // The next call tries again.
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

  /** Each call settles when everything that was opened before it is closed. */
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
