/** A worker thread and its pending requests. When the thread ends for any reason, all of them settle. */
import { Worker } from 'node:worker_threads'
import type { ToolError } from '@x/tool-core'
import { cleanWords, databaseError, outcomeUnknown } from '../database-error.ts'
import { OPENING, type WorkerFailure, type WorkerReply, type WorkerRequest, type WorkerResult } from './worker-protocol.ts'

interface Waiting {
  resolve(result: WorkerResult | undefined): void
  reject(error: unknown): void
}

export class WorkerThread {
  /** Settles when the database is open or has failed to open. */
  readonly opened: Promise<unknown>
  readonly ended: Promise<void>
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #toError: (failure: WorkerFailure) => ToolError
  /** Contains 1 while the worker commits. It's shared memory, because the worker can't send messages during the commit. */
  readonly #committing = new Int32Array(new SharedArrayBuffer(4))
  #lastId = OPENING
  #end: unknown

  constructor(script: URL, workerData: object, toError: (failure: WorkerFailure) => ToolError) {
    this.#toError = toError
    this.opened = this.#wait(OPENING)
    this.#worker = new Worker(script, { workerData: { ...workerData, committing: this.#committing } })
    this.#worker.on('message', (reply: WorkerReply) => this.#settle(reply))
    this.#worker.on('error', (cause) =>
      this.#fail(databaseError('sql_error', `The database failed: ${cleanWords(cause.message)}`, cause)),
    )
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail(databaseError('closed', "The database's worker has stopped."))
        resolve()
      })
    })
  }

  get hasEnded(): boolean {
    return this.#end !== undefined
  }

  ask(request: WorkerRequest): Promise<WorkerResult | undefined> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    const id = ++this.#lastId
    const result = this.#wait(id)
    Atomics.store(this.#committing, 0, 0)
    this.#worker.postMessage({ ...request, id })
    return result
  }

  /** Stops the thread at once and rejects pending requests. If the thread was committing, they reject with `outcome_unknown`. */
  async terminate(error: unknown): Promise<void> {
    this.#fail(error)
    await this.#worker.terminate()
  }

  /** Asks the worker to close the database, which ends the thread. Terminates the thread after `waitMs`. */
  async close(waitMs: number): Promise<void> {
    this.ask({ kind: 'close' }).catch(() => {})
    const timer = setTimeout(() => void this.#worker.terminate(), waitMs)
    await this.ended
    clearTimeout(timer)
  }

  /** Waits for a reply. Only a thread with pending requests keeps the process alive. */
  #wait(id: number): Promise<WorkerResult | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker?.ref()
    })
  }

  #settle(reply: WorkerReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if (reply.ok) waiting?.resolve(reply.result)
    else waiting?.reject(this.#toError(reply.failure))
    if (reply.isSpent) void this.terminate(databaseError('closed', "The database's worker has stopped."))
  }

  #fail(error: unknown): void {
    const isCommitting = this.#waiting.size > 0 && Atomics.load(this.#committing, 0) === 1
    this.#end ??= isCommitting ? outcomeUnknown(error) : error
    for (const { reject } of this.#waiting.values()) reject(this.#end)
    this.#waiting.clear()
  }
}
