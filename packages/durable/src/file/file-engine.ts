/** The file engine. Stores each run as a journal in a folder that processes on one machine share. */
import { loadModules } from '@x/react-agent/steps'
import { assertKey } from '../engine/closing-steps.ts'
import type {
  DurableEngine,
  EngineHealth,
  EngineStats,
  ListOptions,
  RunFunction,
  RunStatus,
  WaitOptions,
} from '../engine/engine.ts'
import { toHealth } from '../engine/health.ts'
import { toJsonText } from '../engine/json-text.ts'
import { checkListOptions, toReport } from '../engine/options.ts'
import { assertRunId, engineClosed, runEnded } from '../engine/run-errors.ts'
import { untilAborted } from '../engine/until-aborted.ts'
import { begin, change, retry } from './changes.ts'
import { listRuns } from './list-runs.ts'
import { type FileEngineOptions, readFileOptions } from './options.ts'
import { remove } from './removal.ts'
import { Results } from './results.ts'
import { RunFolder } from './run-folder.ts'
import { toStatus } from './run-records.ts'
import { RunStore } from './run-store.ts'
import { Stats } from './stats.ts'
import { FileWorker, type Limits } from './worker.ts'

/**
 * Opens a folder of runs. With `fn`, executes runs, including those that dead processes have left behind. Several processes on
 * one machine may share the folder. Each run is executed by one of them, and resumed by another if that one dies. Rejects with
 * `invalid_options`, `cannot_open` or `write_failed`.
 */
export async function createFileEngine<Input, Output>(
  options: FileEngineOptions<Input, Output>,
): Promise<DurableEngine<Input, Output>> {
  const { folder, fn, fsync, concurrency, lookEveryMs, maxCrashes, retentionMs, onProblem } = readFileOptions(options)
  if (fn !== undefined) await loadModules()
  const store = new RunStore(await RunFolder.open(folder), fsync, toReport(onProblem, 'A file operation of the engine failed'))
  const engine = new FileEngine<Input, Output>(store, lookEveryMs)
  if (fn !== undefined) engine.work(fn as RunFunction<unknown, unknown>, { concurrency, maxCrashes, retentionMs })
  return engine
}

class FileEngine<Input, Output> implements DurableEngine<Input, Output> {
  readonly #store: RunStore
  readonly #lookEveryMs: number
  readonly #results: Results
  readonly #stats: Stats
  #worker: FileWorker | undefined
  #closed: Promise<void> | undefined

  constructor(store: RunStore, lookEveryMs: number) {
    this.#store = store
    this.#lookEveryMs = lookEveryMs
    this.#stats = new Stats(store)
    this.#results = new Results({ store, lookEveryMs, statusOf: (id) => this.#statusOf(id) })
  }

  work(fn: RunFunction<unknown, unknown>, limits: Limits): void {
    const onStop = (id: string, cause?: unknown) => this.#results.check(id, cause)
    this.#worker = new FileWorker({ fn, store: this.#store, lookEveryMs: this.#lookEveryMs, onStop, ...limits })
  }

  async run(id: string, input: Input, { signal }: WaitOptions = {}): Promise<Output> {
    await untilAborted(() => this.start(id, input), signal)
    return await this.result(id, { signal })
  }

  async start(id: string, input: Input): Promise<void> {
    this.#assertUsable(id)
    const now = copied(input, `The input of the run "${id}"`)
    const worker = this.#worker
    const isLeft = await begin(this.#store, id, now, (owned) => worker?.keep(owned) === true)
    if (isLeft) worker?.enqueue(id)
  }

  async result(id: string, { signal }: WaitOptions = {}): Promise<Output> {
    this.#assertUsable(id)
    signal?.throwIfAborted()
    return (await this.#results.of(id, signal)) as Output
  }

  async signal(id: string, name: string, value: unknown): Promise<void> {
    this.#assertUsable(id)
    assertKey(name)
    const now = copied(value, `The decision for ${JSON.stringify(name)}`)
    if (!(await change(this.#store, id, { type: 'decide', name, value: now }))) throw runEnded(id)
    this.#worker?.enqueue(id)
  }

  async status(id: string): Promise<RunStatus<Input, Output> | undefined> {
    this.#assertUsable(id)
    return await this.#statusOf(id)
  }

  async list(options: ListOptions = {}): Promise<readonly RunStatus<Input, Output>[]> {
    this.#assertOpen()
    const found = await listRuns(this.#store, checkListOptions(options), (id) => this.#statusOf(id))
    return found as readonly RunStatus<Input, Output>[]
  }

  async health(): Promise<EngineHealth> {
    const health = await toHealth(async () => {
      this.#assertOpen()
      await this.#store.folder.assertUsable()
      await this.#store.mailbox.assertWritable()
      for (const { owned } of this.#store.live.values()) if (owned.journal.problem !== undefined) throw owned.journal.problem
      this.#worker?.assertLooking()
    })
    const problem = this.#worker?.silent
    return health.ok && problem !== undefined ? { ok: true, problem } : health
  }

  async stats(): Promise<EngineStats> {
    this.#assertOpen()
    return await this.#stats.read()
  }

  async cancel(id: string): Promise<void> {
    this.#assertUsable(id)
    await change(this.#store, id, { type: 'cancel' })
    this.#results.check(id)
  }

  async retry(id: string): Promise<void> {
    this.#assertUsable(id)
    await retry(this.#store, id)
    this.#worker?.enqueue(id)
  }

  async remove(id: string): Promise<void> {
    this.#assertUsable(id)
    await remove(this.#store, id)
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#store.isClosed = true
      await this.#worker?.close()
      this.#results.close()
    })()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #statusOf(id: string): Promise<RunStatus<Input, Output> | undefined> {
    // Checked before the journal is read. A run that stops in between counts as running.
    const isOwned = this.#store.isOwned(id)
    const records = await this.#store.folder.read(id)
    return records && toStatus(id, records, isOwned)
  }

  #assertUsable(id: string): void {
    this.#assertOpen()
    assertRunId(id)
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw engineClosed()
  }
}

/** Copies a value that is recorded later, because the caller may change it meanwhile. Throws `invalid_value`. */
function copied(value: unknown, owner: string): unknown {
  const text = toJsonText(value, owner)
  return text === undefined ? undefined : JSON.parse(text)
}
