/** Executes the runs in a folder, up to a limit of concurrent runs. Finds runs that can continue and that no process executes. */

import { setImmediate as turn } from 'node:timers/promises'
import { renew } from '@x/file-owner'
import type { RunFunction } from '../engine/engine.ts'
import { toFailure } from '../engine/failure.ts'
import { assertLooking } from '../engine/health.ts'
import { runHeld, workerCrashed } from '../engine/run-errors.ts'
import type { DurableError } from '../errors.ts'
import { isDamaged } from './journal/file-errors.ts'
import { LiveRun } from './live-run.ts'
import { OrderDesk } from './order-desk.ts'
import type { OwnedRun } from './owned-run.ts'
import { removeExpired } from './removal.ts'
import { isInUse, type RunStore } from './run-store.ts'
import { findSilent, RENEW_MS } from './silent-owners.ts'

/** Time without a completed look after which a worker counts as stalled, in milliseconds. */
const STALLED_MS = 30_000

export interface Limits {
  readonly concurrency: number
  readonly maxCrashes: number
  readonly retentionMs: number | undefined
}

export interface WorkerOptions extends Limits {
  readonly fn: RunFunction<unknown, unknown>
  readonly store: RunStore
  readonly lookEveryMs: number
  /** Called when this worker stops executing a run. `cause` is the original error of a failed run. */
  onStop(id: string, cause?: unknown): void
}

/** Maximum interval between checks for orders, in milliseconds. */
const ORDERS_EVERY_MS = 500
/** First delay before a failed journal is retried, in milliseconds. Doubles with each attempt, up to `LATEST_MS`. */
const AGAIN_MS = 1000
const LATEST_MS = 60_000
/**
 * Number of times in a row that a run's worker must have died, without a new record, before the run is a suspect: it may be the
 * cause.
 */
const SUSPECT = 2
/** Delay before a suspect is executed, in milliseconds. Doubles with each crash, up to `LATEST_MS`. */
const SUSPECT_MS = 1000
/** How many times longer that delay is while the worker executes other runs. A crash interrupts them. */
const BUSY = 10
/** Maximum time from the start of an interrupted run that isn't a suspect to that of the next one, in milliseconds. */
const STAGGER_MS = 100
/** How often the worker checks whether the next interrupted run can be executed, in milliseconds. */
const TURN_MS = 5
/** Interval at which locks of dead processes and expired runs are removed, in milliseconds. */
const TIDY_EVERY_MS = 60_000

export class FileWorker {
  readonly #options: WorkerOptions
  readonly #queue = new Set<string>()
  readonly #active = new Map<string, Promise<void>>()
  /** Active runs to check again when they stop, because a decision may have arrived. */
  readonly #again = new Set<string>()
  /**
   * Runs that can't be executed now. A damaged journal is tried again when it changes, and any other run at a time, which doesn't depend on
   * the system clock.
   */
  readonly #idle = new Map<string, { readonly stamp?: string | undefined; readonly until: number }>()
  /** When a crash was first seen here, by run id and time of the crash. Doesn't depend on the system clock. */
  readonly #seen = new Map<string, number>()
  /** Number of failures in a row, by run id. */
  readonly #tries = new Map<string, number>()
  /** Interval timer. Keeps the process alive until the worker is closed. */
  readonly #timer: NodeJS.Timeout
  readonly #desk: OrderDesk
  /** Interval timer that renews the locks of the runs that are executed here. */
  readonly #renewal: NodeJS.Timeout
  /** Runs of silent workers at the last check. */
  #silent: readonly string[] = []
  /** The interrupted run that was executed last. The next one follows when it has a new record, or after `STAGGER_MS`. */
  #interrupted: OwnedRun | undefined
  #interruptedAt = 0
  /** The suspect that was executed last. The next one follows only when it has a new record. */
  #suspect: OwnedRun | undefined
  /** Interrupted runs whose delay has passed, with their crashes. */
  readonly #line = new Map<string, number>()
  #turn: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #tidyAt = 0
  #expireAt = 0
  #lookedAt = performance.now()
  #isClosed = false

  constructor(options: WorkerOptions) {
    this.#options = options
    const { store, lookEveryMs } = options
    this.#timer = setInterval(() => this.look(), lookEveryMs)
    this.#desk = new OrderDesk(store, Math.min(lookEveryMs, ORDERS_EVERY_MS), (id) => this.enqueue(id))
    this.#renewal = setInterval(() => this.#renew(), RENEW_MS)
    this.look()
  }

