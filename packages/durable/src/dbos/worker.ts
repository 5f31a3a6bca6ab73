/** Executes the runs of one name in this process with DBOS. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { RunFunction } from '../engine/engine.ts'
import { toFailure } from '../engine/failure.ts'
import { isNotLoaded } from '../engine/is-pause.ts'
import { toJsonText } from '../engine/json-text.ts'
import { notLoaded, runHeld } from '../engine/run-errors.ts'
import { DurableError } from '../errors.ts'
import type { Names } from './names.ts'
import type { Settings } from './options.ts'
import { OwnerLock } from './owner-lock.ts'
import { type Packages, SILENT } from './packages.ts'
import { ReadAhead } from './read-ahead.ts'
import { newAsk, type Store } from './store.ts'
import { Sweep } from './sweep.ts'
import { countDecisions } from './tables.ts'
import { handBack, noteProgress, takeBackCrash } from './take-over.ts'
import { versionKey } from './versions.ts'
import { hold, leaveUntilDecided } from './waiting.ts'
import { lost, WorkflowRun } from './workflow-run.ts'

/** Polling interval of the queue, in milliseconds. */
const QUEUE_MS = 100
/** Number of database connections for DBOS itself. */
const CONNECTIONS = 10
/** Extra time for launching, in milliseconds. DBOS first tests for three seconds whether notifications work. */
const LAUNCH_MS = 5000
/**
 * DBOS's own limit for attempts, which is never reached. DBOS also counts attempts that ended without a crash, so `takeOver`
 * gives up runs instead.
 */
const MANY = 1_000_000_000
/**
 * Polling interval of the queue for suspects while it contains any, in milliseconds. Each worker takes one of them at a time, and most are
 * runs that were only interrupted, so a long interval would delay them one after the other.
 */
const SUSPECTS_MS = 200
/** Number of runs after which a worker forgets which crashes it has taken back. */
const MOST_TAKEN_BACK = 10_000

export interface WorkerOptions {
  readonly fn: RunFunction<unknown, unknown>
  readonly packages: Packages
  readonly names: Names
  readonly settings: Settings
  readonly store: Store
  /** Called when a run ends in this process, just before DBOS records the end. `cause` is the original error of a failed run. */
  onEnd(workflowId: string, cause?: unknown): void
}

export class DbosWorker {
  readonly #options: WorkerOptions
  readonly #executor = `${hostname()}-${process.pid}-${randomUUID()}`
  /** Name of the version in DBOS. */
  readonly #version: string
  readonly #lives = new Map<string, WorkflowRun>()
  readonly #lock: OwnerLock
  /** Number of records of each run when its last crash was taken back. */
  readonly #takenBack = new Map<string, number>()
  #sweep: Sweep | undefined
  #isClosing = false

