/** Runs one statement on a `pg` connection. Reads its rows in batches through a portal, so that the server pauses between batches. */
import { databaseError } from '../database-error.ts'
import { isEmpty } from '../statement-text.ts'

/**
 * The part of the driver's connection that is used here. Its methods send messages of PostgreSQL's extended protocol, which accepts only
 * one statement at a time.
 */
export interface WireConnection {
  readonly stream: {
    on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
    off(event: 'data', listener: (chunk: Uint8Array) => void): unknown
    destroy(error?: Error): unknown
  }
  once(event: 'readyForQuery', listener: (message: { status: string }) => void): unknown
  parse(statement: { text: string }): void
  bind(values: { values: readonly (string | null)[] }): void
  describe(part: { type: 'P'; name: string }): void
  execute(portal: { portal: string; rows: number }): void
  close(part: { type: 'P'; name: string }): void
  flush(): void
  sync(): void
  sendCopyFail(words: string): void
}

export interface PortalOptions {
  readonly text: string
  readonly values: readonly (string | null)[]
  readonly maxRows: number
  readonly maxBytes: number
  /** Runs the statement to its end even after the row limit, because a write reports its result only at the end. */
  readonly toEnd: boolean
}

export interface PortalResult {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly truncated: boolean
  /** Number of received rows, including those that weren't kept. */
  readonly returned: number
  /** The server's command tag, such as `DELETE 3`. Empty if reading stopped early. */
  readonly command: string
  /** Transaction status. `T` means that the statement's transaction is still open. Empty if the connection was closed. */
  readonly status: string
  /** True if the connection was closed because a row was too large. The result then contains the rows before that row. */
  readonly isCut: boolean
}

const FIRST_BATCH = 10
const LARGEST_BATCH = 100
/** The connection is closed if a row is larger than twice the requested maximum plus this many bytes. */
const SLACK_BYTES = 2 ** 20

/** A query object for the driver, which calls its methods. `result` settles when the statement has ended. */
export class PortalQuery {
  readonly result: Promise<PortalResult>
  readonly #options: PortalOptions
  readonly #rows: (readonly (string | null)[])[] = []
  #fields: PortalResult['fields'] = []
  #bytes = 0
  #largest = 1
  #returned = 0
  #received = 0
  #truncated = false
  #command = ''
  #resolve: (result: PortalResult) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #stopCounting: () => void = () => {}

  constructor(options: PortalOptions) {
    this.#options = options
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: WireConnection): void {
    this.#countBytes(connection)
    connection.parse({ text: this.#options.text })
    connection.bind({ values: this.#options.values })
    connection.describe({ type: 'P', name: '' })
    this.#nextBatch(connection)
  }

  handleRowDescription({ fields }: { fields: PortalResult['fields'] }): void {
    this.#fields = fields
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#returned++
    if (!this.#truncated || this.#options.toEnd) this.#received = 0
    if (this.#truncated) return
    const size = fields.reduce((sum, field) => sum + (field?.length ?? 0), 0)
    this.#bytes += size
    this.#largest = Math.max(this.#largest, size)
    const isFull = this.#rows.length === this.#options.maxRows || this.#bytes > this.#options.maxBytes
    if (isFull) this.#truncated = true
    else this.#rows.push(fields)
  }

  handlePortalSuspended(connection: WireConnection): void {
    if (this.#truncated && !this.#options.toEnd) {
      connection.close({ type: 'P', name: '' })
      this.#finish(connection)
    } else this.#nextBatch(connection)
  }

  handleCommandComplete({ text }: { text: string }, connection: WireConnection): void {
    this.#command = text
    this.#finish(connection)
  }

  handleEmptyQuery(connection: WireConnection): void {
    this.#stopCounting()
    connection.sync()
    this.#reject(isEmpty())
  }

  handleCopyInResponse(connection: WireConnection): void {
    connection.sendCopyFail('no data')
  }

  handleCopyData(): void {}

  /** Called by the driver after a failure. Syncs the connection if it is still open. */
  handleError(error: unknown, connection?: WireConnection): void {
    this.#stopCounting()
    if (connection !== undefined && typeof (error as { severity?: unknown }).severity === 'string') connection.sync()
    this.#reject(error)
  }

  handleReadyForQuery(): void {}

  #nextBatch(connection: WireConnection): void {
    const { maxRows, maxBytes } = this.#options
    const read = this.#rows.length
    const byBytes = Math.ceil((maxBytes - this.#bytes) / this.#largest) + 1
    const batch = read === 0 ? FIRST_BATCH : Math.min(LARGEST_BATCH, byBytes, maxRows + 1 - read)
    connection.execute({ portal: '', rows: this.#truncated ? LARGEST_BATCH : Math.max(1, Math.min(batch, maxRows + 1)) })
    connection.flush()
  }

  #finish(connection: WireConnection): void {
    this.#stopCounting()
    connection.once('readyForQuery', ({ status }) => {
      if (this.#truncated && this.#rows.length === 0 && this.#options.maxRows > 0) return this.#reject(this.#tooLarge())
      this.#resolve(this.#resultAt(status))
    })
    connection.sync()
  }

  #resultAt(status: string): PortalResult {
    return {
      fields: this.#fields,
      rows: this.#rows,
      truncated: this.#truncated,
      returned: this.#returned,
      command: this.#command,
      status,
      isCut: status === '',
    }
  }

  /** Counts bytes as they arrive, because a single value may be a gigabyte, and the driver passes on only whole rows. */
  #countBytes({ stream }: WireConnection): void {
    const most = this.#options.maxBytes * 2 + SLACK_BYTES
    const count = (chunk: Uint8Array) => {
      this.#received += chunk.length
      if (this.#received <= most) return
      const error = this.#tooLarge()
      const hasRows = this.#rows.length > 0 && !this.#options.toEnd
      this.#truncated = true
      if (hasRows) this.#resolve(this.#resultAt(''))
      else this.#reject(error)
      stream.destroy(error)
    }
    stream.on('data', count)
    this.#stopCounting = () => void stream.off('data', count)
  }

  #tooLarge(): Error {
    const { maxBytes } = this.#options
    return databaseError(
      'too_large',
      `One row has more than ${maxBytes} bytes. Select fewer columns, or shorten values with substr().`,
    )
  }
}
