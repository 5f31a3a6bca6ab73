/** Waits for the ends of runs: with one question to the database for all of them. */
import type Pg from 'pg'
import { engineClosed } from '../run-errors.ts'
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
  readonly #waiters = new Map<string, Waiter[]>()
  #timer: NodeJS.Timeout | undefined
  #delay = SOON_MS
  #isLooking = false
  #isClosed = false

  constructor(pool: Pg.Pool) {
    this.#pool = pool
  }

  /** Resolves when the run is over, or there is none. Rejects with `closed`. */
  wait(workflowId: string): Promise<void> {
    if (this.#isClosed) return Promise.reject(engineClosed())
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(workflowId) ?? []
      this.#waiters.set(workflowId, [...waiters, { resolve, reject }])
      this.wake()
    })
  }

  isAwaited(workflowId: string): boolean {
    return this.#waiters.has(workflowId)
  }

  /** Something may have ended. */
  wake(): void {
    this.#delay = SOON_MS
    this.#plan()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const waiters of this.#waiters.values()) for (const { reject } of waiters) reject(engineClosed())
    this.#waiters.clear()
  }

  #plan(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed || this.#isLooking || this.#waiters.size === 0) return
    this.#timer = setTimeout(() => this.#look(), this.#delay)
    this.#delay = Math.min(2 * this.#delay, LATER_MS)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    try {
      const asked = [...this.#waiters.keys()]
      const states = await readStates(this.#pool, asked)
      for (const workflowId of asked) if (!GOES_ON.has(states.get(workflowId)?.status ?? '')) this.#resolve(workflowId)
    } catch {
      // The database is away: it is asked again.
    }
    this.#isLooking = false
    this.#plan()
  }

  #resolve(workflowId: string): void {
    const waiters = this.#waiters.get(workflowId) ?? []
    this.#waiters.delete(workflowId)
    for (const { resolve } of waiters) resolve()
  }
}