  /** Queues the run for execution. If it is already being executed here, it is checked again afterwards. */
  enqueue(id: string): void {
    if (this.#isClosed) return
    if (this.#active.has(id)) {
      // The run may be stopping and may not have seen the decision.
      this.#again.add(id)
      return
    }
    this.#idle.delete(id)
    this.#queue.add(id)
    this.#fill()
  }

  /** Executes a run that was just started here. Returns false if there is no capacity; the caller must then close the journal. */
  keep(owned: OwnedRun): boolean {
    const { id } = owned
    if (this.#isClosed || this.#active.has(id) || this.#active.size >= this.#options.concurrency) return false
    this.#queue.delete(id)
    const live = this.#toLive(owned)
    // Yields first, so that the code that started the run can call `result` before it ends.
    this.#watch(
      id,
      turn().then(() => this.#play(live)),
    )
    return true
  }

  /** Finds runs that can continue and that no process is executing. */
  look(): void {
    this.#looking ??= this.#look()
      // Journals that can't be read now are tried again at the next look.
      .catch(this.#options.store.report)
      .finally(() => {
        this.#looking = undefined
        this.#lookedAt = performance.now()
      })
  }

  /** Throws `stalled` if no look has ended for long, because a file operation hangs. */
  assertLooking(): void {
    assertLooking(this.#lookedAt, STALLED_MS + this.#options.lookEveryMs)
  }

  /** The problem of a worker in another container that may have died. */
  get silent(): DurableError | undefined {
    return findSilent(this.#options.store.folder, this.#silent)?.problem
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearInterval(this.#turn)
    this.#queue.clear()
    await this.#looking
    const closings: Promise<void>[] = []
    for (const live of this.#options.store.live.values()) closings.push(live.close())
    await Promise.allSettled(closings)
    // Includes runs whose journals are still being opened.
    await Promise.allSettled(this.#active.values())
    // Closed last, because orders for these runs may arrive until then.
    await this.#desk.close()
    clearInterval(this.#renewal)
  }

  async #look(): Promise<void> {
    const { store, retentionMs } = this.#options
    const ids = new Set(await store.folder.idsOfOpen())
    if (performance.now() >= this.#tidyAt) {
      this.#tidyAt = performance.now() + TIDY_EVERY_MS
      await store.removeDead()
      this.#reportSilent(ids)
    }
    if (retentionMs !== undefined && performance.now() >= this.#expireAt) {
      const isDone = await removeExpired(store, Date.now() - retentionMs)
      if (isDone) this.#expireAt = performance.now() + Math.min(TIDY_EVERY_MS, retentionMs)
    }
    if (this.#idle.size === 0) this.#seen.clear()
    for (const map of [this.#idle, this.#tries]) for (const id of map.keys()) if (!ids.has(id)) map.delete(id)
    for (const id of ids) {
      if (this.#isClosed) return
      const isKnown = this.#queue.has(id) || this.#active.has(id) || this.#line.has(id)
      if (isKnown || this.#isIdle(id) || store.isOwned(id)) continue
      this.enqueue(id)
    }
  }

  #reportSilent(ids: Iterable<string>): void {
    const { folder, report } = this.#options.store
    const silent = findSilent(folder, ids)
    if (silent !== undefined) report(silent.problem)
    this.#silent = silent?.ids ?? []
  }

  #renew(): void {
    const { live, folder } = this.#options.store
    for (const id of live.keys())
      try {
        renew(folder.lockOf(id))
      } catch {
        // A user has deleted the lock, or the disk is read-only. The next record reports that.
      }
  }

  #isIdle(id: string): boolean {
    const idle = this.#idle.get(id)
    if (idle === undefined) return false
    return performance.now() < idle.until || (idle.stamp !== undefined && idle.stamp === this.#stampOf(id))
  }

  #fill(): void {
    for (const id of this.#queue) {
      if (this.#active.size >= this.#options.concurrency) return
      this.#queue.delete(id)
      this.#watch(id, this.#execute(id))
    }
  }

  #watch(id: string, execution: Promise<boolean>): void {
    const done = execution
      .catch((cause) => this.#leave(id, cause))
      .then((canContinue) => {
        this.#active.delete(id)
        const isDecided = this.#again.delete(id)
        if ((canContinue === true || isDecided) && !this.#isClosed) this.#queue.add(id)
        this.#fill()
      })
    this.#active.set(id, done)
  }

  /**
   * Handles a run that couldn't be executed: another process has it, or its journal can't be opened. A caller of `result` gets
   * the error when it reads the journal.
   */
  #leave(id: string, cause: unknown): void {
    const { store, onStop } = this.#options
    onStop(id)
    if (isInUse(cause)) return
    store.report(cause)
    const stamp = isDamaged(cause) ? this.#stampOf(id) : undefined
    const tries = this.#tries.get(id) ?? 0
    this.#tries.set(id, tries + 1)
    this.#idle.set(id, { stamp, until: stamp === undefined ? performance.now() + Math.min(AGAIN_MS * 2 ** tries, LATEST_MS) : 0 })
  }

  #stampOf(id: string): string | undefined {
    try {
      return this.#options.store.folder.find(id)?.stamp
    } catch {
      // Opening the journal later reports the error.
      return undefined
    }
  }

  /** Executes a run. Resolves to true if it can continue immediately. */
  async #execute(id: string): Promise<boolean> {
    const live = await this.#options.store.alone(id, () => this.#open(id))
    return live === undefined ? false : await this.#play(live)
  }

  async #play(live: LiveRun): Promise<boolean> {
    const { fn, store, onStop } = this.#options
    const { id } = live.owned
    const played = live.play(fn)
    const stop = await played.catch(() => undefined)
    const place = await store.alone(id, () => live.owned.close().finally(() => store.live.delete(id)))
    // Rethrows the error because of which nothing could be recorded.
    if (stop === undefined) await played
    this.#tries.delete(id)
    if (stop?.misfit !== undefined) store.report(runHeld(id, stop.misfit))
    onStop(id, stop?.cause)
    return place === 'open'
  }

  async #open(id: string): Promise<LiveRun | undefined> {
    const { store } = this.#options
    if (this.#isClosed || store.folder.find(id)?.place !== 'open') return undefined
    const owned = await store.own(id)
    if (owned === undefined) return undefined
    let live: LiveRun | undefined
    try {
      // A killed process may have left the journal in the wrong folder.
      const canContinue = !this.#isClosed && owned.start !== undefined && owned.place === 'open'
      if (canContinue && !(await this.#isHeldBack(owned))) live = this.#toLive(owned)
      return live
    } finally {
      if (live === undefined) await owned.close()
    }
  }

  /**
   * Returns true if the run must not be executed now, because its workers have died. Interrupted runs are executed one after the
   * other, so that one that kills the worker doesn't count against the others. Suspects also wait longer after each crash. After
   * `maxCrashes`, the run fails.
   */
  async #isHeldBack(owned: OwnedRun): Promise<boolean> {
    const { id, crashes } = owned
    const { store, maxCrashes, lookEveryMs, onStop } = this.#options
    if (crashes === undefined) return false
    const { count, at } = crashes
    if (count >= maxCrashes) {
      const cause = workerCrashed(id, count)
      await owned.giveUp(toFailure(cause))
      store.report(cause)
      onStop(id, cause)
      return true
    }
    const isSuspect = count >= SUSPECT
    const factor = store.live.size > 0 ? BUSY : 1
    const delay = isSuspect ? Math.min(SUSPECT_MS * 2 ** (count - SUSPECT) * factor, LATEST_MS) : 0
    const seenAt = this.#seen.get(`${id} ${at}`) ?? performance.now()
    this.#seen.set(`${id} ${at}`, seenAt)
    // The delay also ends in time if the clock was set back.
    const wait = delay + Math.min(Date.parse(at) - Date.now(), seenAt - performance.now())
    if (wait <= 0 && this.#isNext(count)) {
      this.#line.delete(id)
      this.#interrupted = owned
      this.#interruptedAt = performance.now()
      if (isSuspect) this.#suspect = owned
      return false
    }
    this.#idle.set(id, { until: performance.now() + Math.max(wait, lookEveryMs) })
    if (wait <= 0) this.#line.set(id, count)
    this.#turn ??= setInterval(() => this.#takeTurn(), TURN_MS).unref()
    return true
  }

  /** Returns true if a run with this number of crashes may be executed now. */
  #isNext(crashes: number): boolean {
    if (crashes >= SUSPECT && hasNoRecord(this.#suspect)) return false
    return performance.now() - this.#interruptedAt >= STAGGER_MS || !hasNoRecord(this.#interrupted)
  }

  /** Executes the next run in line, unless another one is about to be executed. */
  #takeTurn(): void {
    if (this.#queue.size > 0 || this.#active.size > this.#options.store.live.size) return
    if (this.#line.size === 0) {
      clearInterval(this.#turn)
      this.#turn = undefined
    }
    for (const [id, crashes] of this.#line) {
      if (!this.#isNext(crashes)) continue
      this.#line.delete(id)
      this.enqueue(id)
      return
    }
  }

  #toLive(owned: OwnedRun): LiveRun {
    try {
      owned.markBusy()
    } catch (cause) {
      // Without the mark, a crash of this process doesn't count against the run.
      this.#options.store.report(cause)
    }
    const live = new LiveRun(owned)
    // Without retries, a full disk would make the worker execute a step again and again.
    owned.journal.keepTrying(this.#options.store.report)
    this.#options.store.live.set(owned.id, live)
    return live
  }
}

/** Returns true if an interrupted run is being executed and hasn't recorded anything since the crash. */
function hasNoRecord(owned: OwnedRun | undefined): boolean {
  return owned?.isClosed === false && owned.crashes !== undefined
}
