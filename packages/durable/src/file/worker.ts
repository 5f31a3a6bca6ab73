/** Executes the runs of a folder, so many at a time, and finds those that other processes started, decided or left behind. */
import type { RunFunction } from '../engine.ts'
import { isOwned } from '../journal/owner.ts'
import { LiveRun } from './live-run.ts'
import type { RunStore } from './run-store.ts'

export interface WorkerOptions {
  readonly fn: RunFunction<unknown, unknown>
  readonly store: RunStore
  readonly concurrency: number
  readonly lookEveryMs: number
  /** Is told when a run has ended or waits here; `cause` is what it failed with. */
  onStop(id: string, cause?: unknown): void
}

export class Worker {
  readonly #options: WorkerOptions
  readonly #queue = new Set<string>()
  readonly #active = new Map<string, Promise<void>>()
  /** Runs that wait, and journals that cannot be read: looked at again when they are written to. */
  readonly #idle = new Map<string, string>()
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | undefined
  #isClosed = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.look(), options.lookEveryMs)
  }

  /** Executes the run as soon as there is room. Does nothing for one that is executed here. */
  enqueue(id: string): void {
    if (this.#isClosed || this.#active.has(id)) return
    this.#idle.delete(id)
    this.#queue.add(id)
    this.#fill()
  }

  /** Looks for runs that could go on and that nobody executes. */
  look(): Promise<void> {
    // What cannot be read now is looked at again next time.
    this.#looking ??= this.#look()
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#queue.clear()
    await this.#looking
    await Promise.all([...this.#options.store.live.values()].map((live) => live.close()))
    // With those that were just being opened.
    await Promise.all(this.#active.values())
  }

  async #look(): Promise<void> {
    const { folder, live } = this.#options.store
    const ids = new Set(await folder.idsOfOpen())
    for (const id of this.#idle.keys()) if (!ids.has(id)) this.#idle.delete(id)
    for (const id of ids) {
      if (this.#isClosed) return
      if (live.has(id) || this.#queue.has(id) || isOwned(folder.pathOf(id))) continue
      const stamp = await folder.stampOf(id)
      if (stamp === undefined || this.#idle.get(id) === stamp) continue
      // Whoever asks for the status of one that cannot be read hears why.
      const records = await folder.read(id).catch(() => undefined)
      if (records?.end !== undefined) await this.#putAway(id)
      else if (records !== undefined && records.waitsFor.length === 0) this.enqueue(id)
      else this.#idle.set(id, stamp)
    }
  }

  #putAway(id: string): Promise<void> {
    const { store } = this.#options
    return store.alone(id, async () => {
      if (!store.live.has(id)) await store.folder.putAway(id)
    })
  }

  #fill(): void {
    for (const id of this.#queue) {
      if (this.#active.size >= this.#options.concurrency) return
      this.#queue.delete(id)
      const done = this.#execute(id)
        // Another process has it, or its journal cannot be used: looking at it says so.
        .catch(() => this.#options.onStop(id))
        .finally(() => {
          this.#active.delete(id)
          this.#fill()
        })
      this.#active.set(id, done)
    }
  }

  async #execute(id: string): Promise<void> {
    const { fn, store, onStop } = this.#options
    const live = await store.alone(id, async () => {
      if (this.#isClosed) return
      const records = await store.folder.read(id)
      if (records === undefined || records.end !== undefined || records.waitsFor.length > 0) return
      const journal = await store.open(id)
      if (this.#isClosed) return await journal.close()
      const opened = new LiveRun(id, journal)
      store.live.set(id, opened)
      return opened
    })
    if (live === undefined) return
    const stop = await live.play(fn).catch((cause: unknown) => ({ type: 'ended' as const, cause }))
    await store.alone(id, async () => {
      await live.journal.close()
      store.live.delete(id)
      if (live.isOver) await store.folder.putAway(id)
    })
    onStop(id, 'cause' in stop ? stop.cause : undefined)
    const isDecided = stop.type === 'waits' && stop.waitsFor.some(({ name }) => live.journal.hasDecision(name))
    if (isDecided && !this.#isClosed) this.#queue.add(id)
  }
}
