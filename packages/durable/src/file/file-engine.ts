/** The engine in files: a journal for each run in a folder, for processes of one machine. */
import type { DurableEngine, ListOptions, RunFunction, RunStatus } from '../engine.ts'
import { toFailure } from '../failure.ts'
import { isOwned } from '../journal/owner.ts'
import { toJsonText } from '../json-text.ts'
import { assertSameDecision, engineClosed, runCancelled, runEnded, runFailed, unknownRun } from '../run-errors.ts'
import { assertRunId } from '../run-id.ts'
import { begin, change } from './changes.ts'
import { assertFileOptions, type FileEngineOptions } from './options.ts'
import { openFolder } from './run-folder.ts'
import { END, type RunEnd, toStatus } from './run-records.ts'
import { RunStore } from './run-store.ts'
import { Worker } from './worker.ts'

const LIST_LIMIT = 100

/**
 * Opens a folder of runs; with `fn` it goes on with those that were left behind. Several processes of the machine may have it open:
 * each run is executed by one of them, and by another when that process is gone. Rejects with `invalid_options` or `cannot_open`.
 */
export async function createFileEngine<Input, Output>(
  options: FileEngineOptions<Input, Output>,
): Promise<DurableEngine<Input, Output>> {
  assertFileOptions(options as FileEngineOptions<never, unknown>)
  const { folder, fn, fsync = true, concurrency = 100, lookEveryMs = 500 } = options
  const store = new RunStore(await openFolder(folder), fsync)
  const engine = new FileEngine<Input, Output>(store, lookEveryMs)
  if (fn !== undefined) await engine.work(fn as RunFunction<unknown, unknown>, concurrency)
  return engine
}

class FileEngine<Input, Output> implements DurableEngine<Input, Output> {
  readonly #store: RunStore
  readonly #lookEveryMs: number
  /** Whoever waits for a run to stop here. */
  readonly #watchers = new Map<string, Set<(cause: unknown) => void>>()
  #worker: Worker | undefined
  #closed: Promise<void> | undefined

  constructor(store: RunStore, lookEveryMs: number) {
    this.#store = store
    this.#lookEveryMs = lookEveryMs
  }

  async work(fn: RunFunction<unknown, unknown>, concurrency: number): Promise<void> {
    const lookEveryMs = this.#lookEveryMs
    const onStop = (id: string, cause?: unknown) => this.#tell(id, cause)
    this.#worker = new Worker({ fn, store: this.#store, concurrency, lookEveryMs, onStop })
    await this.#worker.look()
  }

  async run(id: string, input: Input): Promise<Output> {
    await this.start(id, input)
    return await this.result(id)
  }

  async start(id: string, input: Input): Promise<void> {
    this.#assertUsable(id)
    toJsonText(input, `The input of the run "${id}"`)
    if (await begin(this.#store, id, input)) this.#worker?.enqueue(id)
  }

  async result(id: string): Promise<Output> {
    let cause: unknown
    for (;;) {
      this.#assertUsable(id)
      const stop = this.#watch(id)
      try {
        const status = await this.status(id)
        if (status === undefined) throw unknownRun(id)
        if (status.state === 'finished') return status.output as Output
        if (status.state === 'cancelled') throw runCancelled(id)
        if (status.failure !== undefined) throw runFailed(id, status.failure, cause)
        cause = (await stop.told) ?? cause
      } finally {
        stop.forget()
      }
    }
  }

  async signal(id: string, name: string, value: unknown): Promise<void> {
    this.#assertUsable(id)
    toJsonText(value, `The decision about ${JSON.stringify(name)}`)
    const isDecided = await change(this.#store, id, async ({ journal }) => {
      if (journal.hasDecision(name)) assertSameDecision(id, name, await journal.wait(name), value)
      else await journal.decide(name, value)
    })
    if (!isDecided) throw runEnded(id)
    this.#worker?.enqueue(id)
  }

  async status(id: string): Promise<RunStatus<Input, Output> | undefined> {
    this.#assertUsable(id)
    const { folder, live } = this.#store
    const records = await folder.read(id)
    return records && toStatus(id, records, live.has(id) || isOwned(folder.pathOf(id)))
  }

  async list({ state, limit = LIST_LIMIT }: ListOptions = {}): Promise<readonly RunStatus<Input, Output>[]> {
    const { folder } = this.#store
    const found: RunStatus<Input, Output>[] = []
    for (const id of await folder.ids()) {
      const status = await this.status(id).catch((cause) => this.#unreadable(id, cause))
      if (status !== undefined && (state === undefined || status.state === state)) found.push(status)
    }
    return found.sort((one, other) => (one.startedAt < other.startedAt ? 1 : -1)).slice(0, limit)
  }

  async cancel(id: string): Promise<void> {
    this.#assertUsable(id)
    await change(this.#store, id, async ({ journal, live }) => {
      if (live !== undefined) await live.cancel()
      else await journal.note(END, { state: 'cancelled' } satisfies RunEnd)
    })
    this.#tell(id, undefined)
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#worker?.close()
      for (const id of this.#watchers.keys()) this.#tell(id, undefined)
    })()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #assertUsable(id: string): void {
    if (this.#closed !== undefined) throw engineClosed()
    assertRunId(id)
  }

  /** One journal that is damaged does not hide the others. */
  #unreadable(id: string, cause: unknown): RunStatus<Input, Output> {
    this.#assertUsable(id)
    return { id, state: 'failed', input: undefined as Input, waitsFor: [], failure: toFailure(cause), startedAt: '' }
  }

  #tell(id: string, cause: unknown): void {
    for (const watcher of this.#watchers.get(id) ?? []) watcher(cause)
  }

  /** `told` resolves when it is time to look; when the run failed here, to what it failed with, of which less is recorded. */
  #watch(id: string): { readonly told: Promise<unknown>; forget(): void } {
    const watchers = this.#watchers.get(id) ?? new Set()
    this.#watchers.set(id, watchers)
    let tell: (cause: unknown) => void = () => {}
    const told = new Promise<unknown>((resolve) => {
      tell = resolve
    })
    watchers.add(tell)
    // Another process may have done something, unless it is executed here.
    const timer = setInterval(() => {
      if (!this.#store.live.has(id)) tell(undefined)
    }, this.#lookEveryMs)
    const forget = () => {
      clearInterval(timer)
      watchers.delete(tell)
      if (watchers.size === 0) this.#watchers.delete(id)
    }
    return { told, forget }
  }
}