  constructor(options: WorkerOptions) {
    this.#options = options
    const { leaseMs, sweepMs, report, version } = options.settings
    const backoffMs = Math.min(500, sweepMs / 4)
    const { connections } = options.store
    this.#version = options.names.version(version ?? '1')
    const sharedKey = versionKey(this.#version)
    this.#lock = new OwnerLock({ connections, report, executor: this.#executor, sharedKey, leaseMs, backoffMs })
  }

  /** Takes the lock and launches DBOS. Rejects with `engine_failed`. */
  async launch(): Promise<void> {
    const { packages, names, settings, store } = this.#options
    const { DBOS } = packages.sdk
    const { queue: queueName, application, workflow } = names
    const { concurrency, rateLimit } = settings
    const rate = rateLimit && { limitPerPeriod: rateLimit.runs, periodSec: rateLimit.everyMs / 1000 }
    const limits = { workerConcurrency: concurrency, minPollingIntervalMs: QUEUE_MS, ...(rate && { rateLimit: rate }) }
    await store.ask(() => store.client.registerQueue(queueName, limits))
    const one = { workerConcurrency: 1, minPollingIntervalMs: SUSPECTS_MS }
    await store.ask(() => store.client.registerQueue(names.suspects, one))
    try {
      await store.ask(() => this.#lock.take())
      DBOS.registerWorkflow((input?: string) => this.#execute(input), { name: workflow, maxRecoveryAttempts: MANY })
      DBOS.setConfig({
        name: application,
        systemDatabaseUrl: settings.databaseUrl,
        systemDatabasePool: store.connections.newPool(CONNECTIONS),
        applicationVersion: this.#version,
        executorID: this.#executor,
        listenQueues: [queueName],
        logger: SILENT,
        runMigrations: false,
      })
      const { sweepMs, leaseMs, maxCrashes, retentionMs, report } = settings
      await newAsk(leaseMs + LAUNCH_MS)(() => DBOS.launch())
      const mine = { lock: this.#lock, executor: this.#executor, lives: this.#lives, version: this.#version }
      // DBOS reads this set every second.
      const queueNames = packages.queues.pollerQueueNames
      this.#sweep = new Sweep({ ...mine, queueNames, store, names, sweepMs, leaseMs, maxCrashes, retentionMs, report })
    } catch (cause) {
      store.connections.cutSoon()
      await DBOS.shutdown({ deregister: true })
      await this.#lock.release()
      throw cause
    }
  }

  /** Throws `stalled` if other workers may have taken over the runs, because no sweep has succeeded for long. */
  assertLooking(): void {
    this.#sweep?.assertLooking()
  }

  stop(workflowId: string, reason: DurableError): void {
    this.#lives.get(workflowId)?.stop(reason)
  }

  async close(): Promise<void> {
    const { packages, names, store, settings } = this.#options
    this.#isClosing = true
    await Promise.race([Promise.all([...this.#lives.values()].map((live) => live.finishSteps())), this.#isLost()])
    store.connections.cutSoon()
    await this.#sweep?.close()
    for (const live of this.#lives.values()) live.stop(new DurableError('closed', 'The engine in this process was closed.'))
    await packages.sdk.DBOS.shutdown({ deregister: true })
    // Requeues the runs now. Otherwise, other workers must first detect that this one is gone, as they do if the database is
    // unreachable.
    await handBack(store.pool, names, this.#executor).catch(settings.report)
    await this.#lock.release()
  }

  async #execute(text?: string): Promise<string | null> {
    const { fn, packages, names, onEnd, settings, store } = this.#options
    const workflowId = packages.sdk.DBOS.workflowID as string
    if (this.#isClosing) return await this.#handBack(workflowId)
    const { pool } = store
    const live: WorkflowRun = new WorkflowRun({
      id: names.runId(workflowId),
      packages,
      report: settings.report,
      readAhead: new ReadAhead(pool, workflowId),
      onProgress: () => {
        this.#freeSlot(workflowId, names.suspects)
        noteProgress(pool, this.#executor, workflowId).catch(settings.report)
      },
      onLost: (records) => this.#takeBackCrash(workflowId, records),
      count: () => countDecisions(pool, workflowId),
      leave: async () => {
        this.#freeSlot(workflowId, names.queue)
        this.#freeSlot(workflowId, names.suspects)
        const isLeft = await leaveUntilDecided(pool, names, this.#executor, workflowId)
        if (isLeft && this.#lives.get(workflowId) === live) this.#lives.delete(workflowId)
        return isLeft
      },
    })
    // The database has assigned the run to this worker again, so its earlier execution here must stop.
    this.#lives.get(workflowId)?.stop(lost(live.id))
    this.#lives.set(workflowId, live)
    try {
      const output = await live.play(fn, text === undefined ? undefined : JSON.parse(text))
      const misfit = await live.misfitOf()
      if (misfit !== undefined) return await this.#hold(workflowId, live, misfit)
      await this.#assertRecordable(workflowId, live)
      const outputText = toJsonText(output, `The output of the run "${live.id}"`)
      onEnd(workflowId)
      return outputText ?? null
    } catch (cause) {
      const misfit = await live.misfitOf(cause)
      if (misfit !== undefined) return await this.#hold(workflowId, live, misfit)
      await this.#assertRecordable(workflowId, live)
      const failure = live.refusal ?? cause
      onEnd(workflowId, failure)
      // DBOS stores only an error's message.
      throw new Error(JSON.stringify(toFailure(failure)))
    } finally {
      if (this.#lives.get(workflowId) === live) this.#lives.delete(workflowId)
    }
  }

  /**
   * Takes back the crash that another worker has counted, because this worker has only stalled. Does so only once for each record,
   * because the run itself may block its workers.
   */
  #takeBackCrash(workflowId: string, records: number): void {
    const { store, names, settings } = this.#options
    if (this.#takenBack.get(workflowId) === records) return
    if (this.#takenBack.size >= MOST_TAKEN_BACK) this.#takenBack.clear()
    this.#takenBack.set(workflowId, records)
    takeBackCrash(store.pool, names, workflowId).catch(settings.report)
  }

  /** Frees the queue slot of a run, if it has one. DBOS itself frees the slot only when the execution ends. */
  #freeSlot(workflowId: string, queue: string): void {
    const running = this.#options.packages.executor.globalInstance?.systemDatabase.runningWorkflowMap
    for (const entry of running?.get(workflowId) ?? []) if (entry.queueName === queue) entry.release()
  }

  /**
   * Throws if the run was stopped here, so that the next worker records its outcome. Never resolves once the engine is closing.
   */
  async #assertRecordable(workflowId: string, live: WorkflowRun): Promise<void> {
    if (this.#isClosing) await new Promise(() => {})
    if (!live.isStopped || live.refusal !== undefined) return
    throw new this.#options.packages.sdk.DBOSWorkflowConflictError(workflowId)
  }

  /**
   * Holds a run whose records don't fit the program, or requeues one whose program couldn't be loaded. Never resolves, because DBOS would
   * otherwise record the end of the run.
   */
  async #hold(workflowId: string, live: WorkflowRun, misfit: unknown): Promise<never> {
    const { store, names, settings } = this.#options
    if (this.#isClosing) return await new Promise<never>(() => {})
    this.#freeSlot(workflowId, names.queue)
    this.#freeSlot(workflowId, names.suspects)
    const reason = toFailure(misfit)
    const isLater = isNotLoaded(misfit)
    // If this query fails, the sweep later finds that the run isn't being executed, and requeues it.
    const isLeft = await hold(store.pool, names, this.#executor, workflowId, isLater ? undefined : reason).catch(settings.report)
    if (isLeft === true) settings.report(isLater ? notLoaded(live.id, misfit) : runHeld(live.id, reason))
    if (this.#lives.get(workflowId) === live) this.#lives.delete(workflowId)
    return await new Promise<never>(() => {})
  }

  /** Requeues a run. Never resolves. The slot stays occupied, so that this worker doesn't take the run again at once. */
  async #handBack(workflowId: string): Promise<never> {
    const { store, names, settings } = this.#options
    await handBack(store.pool, names, this.#executor, [workflowId]).catch(settings.report)
    return await new Promise<never>(() => {})
  }

  /** Resolves when the database has been unreachable for `leaseMs`. Other workers may have taken over the runs by then. */
  async #isLost(): Promise<void> {
    let since = Date.now()
    while (Date.now() - since < this.#options.settings.leaseMs) {
      await new Promise((resolve) => setTimeout(resolve, 200).unref())
      if (this.#lock.session !== undefined) since = Date.now()
    }
  }
}
