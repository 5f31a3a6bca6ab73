/** One execution of a run in this process. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunFunction, WaitsFor } from '../engine/engine.ts'
import { isMisfit } from '../engine/is-pause.ts'
import { toJsonText } from '../engine/json-text.ts'
import type { Report } from '../engine/options.ts'
import type { OrderedSteps } from '../engine/ordered-steps.ts'
import { type Decided, playRun } from '../engine/play-run.ts'
import { anotherProgram, runCancelled } from '../engine/run-errors.ts'
import { untilAborted } from '../engine/until-aborted.ts'
import { DurableError } from '../errors.ts'
import { DECISIONS, WAITS_FOR } from './names.ts'
import type { Packages } from './packages.ts'
import type { ReadAhead } from './read-ahead.ts'
import type { Received } from './tables.ts'

/** Options for receiving a decision without waiting for one. */
const RECEIVE = { timeoutSeconds: 0 }
/** Options that make DBOS store strings unchanged. */
const PLAIN = { serializationType: 'portable' } as const
/** First delay before a record is tried again, in milliseconds. Doubles with each attempt, up to `LATEST_MS`. */
const AGAIN_MS = 500
const LATEST_MS = 8000

export interface WorkflowRunOptions {
  readonly id: string
  readonly packages: Packages
  readonly report: Report
  readonly readAhead: ReadAhead
  /** Called once, when this execution adds its first new record. */
  onProgress(): void
  /** Called when another worker has taken over the run, so this one had stalled. `records` is the number of records so far. */
  onLost(records: number): void
  /** Returns how many decisions the run has received, and how many have arrived since. */
  count(): Promise<Received>
  /**
   * Makes the run wait, without a worker, until a decision arrives. Resolves to false if the run is no longer assigned to this
   * worker.
   */
  leave(): Promise<boolean>
}

export class WorkflowRun {
  readonly id: string
  readonly #packages: Packages
  readonly #report: Report
  readonly #options: WorkflowRunOptions
  /** Number of decisions that this execution has received. */
  #received = 0
  /** Number of records that this execution has read or added. */
  #records = 0
  #hasReplayed = false
  /** True once this execution has added a record. */
  #hasProgress = false
  /**
   * Runs code in the workflow's context, where DBOS numbers the calls. The user's function may request a step in another context,
   * such as inside another step.
   */
  readonly #inWorkflow = AsyncLocalStorage.snapshot()
  readonly #controller = new AbortController()
  readonly #closing = new AbortController()
  #steps: OrderedSteps | undefined
  #refusal: unknown
  #misfit: DurableError | undefined

  constructor(options: WorkflowRunOptions) {
    const { id, packages, report } = options
    this.id = id
    this.#report = report
    this.#packages = packages
    this.#options = options
  }

  /**
   * Calls the function. Rejects at once when the run is stopped, so that a function that ignores its signal doesn't keep its
   * slot.
   */
  play<Input, Output>(fn: RunFunction<Input, Output>, input: Input): Promise<Output> {
    const { signal } = this.#controller
    const playing = () =>
      playRun(fn, input, {
        id: this.id,
        signal,
        next: (make) => this.#next(make),
        receive: (waitsFor) => this.#record(() => this.#receive(waitsFor)),
        onSteps: (steps) => {
          this.#steps = steps
        },
      })
    return untilAborted(playing, signal)
  }

  /** True once this process no longer records anything for the run. */
  get isStopped(): boolean {
    return this.#controller.signal.aborted
  }

  /** Resolves to the reason if the records don't fit the program. `cause` is the error with which the function rejected. */
  async misfitOf(cause?: unknown): Promise<unknown> {
    if (this.#misfit !== undefined || this.isStopped) return this.#misfit
    if (isMisfit(cause)) return cause
    // If this execution has added a record, it has requested all earlier ones, so they fit.
    if (this.#hasProgress) return undefined
    const { received, isWaiting } = await this.#options.count().catch((problem: unknown) => {
      this.#report(problem)
      return { received: 0, isWaiting: false }
    })
    const isComplete = received === this.#received && !isWaiting
    return isComplete ? undefined : anotherProgram('it ended without requesting all decisions.')
  }

  /**
   * The error with which the run must fail because no worker can continue it, for example because PostgreSQL refuses its data.
   */
  get refusal(): unknown {
    return this.#refusal
  }

  /**
   * Stops the run in this process, because another worker has it, it was cancelled, or the engine is closed. Its steps reject
   * with `reason`.
   */
  stop(reason: DurableError): void {
    if (this.isStopped) return
    this.#controller.abort(reason)
    if (reason.code === 'lost') this.#options.onLost(this.#records)
  }

  /** Starts no more steps. Resolves once running ones are recorded, or can't be. */
  async finishSteps(): Promise<void> {
    this.#closing.abort()
    await this.#steps?.close()
  }

