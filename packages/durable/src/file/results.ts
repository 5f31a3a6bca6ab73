/** Whoever waits for the end of runs: one look at a time for all who wait for the same one. */

import type { RunStatus } from '../engine/engine.ts'
import { engineClosed, runCancelled, runFailed, unknownRun } from '../engine/run-errors.ts'
import { untilAborted } from '../engine/until-aborted.ts'
import { DurableError } from '../errors.ts'
import type { RunStore } from './run-store.ts'

interface Waiter {
  resolve(output: unknown): void
  reject(cause: unknown): void
}

interface Awaited {
  readonly waiters: Set<Waiter>
  /** Of the journal when it was last read. */
  stamp?: string | undefined
  /** What the run failed with here, of which less is recorded. */
  cause?: unknown
  isLooking: boolean
  /** It was read before. */
  isKnown: boolean
  /** Something happened while it was looked at. */
  isTold: boolean
}

export interface ResultsOptions {
  readonly store: RunStore
  readonly lookEveryMs: number
  statusOf(id: string): Promise<RunStatus | undefined>
}

export class Results {
  readonly #options: ResultsOptions
  readonly #awaited = new Map<string, Awaited>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ResultsOptions) {
    this.#options = options
  }

  async of(id: string, signal: AbortSignal | undefined): Promise<unknown> {
    const awaited: Awaited = this.#awaited.get(id) ?? { waiters: new Set(), isLooking: false, isKnown: false, isTold: false }
    this.#awaited.set(id, awaited)
    // Other processes do something as well.
    this.#timer ??= setInterval(() => this.#lookAtAll(), this.#options.lookEveryMs)
    let waiter: Waiter | undefined
    const result = new Promise<unknown>((resolve, reject) => {
      waiter = { resolve, reject }
      awaited.waiters.add(waiter)
    })
    // One that is executed here tells when it has stopped.
    if (!this.#options.store.live.has(id)) this.tell(id)
    try {
      return await untilAborted(() => result, signal)
    } finally {
      if (waiter !== undefined) awaited.waiters.delete(waiter)
      if (awaited.waiters.size === 0 && this.#awaited.get(id) === awaited) this.#forget(id)
    }
  }

  /** It is time to look at a run; `cause` is what it failed with here. */
  tell(id: string, cause?: unknown): void {
    const awaited = this.#awaited.get(id)
    if (awaited === undefined) return
    awaited.cause ??= cause
    awaited.isTold = true
    void this.#look(id, awaited)
  }

  close(): void {
    for (const [id, awaited] of this.#awaited) this.#settle(id, awaited, (waiter) => waiter.reject(engineClosed()))
  }

  #lookAtAll(): void {
    for (const [id, awaited] of this.#awaited) if (this.#isWorthALook(id, awaited)) void this.#look(id, awaited)
  }

  /** A run that is executed is looked at when it has stopped, and one that waits when it does not any more. */
  #isWorthALook(id: string, { stamp }: Awaited): boolean {
    const { store } = this.#options
    try {
      const found = store.folder.find(id)
      if (found === undefined || found.place === 'ended') return true
      return found.place === 'open' && found.stamp !== stamp && !store.isHeld(id)
    } catch {
      // It is said by the look.
      return true
    }
  }

  async #look(id: string, awaited: Awaited): Promise<void> {
    if (awaited.isLooking) return
    awaited.isLooking = true
    try {
      do await this.#lookOnce(id, awaited)
      while (awaited.isTold)
    } catch (cause) {
      // Nobody who has waited for days is to hear that a file could not be opened for once.
      if (awaited.isKnown && cause instanceof DurableError && cause.code === 'cannot_open') this.#tryAgain(awaited, cause)
      else this.#settle(id, awaited, (waiter) => waiter.reject(cause))
    } finally {
      awaited.isLooking = false
    }
  }

  #tryAgain(awaited: Awaited, cause: DurableError): void {
    awaited.stamp = undefined
    this.#options.store.tell(cause)
  }

  async #lookOnce(id: string, awaited: Awaited): Promise<void> {
    awaited.isTold = false
    awaited.stamp = this.#options.store.folder.find(id)?.stamp
    const status = await this.#options.statusOf(id)
    const { cause } = awaited
    awaited.isKnown = true
    if (status === undefined) throw unknownRun(id)
    const { state, output, failure } = status
    if (state === 'cancelled') throw runCancelled(id)
    if (failure !== undefined) throw runFailed(id, failure, cause)
    // Each has a value of its own.
    if (state === 'finished') this.#settle(id, awaited, (waiter) => waiter.resolve(structuredClone(output)))
  }

  #settle(id: string, awaited: Awaited, settle: (waiter: Waiter) => void): void {
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
