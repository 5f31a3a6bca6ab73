/** Executes the runs of a folder, so many at a time, and finds those that other processes started, decided or left behind. */
import type { RunFunction } from '../engine.ts'
import { DurableError } from '../errors.ts'
import { obey } from './changes.ts'
import { LiveRun } from './live-run.ts'
import type { Received } from './mailbox.ts'
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
/** What could not be opened or written is tried again so late. */
const AGAIN_MS = 10_000

export class Worker {
  readonly #options: WorkerOptions
  readonly #queue = new Set<string>()
  readonly #active = new Map<string, Promise<void>>()
  /** Journals that cannot be used: not before they are written to, or it is time. */
  readonly #idle = new Map<string, { readonly stamp?: string | undefined; readonly until: number }>()
  /** They keep the process: a worker stays until it is closed. */
  readonly #timers: { readonly look: NodeJS.Timeout; readonly orders: NodeJS.Timeout }
  #looking: Promise<void> | undefined
  #obeying: Promise<void> | undefined
  #isClosed = false

  constructor(options: WorkerOptions) {
    this.#options = options
    const { lookEveryMs } = options
    this.#timers = {
      look: setInterval(() => this.look(), lookEveryMs),
      orders: setInterval(() => this.#obeyOrders(), Math.min(lookEveryMs, ORDERS_EVERY_MS)),
    }
    this.look()
  }

  /** Executes the run as soon as there is room. Does nothing for one that is executed here. */
  enqueue(id: string): void {
    if (this.#isClosed || this.#active.has(id)) return
    this.#idle.delete(id)
    this.#queue.add(id)
    this.#fill()
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
    clearInterval(this.#timers.look)
    this.#queue.clear()
    await this.#looking
    await Promise.all([...this.#options.store.live.values()].map((live) => live.close()))
    // With those that were just being opened.
    await Promise.all(this.#active.values())
    clearInterval(this.#timers.orders)
    await this.#obeying
  }

  async #look(): Promise<void> {
    const { store } = this.#options
    const ids = new Set(await store.folder.idsOfOpen())
    for (const id of this.#idle.keys()) if (!ids.has(id)) this.#idle.delete(id)
    for (const id of ids) {
      if (this.#isClosed) return
      if (this.#queue.has(id) || this.#active.has(id) || this.#isIdle(id) || store.isHeld(id)) continue
      this.enqueue(id)
    }
  }

  #isIdle(id: string): boolean {
    const idle = this.#idle.get(id)
    if (idle === undefined) return false
    return Date.now() < idle.until || (idle.stamp !== undefined && idle.stamp === this.#options.store.folder.find(id)?.stamp)
  }

  #obeyOrders(): void {
    const { store } = this.#options
    this.#obeying ??= store.mailbox
      .receive()
      .then(async (orders) => {
        for (const received of orders) await this.#obey(received)
      })
      .catch(store.tell)
      .finally(() => {
        this.#obeying = undefined
      })
  }

  /** Also for a run that nobody has: whoever left the order may be gone. */
  async #obey({ order, remove }: Received): Promise<void> {
    const { store } = this.#options
    const { id } = order
    try {
      await store.alone(id, async () => {
        const live = store.live.get(id)
        if (live !== undefined) return await obey(order, live.held, live)
        await using held = await store.hold(id)
        return held && (await obey(order, held))
      })
    } catch (cause) {
      // Another process has the run, and reads this too.
      if (isInUse(cause)) return
      // Whoever left it hears that.
      if (!(cause instanceof DurableError && cause.code === 'already_decided')) store.tell(cause)
    }
    await remove()
    this.enqueue(id)
  }

  #fill(): void {
    for (const id of this.#queue) {
      if (this.#active.size >= this.#options.concurrency) return
      this.#queue.delete(id)
      const done = this.#execute(id)
        .catch((cause) => this.#leave(id, cause))
        .then((goesOn) => {
          this.#active.delete(id)
          if (goesOn === true && !this.#isClosed) this.#queue.add(id)
          this.#fill()
        })
      this.#active.set(id, done)
    }
  }

  /** Another process has it, or its journal cannot be used: looking at it says so. */
  #leave(id: string, cause: unknown): void {
    const { store, onStop } = this.#options
    onStop(id)
    if (isInUse(cause)) return
    store.tell(cause)
    const isDamaged = cause instanceof DurableError && DAMAGED.has(cause.code)
    if (isDamaged) this.#idle.set(id, { stamp: store.folder.find(id)?.stamp, until: 0 })
    else this.#idle.set(id, { until: Date.now() + AGAIN_MS })
  }

  /** True when it can go on at once. */
  async #execute(id: string): Promise<boolean> {
    const { fn, store, onStop } = this.#options
    const live = await store.alone(id, () => this.#open(id))
    if (live === undefined) return false
    const played = live.play(fn)
    const stop = await played.catch(() => undefined)
    const place = await store.alone(id, () => live.held.close().finally(() => store.live.delete(id)))
    // What could not be recorded.
    if (stop === undefined) await played
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
    const live = new LiveRun(held)
    store.live.set(id, live)
    return live
  }
}

const DAMAGED: ReadonlySet<string> = new Set(['broken', 'not_a_journal', 'unsupported_version'])