  async #next(make: () => Promise<string>): Promise<string> {
    let made: Promise<string> | undefined
    const makeOnce = () => {
      made ??= make()
      return made
    }
    const record = await this.#record(async () => (await this.#replayed()) ?? (await this.#add(makeOnce)))
    this.#records++
    if (made === undefined) this.#hasReplayed = true
    else if (!this.#hasProgress) {
      this.#hasProgress = true
      if (this.#hasReplayed) this.#options.onProgress()
    }
    return record
  }

  /** Resolves to the next record once an earlier one was found. Undefined if there is none, or if DBOS has to read it. */
  async #replayed(): Promise<string | undefined> {
    if (!this.#hasReplayed || this.#hasProgress) return undefined
    const { functionIDGet, functionIDGetIncrement } = this.#packages.context
    const record = await this.#options.readAhead.take(functionIDGet()).catch(() => undefined)
    if (record !== undefined) functionIDGetIncrement()
    return record
  }

  /**
   * Adds a record. While the database fails, tries again for as long as the run is assigned to this worker, because the steps that
   * have ended here may not be repeated elsewhere.
   */
  async #add(makeOnce: () => Promise<string>): Promise<string> {
    const { sdk, context } = this.#packages
    const call = context.functionIDGet()
    const signal = AbortSignal.any([this.#controller.signal, this.#closing.signal])
    for (let delay = AGAIN_MS; ; delay = Math.min(2 * delay, LATEST_MS)) {
      try {
        return await sdk.DBOS.runStep(makeOnce, { name: 'steps' })
      } catch (cause) {
        // An attempt that wasn't answered may have been carried out later than the next one has looked for it.
        const isLate = delay > AGAIN_MS && cause instanceof sdk.Error.DBOSStepNondeterminismError
        if (signal.aborted || (!isLate && this.#isFinal(cause))) throw cause
        this.#report(this.#cannotRecord(cause))
      }
      await sleep(delay, undefined, { signal }).catch(() => {})
      this.#controller.signal.throwIfAborted()
      // The next attempt is the same call.
      Object.assign(context.getCurrentContextStore() ?? {}, { curWFFunctionId: call })
    }
  }

  async #receive(waitsFor: readonly WaitsFor[]): Promise<Decided> {
    const { DBOS } = this.#packages.sdk
    await DBOS.setEvent(WAITS_FOR, toJsonText(waitsFor, 'The list of pending decisions'), PLAIN)
    const { received, arrived } = await this.#options.count()
    // The run has received all recorded decisions, and no other has arrived.
    if (received === this.#received && arrived === 0) await this.#leave()
    this.#received++
    let text: string | null = null
    // Earlier releases recorded "no decision yet" as null. Such records are skipped.
    while (text === null) text = await DBOS.recv<string>(DECISIONS, RECEIVE)
    await DBOS.setEvent(WAITS_FOR, '[]', PLAIN)
    return JSON.parse(text) as Decided
  }

  /** Gives up the run, so that another execution can continue it. Never resolves. */
  async #leave(): Promise<never> {
    const { signal } = this.#controller
    signal.throwIfAborted()
    if (!(await this.#options.leave())) this.stop(lost(this.id))
    return await untilAborted(() => new Promise<never>(() => {}), signal)
  }

  async #record<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#controller
    try {
      return await untilAborted(() => this.#inWorkflow(work), signal)
    } catch (cause) {
      if (!signal.aborted) this.stop(this.#reasonOf(cause))
      throw signal.reason
    }
  }

  #reasonOf(cause: unknown): DurableError {
    const { DBOSWorkflowCancelledError, DBOSWorkflowConflictError, DBOSUnexpectedStepError } = this.#packages.sdk.Error
    if (cause instanceof DBOSWorkflowCancelledError) return runCancelled(this.id)
    if (cause instanceof DBOSWorkflowConflictError) return lost(this.id)
    if (cause instanceof DBOSUnexpectedStepError) {
      this.#misfit = anotherProgram(cause.message, cause)
      return this.#misfit
    }
    const reason = this.#cannotRecord(cause)
    if (this.#isFinal(cause)) this.#refusal = reason
    else this.#report(reason)
    return reason
  }

  /** Returns true if DBOS or PostgreSQL refuses the data for good. Other errors may be temporary. */
  #isFinal(cause: unknown): boolean {
    const code = String((cause as { readonly code?: unknown } | null)?.code)
    return cause instanceof this.#packages.sdk.Error.DBOSError || /^(22|54)\w{3}$/.test(code)
  }

  #cannotRecord(cause: unknown): DurableError {
    const message = cause instanceof Error ? cause.message : String(cause)
    return new DurableError('engine_failed', `DBOS cannot record the run "${this.id}": ${message}`, { cause })
  }
}

export function lost(id: string): DurableError {
  return new DurableError('lost', `Another worker has taken over the run "${id}", so this worker no longer records it.`)
}
