/** SQLite in a worker thread, as a `SqlClient`. */
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { cannotOpen } from './cannot-open.ts'
import { ownFile, type Release } from './file-owner.ts'
import { IN_MEMORY } from './place.ts'
import {
  assertStorable,
  type SqlClient,
  SqlError,
  type SqlErrorCode,
  type SqlExecutor,
  type SqlRow,
  type SqlValue,
} from './sql-client.ts'
import { OPENING, type WorkerReply, type WorkerRequest, type WorkerSettings } from './worker-protocol.ts'

export interface SqliteOptions {
  /** Path of the database, or `:memory:`. A missing file is created, with its directories. */
  file: string
  /** Maximum time to wait for another process to release the file, in milliseconds. Default: 2,000. */
  waitMs?: number | undefined
  /** The worker's script. Tests replace it. */
  workerUrl?: URL | undefined
}

/** Opens a database. Rejects with `SqlError` if the file can't be used or another process is using it. */
export async function openSqlite({ file, waitMs, workerUrl }: SqliteOptions): Promise<SqlClient> {
  const path = file === IN_MEMORY ? file : resolve(file)
  const release: Release = path === IN_MEMORY ? () => {} : await ownFile(path, waitMs)
  const thread = new WorkerThread(path, release, workerUrl ?? new URL('./sqlite-worker.js', import.meta.url))
  try {
    await thread.opened
  } catch (error) {
    await thread.stop()
    throw cannotOpen(path, error)
  }
  return createClient(thread)
}

/** Runs statements and transactions one after another, so that no other statement becomes part of a transaction. */
function createClient(thread: WorkerThread): SqlClient {
  let last: Promise<unknown> = Promise.resolve()
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
  const executor: SqlExecutor = {
    query: async <Row extends object>(sql: string, params: readonly SqlValue[] = []) => {
      assertStorable(params)
      return (await thread.query(sql, params)) as readonly object[] as readonly Row[]
    },
  }
  return {
    query: (sql, params) => alone(() => executor.query(sql, params)),
    transaction: (work) =>
      alone(async () => {
        await executor.query('BEGIN IMMEDIATE')
        try {
          const result = await work(executor)
          await executor.query('COMMIT')
          return result
        } catch (error) {
          await executor.query('ROLLBACK').catch(() => {})
          throw error
        }
      }),
    close: () => thread.stop(),
  }
}

const STOP_MS = 400

interface Waiting {
  readonly code: SqlErrorCode
  resolve(rows: readonly SqlRow[]): void
  reject(error: SqlError): void
}

/** The thread with its pending requests, which are rejected when the thread ends for any reason. */
class WorkerThread {
  readonly opened: Promise<unknown>
  readonly #worker: Worker
  readonly #ended: Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  #lastId = OPENING
  #end: SqlError | undefined
  #stopping: Promise<void> | undefined

  constructor(file: string, release: Release, script: URL) {
    this.opened = this.#wait(OPENING, 'cannot_open')
    this.#worker = new Worker(script, { workerData: { file } satisfies WorkerSettings })
    this.#worker.on('message', (reply: WorkerReply) => this.#settle(reply))
    this.#worker.on('error', (cause) => this.#fail(`The database's worker failed: ${cause.message}`, cause))
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail("The database's worker has stopped.")
        release()
        resolve()
      })
    })
  }

  query(sql: string, params: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    const id = ++this.#lastId
    const rows = this.#wait(id, 'statement_failed')
    this.#send({ id, kind: 'query', sql, params })
    return rows
  }

  /** Lets the current statement finish. Terminates the thread if it doesn't end in time. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#fail('The database is closed.')
    this.#send({ id: ++this.#lastId, kind: 'close' })
    const timer = setTimeout(() => void this.#worker.terminate(), STOP_MS)
    await this.#ended
    clearTimeout(timer)
  }

  #wait(id: number, code: SqlErrorCode): Promise<readonly SqlRow[]> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { code, resolve, reject }))
  }

  #send(request: WorkerRequest): void {
    this.#worker.postMessage(request)
  }

  #settle(reply: WorkerReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.ok) waiting?.resolve(reply.rows)
    else waiting?.reject(new SqlError(waiting.code, reply.error))
  }

  #fail(message: string, cause?: unknown): void {
    this.#end ??= new SqlError('closed', message, cause)
    for (const { reject } of this.#waiting.values()) reject(this.#end)
    this.#waiting.clear()
  }
}
