/** Waits for runs to end. All callers that wait for a run share one check. */

import type { RunStatus } from '../engine/engine.ts'
import { engineClosed, runCancelled, runFailed, unknownRun } from '../engine/run-errors.ts'
import { untilAborted } from '../engine/until-aborted.ts'
import { DurableError } from '../errors.ts'
import type { RunStore } from './run-store.ts'

interface Waiter {
  resolve(output: unknown): void
  reject(cause: unknown): void
}

interface AwaitedRun {
  readonly waiters: Set<Waiter>
  /** The journal's stamp at the last check. */
  stamp?: string | undefined
  /** The original error of a run that failed in this process. The journal contains fewer details. */
  cause?: unknown
  isLooking: boolean
  /** True for a run that this process executes, and once the status has been read. */
  isKnown: boolean
  /** True if the run may have changed while it was being checked. */
  isChanged: boolean
}

export interface ResultsOptions {
  readonly store: RunStore
  readonly lookEveryMs: number
  statusOf(id: string): Promise<RunStatus | undefined>
}

export class Results {
  readonly #options: ResultsOptions
  readonly #awaited = new Map<string, AwaitedRun>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ResultsOptions) {
    this.#options = options
  }

  async of(id: string, signal: AbortSignal | undefined): Promise<unknown> {
    const isHere = this.#options.store.live.has(id)
    const awaited: AwaitedRun = this.#awaited.get(id) ?? {
      waiters: new Set(),
      isLooking: false,
      isKnown: isHere,
      isChanged: false,
    }
    this.#awaited.set(id, awaited)
    // Other processes may also change runs, so check at intervals.
    this.#timer ??= setInterval(() => this.#lookAtAll(), this.#options.lookEveryMs)
    let waiter: Waiter | undefined
    const result = new Promise<unknown>((resolve, reject) => {
      waiter = { resolve, reject }
      awaited.waiters.add(waiter)
    })
    // For a run that this process executes, the worker triggers a check when the run stops.
    if (!isHere) this.check(id)
    try {
      return await untilAborted(() => result, signal)
    } finally {
      if (waiter !== undefined) awaited.waiters.delete(waiter)
      if (awaited.waiters.size === 0 && this.#awaited.get(id) === awaited) this.#forget(id)
    }
  }

  /** Checks whether a run has ended. `cause` is the original error of a run that failed in this process. */
  check(id: string, cause?: unknown): void {
    const awaited = this.#awaited.get(id)
    if (awaited === undefined) return
    awaited.cause ??= cause
    awaited.isChanged = true
    void this.#look(id, awaited)
  }

  close(): void {
    for (const [id, awaited] of this.#awaited) this.#settle(id, awaited, (waiter) => waiter.reject(engineClosed()))
  }

  #lookAtAll(): void {
    for (const [id, awaited] of this.#awaited) if (this.#isWorthALook(id, awaited)) void this.#look(id, awaited)
  }

  /** Returns false if the run can't have ended, because it is waiting or being executed. */
  #isWorthALook(id: string, { stamp }: AwaitedRun): boolean {
    const { store } = this.#options
    try {
      const found = store.folder.find(id)
      if (found === undefined || found.place === 'ended') return true
      return found.place === 'open' && found.stamp !== stamp && !store.isOwned(id)
    } catch {
      // The check reports the error.
      return true
    }
  }

  async #look(id: string, awaited: AwaitedRun): Promise<void> {
    if (awaited.isLooking) return
    awaited.isLooking = true
    try {
      do await this.#lookOnce(id, awaited)
      while (awaited.isChanged)
    } catch (cause) {
      // A caller may have waited for days. It shouldn't fail because a file couldn't be opened once.
      if (awaited.isKnown && cause instanceof DurableError && cause.code === 'cannot_open') this.#tryAgain(awaited, cause)
      else this.#settle(id, awaited, (waiter) => waiter.reject(cause))
    } finally {
      awaited.isLooking = false
    }
  }

  #tryAgain(awaited: AwaitedRun, cause: DurableError): void {
    awaited.stamp = undefined
    this.#options.store.report(cause)
  }

  async #lookOnce(id: string, awaited: AwaitedRun): Promise<void> {
    awaited.isChanged = false
    awaited.stamp = this.#options.store.folder.find(id)?.stamp
    const status = await this.#options.statusOf(id)
    const { cause } = awaited
    awaited.isKnown = true
    if (status === undefined) throw unknownRun(id)
    const { state, output, failure } = status
    if (state === 'cancelled') throw runCancelled(id)
    if (state === 'failed' && failure !== undefined) throw runFailed(id, failure, cause)
    // Each caller gets its own copy.
    if (state === 'finished') this.#settle(id, awaited, (waiter) => waiter.resolve(structuredClone(output)))
  }

  #settle(id: string, awaited: AwaitedRun, settle: (waiter: Waiter) => void): void {
    if (this.#awaited.get(id) === awaited) this.#forget(id)
    for (const waiter of awaited.waiters) settle(waiter)
  }

  #forget(id: string): void {
    this.#awaited.delete(id)
    if (this.#awaited.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
