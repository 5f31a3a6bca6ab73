/** Opens a client when it is first needed, once for all who wait, and closes only what it opened. */
import type { SqlClient } from './sql-client.ts'

export type ClientSource = SqlClient | (() => SqlClient | Promise<SqlClient>)

export class ClientHolder {
  readonly #source: ClientSource
  #opened: Promise<SqlClient> | undefined

  constructor(source: ClientSource) {
    this.#source = source
  }

  get(): Promise<SqlClient> {
    const source = this.#source
    if (typeof source !== 'function') return Promise.resolve(source)
    if (this.#opened !== undefined) return this.#opened
    const opening = Promise.resolve().then(source)
    this.#opened = opening
    // The next call tries again.
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined
    })
    return opening
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    const client = await opened?.catch(() => undefined)
    await client?.close()
  }
}
