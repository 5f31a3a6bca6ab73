/** Executes the runs of a folder, so many at a time, and finds those that other processes started, decided or left behind. */

import { setImmediate as turn } from 'node:timers/promises'
import type { RunFunction } from '../engine/engine.ts'
import { DurableError } from '../errors.ts'
import type { HeldRun } from './held-run.ts'
import { LiveRun } from './live-run.ts'
import { OrderDesk } from './order-desk.ts'
import { isInUse, type RunStore } from './run-store.ts'

export interface WorkerOptions {
  readonly fn: RunFunction<unknown, unknown>
  readonly store: RunStore
  readonly concurrency: number
  readonly lookEveryMs: number
  /** Is told when a run has ended or waits here; `cause` is what it failed with. */
  onStop(id: string, cause?: unknown): void
}

/** Orders are looked for as often at least. */
const ORDERS_EVERY_MS = 500
/** What could not be opened, written or put away is tried again so late, each time twice as late as before. */
const AGAIN_MS = 1000
const LATEST_MS = 60_000
/** How often what dead processes left is removed. */
const TIDY_EVERY_MS = 60_000

export class Worker {
  readonly #options: WorkerOptions
  readonly #queue = new Set<string>()
  readonly #active = new Map<string, Promise<void>>()
  /** Those of them about which something was decided meanwhile. */
  readonly #again = new Set<string>()
  /** Journals that cannot be used: not before they are written to, or it is time. */
  readonly #idle = new Map<string, { readonly stamp?: string | undefined; readonly until: number }>()
  /** How often they could not be used, one time after another. */
  readonly #tries = new Map<string, number>()
  /** It keeps the process: a worker stays until it is closed. */
  readonly #timer: NodeJS.Timeout
  readonly #desk: OrderDesk
  #looking: Promise<void> | undefined
  #tidyAt = 0
  #isClosed = false

  constructor(options: WorkerOptions) {
    this.#options = options
    const { store, lookEveryMs } = options
    this.#timer = setInterval(() => this.look(), lookEveryMs)
    this.#desk = new OrderDesk(store, Math.min(lookEveryMs, ORDERS_EVERY_MS), (id) => this.enqueue(id))
    this.look()
  }

  /** Executes the run as soon as there is room. Does nothing for one that is executed here. */
  enqueue(id: string): void {
    if (this.#isClosed) return
    if (this.#active.has(id)) {
      // It may be just stopping.
      this.#again.add(id)
      return
    }
    this.#idle.delete(id)
    this.#queue.add(id)
    this.#fill()
  }

  /** Executes a run that was just begun here, if there is room; false when its journal is to be closed. Nobody else works on it here. */
  keep(held: HeldRun): boolean {
    const { id } = held
    if (this.#isClosed || this.#active.has(id) || this.#active.size >= this.#options.concurrency) return false
    this.#queue.delete(id)
    const live = this.#toLive(held)
    // Whoever has started it may wait for it before.
    this.#watch(
      id,
      turn().then(() => this.#play(live)),
    )
    return true
  }

  /** Looks for runs that could go on and that nobody executes. */
  look(): void {
    this.#looking ??= this.#look()
      // What cannot be read now is looked at again next time.
      .catch(this.#options.store.tell)
      .finally(() => {
        this.#looking = undefined
      })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#queue.clear()
    await this.#looking
    await Promise.allSettled([...this.#options.store.live.values()].map((live) => live.close()))
    // With those that were just being opened.
    await Promise.allSettled(this.#active.values())
    // Until then orders may come for them.
    await this.#desk.close()
  }

  async #look(): Promise<void> {
    const { store } = this.#options
    if (Date.now() >= this.#tidyAt) {
      this.#tidyAt = Date.now() + TIDY_EVERY_MS
      await store.removeDead()
    }
    const ids = new Set(await store.folder.idsOfOpen())
    for (const map of [this.#idle, this.#tries]) for (const id of map.keys()) if (!ids.has(id)) map.delete(id)
    for (const id of ids) {
      if (this.#isClosed) return
      if (this.#queue.has(id) || this.#active.has(id) || this.#isIdle(id) || store.isHeld(id)) continue
      this.enqueue(id)
    }
  }

  #isIdle(id: string): boolean {
    const idle = this.#idle.get(id)
    if (idle === undefined) return false
    return Date.now() < idle.until || (idle.stamp !== undefined && idle.stamp === this.#stampOf(id))
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
      .then((goesOn) => {
        this.#active.delete(id)
        const isDecided = this.#again.delete(id)
        if ((goesOn === true || isDecided) && !this.#isClosed) this.#queue.add(id)
        this.#fill()
      })
    this.#active.set(id, done)
  }

  /** Another process has it, or its journal cannot be used: looking at it says so. */
  #leave(id: string, cause: unknown): void {
    const { store, onStop } = this.#options
    onStop(id)
    if (isInUse(cause)) return
    store.tell(cause)
    const isDamaged = cause instanceof DurableError && DAMAGED.has(cause.code)
    const stamp = isDamaged ? this.#stampOf(id) : undefined
    const tries = this.#tries.get(id) ?? 0
    this.#tries.set(id, tries + 1)
    this.#idle.set(id, { stamp, until: stamp === undefined ? Date.now() + Math.min(AGAIN_MS * 2 ** tries, LATEST_MS) : 0 })
  }

  #stampOf(id: string): string | undefined {
    try {
      return this.#options.store.folder.find(id)?.stamp
    } catch {
      // It is told of by the look.
      return undefined
    }
  }

  /** True when it can go on at once. */
  async #execute(id: string): Promise<boolean> {
    const live = await this.#options.store.alone(id, () => this.#open(id))
    return live === undefined ? false : await this.#play(live)
  }

  async #play(live: LiveRun): Promise<boolean> {
    const { fn, store, onStop } = this.#options
    const { id } = live.held
    const played = live.play(fn)
    const stop = await played.catch(() => undefined)
    const place = await store.alone(id, () => live.held.close().finally(() => store.live.delete(id)))
    // What could not be recorded.
    if (stop === undefined) await played
    this.#tries.delete(id)
    onStop(id, stop?.cause)
    return place === 'open'
  }

  async #open(id: string): Promise<LiveRun | undefined> {
    const { store } = this.#options
    if (this.#isClosed || store.folder.find(id)?.place !== 'open') return undefined
    const held = await store.hold(id)
    // It may have been left where it was by a process that was killed.
    if (held === undefined || this.#isClosed || held.start === undefined || held.place !== 'open') {
      await held?.close()
      return undefined
    }
    return this.#toLive(held)
  }

  #toLive(held: HeldRun): LiveRun {
    const live = new LiveRun(held)
    // To execute a step again whose record did not fit would not end as long as the disk is full.
    held.journal.keepTrying(this.#options.store.tell)
    this.#options.store.live.set(held.id, live)
    return live
  }
}

const DAMAGED: ReadonlySet<string> = new Set(['broken', 'not_a_journal', 'unsupported_version'])
