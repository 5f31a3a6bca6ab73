/** Runs requests in a worker thread, one at a time. Restarts the thread when a request takes too long. */
import { isToolError, onAbort, type ToolError } from '@x/tool-core'
import { timerMs } from '../../option.ts'
import { databaseError, timedOut, wasAborted } from '../database-error.ts'
import { type WaitLimits, waitFor } from '../wait-for.ts'
import type { WorkerFailure, WorkerRequest, WorkerResult } from './worker-protocol.ts'
import { WorkerThread } from './worker-thread.ts'

export interface WorkerHostOptions {
  readonly script: URL
  /** Passed to the worker when it starts. */
  readonly settings: object
  /** The application's own SQL. It runs once, at the first successful start. */
  readonly setup: string | undefined
  /** False for a database in the worker's memory, which is lost when the worker ends. */
  readonly isDurable: boolean
  /** Timeout for opening the database, in milliseconds. */
  readonly openMs: number
  /** Converts a failure that the worker reports. */
  readonly toError: (failure: WorkerFailure) => ToolError
  /** Called after a thread has ended and before the next one starts. */
  readonly onEnd?: (() => void) | undefined
}

const CLOSE_MS = 400

export class WorkerHost {
  readonly #options: WorkerHostOptions
  #thread: WorkerThread | undefined
  #opening: Promise<WorkerThread> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #end: unknown
  #closing: Promise<void> | undefined
  #isBusy = false
  #isSetUp = false

  constructor(options: WorkerHostOptions) {
    this.#options = options
  }

  /** Opens the database now instead of at the first request, so that problems are reported early. */
  open(): Promise<void> {
    return this.#alone(async () => void (await this.#openThread()))
  }

  run(request: WorkerRequest, limits: WaitLimits): Promise<WorkerResult> {
    return this.#alone(async () => {
      if (limits.signal?.aborted) throw wasAborted(limits.signal)
      const thread = await waitFor(this.#openThread(), limits, () =>
        databaseError(
          'busy',
          `The database is being reopened, which is taking longer than ${limits.timeoutMs} ms. Try again later.`,
        ),
      )
      if (this.#end !== undefined) throw this.#end
      return (await this.#ask(thread, request, limits)) as WorkerResult
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#end ??= databaseError('closed', 'The database is closed.')
    // Doesn't wait for a running statement. An idle thread closes its database before it ends.
    if (this.#isBusy || this.#opening !== undefined) await this.#thread?.terminate(this.#end)
    await this.#last
    await this.#opening?.catch(() => {})
    await this.#thread?.close(CLOSE_MS)
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(async () => {
      if (this.#end !== undefined) throw this.#end
      this.#isBusy = true
      try {
        return await work()
      } finally {
        this.#isBusy = false
      }
    })
    this.#last = turn.catch(() => {})
    return turn
  }

  /** Opens the database. If a caller stops waiting, opening continues for the next request. */
  #openThread(): Promise<WorkerThread> {
    this.#opening ??= this.#startThread().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #startThread(): Promise<WorkerThread> {
    const { script, settings, setup, openMs, toError, onEnd } = this.#options
    if (this.#thread?.hasEnded) {
      await this.#thread.ended
      this.#thread = undefined
      this.#lose()
    }
    if (this.#end !== undefined) throw this.#end
    if (this.#thread !== undefined) return this.#thread
    const thread = new WorkerThread(script, this.#isSetUp ? settings : { ...settings, setup }, toError)
    this.#thread = thread
    thread.ended.then(() => onEnd?.())
    const slow = databaseError('cannot_connect', `The database did not open within ${openMs} ms.`)
    const timer = setTimeout(() => void thread.terminate(slow), timerMs(openMs))
    try {
      await thread.opened
      this.#isSetUp = true
      return thread
    } catch (error) {
      await thread.terminate(error)
      this.#thread = undefined
      throw this.#end ?? error
    } finally {
      clearTimeout(timer)
    }
  }

  async #ask(thread: WorkerThread, request: WorkerRequest, { timeoutMs, signal }: WaitLimits): Promise<unknown> {
    const timer = setTimeout(() => this.#stop(thread, timedOut(timeoutMs)), timerMs(timeoutMs))
    const stopListening = signal && onAbort(signal, () => this.#stop(thread, wasAborted(signal)))
    try {
      return await thread.ask(request)
    } catch (error) {
      if (thread.hasEnded) this.#lose()
      throw this.#closing === undefined || isOutcomeUnknown(error) ? error : this.#end
    } finally {
      clearTimeout(timer)
      stopListening?.()
    }
  }

  #stop(thread: WorkerThread, error: unknown): void {
    void thread.terminate(error)
  }

  #lose(): void {
    if (this.#options.isDurable) return
    this.#end ??= databaseError('closed', 'The in-memory database was lost when a statement was stopped. Open it again.')
  }
}

function isOutcomeUnknown(error: unknown): boolean {
  return isToolError(error) && error.reason === 'outcome_unknown'
}
