/** Waits until runs have ended. One query checks all awaited runs. */
import type Pg from 'pg'
import type { Report } from '../engine/options.ts'
import { engineClosed } from '../engine/run-errors.ts'
import { untilAborted } from '../engine/until-aborted.ts'
import { readStates } from './tables.ts'

const SOON_MS = 10
const LATER_MS = 250
const GOES_ON = new Set(['ENQUEUED', 'PENDING', 'DELAYED'])

interface Waiter {
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

export class Results {
  readonly #pool: Pg.Pool
  readonly #report: Report
  readonly #waiters = new Map<string, Set<Waiter>>()
  #timer: NodeJS.Timeout | undefined
  /** Time at which the timer fires, in milliseconds of `performance.now`. */
  #due = 0
  #delay = SOON_MS
  #isLooking = false
  #isClosed = false
  #isAway = false

  constructor(pool: Pg.Pool, report: Report) {
    this.#pool = pool
    this.#report = report
  }

  /** Resolves when the run has ended or doesn't exist. Rejects with `closed`, or with the signal's reason. */
  async wait(workflowId: string, signal?: AbortSignal): Promise<void> {
    if (this.#isClosed) throw engineClosed()
    let waiter: Waiter | undefined
    const end = () =>
      new Promise<void>((resolve, reject) => {
        waiter = { resolve, reject }
        const waiters = this.#waiters.get(workflowId) ?? new Set()
        this.#waiters.set(workflowId, waiters.add(waiter))
        this.wake()
      })
    try {
      await untilAborted(end, signal)
    } finally {
      if (waiter !== undefined) this.#forget(workflowId, waiter)
    }
  }

  isAwaited(workflowId: string): boolean {
    return this.#waiters.has(workflowId)
  }

  /** Schedules a check soon, because a run may have ended. */
  wake(): void {
    this.#delay = SOON_MS
    this.#plan()
  }

  close(): void {
    this.#isClosed = true
    this.#stopTimer()
    for (const waiters of this.#waiters.values()) for (const { reject } of waiters) reject(engineClosed())
    this.#waiters.clear()
  }

  /**
   * Schedules the next check. Moves a scheduled check only to an earlier time, because new callers could otherwise postpone it
   * forever.
   */
  #plan(): void {
    if (this.#isClosed || this.#isLooking || this.#waiters.size === 0) return
    const due = performance.now() + this.#delay
    if (this.#timer !== undefined && this.#due <= due) return
    this.#stopTimer()
    this.#due = due
    this.#timer = setTimeout(() => this.#look(), this.#delay)
    this.#delay = Math.min(2 * this.#delay, LATER_MS)
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #look(): Promise<void> {
    this.#timer = undefined
    this.#isLooking = true
    try {
      const asked = [...this.#waiters.keys()]
      const states = await readStates(this.#pool, asked)
      this.#isAway = false
      for (const workflowId of asked) if (!GOES_ON.has(states.get(workflowId)?.status ?? '')) this.#resolve(workflowId)
    } catch (cause) {
      // While the database is unreachable, this is reported only once, and the query is repeated.
      if (!this.#isClosed && !this.#isAway) this.#report(cause)
      this.#isAway = true
    }
    this.#isLooking = false
    this.#plan()
  }

  #resolve(workflowId: string): void {
    const waiters = this.#waiters.get(workflowId) ?? []
    this.#waiters.delete(workflowId)
    for (const { resolve } of waiters) resolve()
  }

  #forget(workflowId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(workflowId)
    waiters?.delete(waiter)
    if (waiters?.size === 0) this.#waiters.delete(workflowId)
    if (this.#waiters.size === 0) this.#stopTimer()
  }
}
