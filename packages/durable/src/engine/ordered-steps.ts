/** Records steps with keys as an engine's ordered records. Their order doesn't depend on how long each step takes. */
import type { Steps } from '@x/react-agent/steps'
import { DurableError } from '../errors.ts'
import { assertKey } from './closing-steps.ts'
import type { WaitsFor } from './engine.ts'
import { isMisfit, isPause } from './is-pause.ts'
import { readSteps, type StepEnd, toFailedStep, toRecordedStep } from './step-records.ts'

/**
 * Resolves to the run's next record, in order. If there is none yet, calls `make`, stores its result, and resolves to it once it
 * is stored. `make` never rejects. Rejects if nothing more can be recorded, because the run was cancelled or taken over.
 */
export type NextRecord = (make: () => Promise<string>) => Promise<string>

interface Request {
  readonly key: string
  readonly execute: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (cause: unknown) => void
  isStarted: boolean
  end?: { readonly value: unknown } | { readonly cause: unknown }
}

/**
 * Engines such as DBOS and Restate identify a step by its position: on replay, the third step must be the third recorded one. An
 * agent's steps have keys instead, and concurrent steps end in any order. Each record therefore contains every step that has
 * ended since the previous record, with its key. Another record is requested only when a caller waits for a step that isn't in
 * any record yet. So every execution requests the same records in the same order.
 *
 * A failed step is recorded with its error, unless the error means that the run doesn't fit the program. On replay, the same
 * request fails with the recorded error. A later request with the same key executes the step again. If the step failed because it waited for
 * a decision, the pending decisions are recorded too, because the step isn't executed on replay.
 */
export class OrderedSteps implements Pick<Steps, 'run' | 'together'> {
  /** Decisions that this call of the function has requested and that are pending, by name. */
  readonly waitsFor = new Map<string, WaitsFor>()
  readonly #next: NextRecord
  readonly #ended = new Map<string, StepEnd>()
  /** Recorded failures that this execution hasn't requested yet. */
  readonly #failed = new Map<string, StepEnd[]>()
  readonly #requests = new Map<string, Request>()
  /** For each running group, the keys of its steps. Groups may share steps. */
  readonly #united = new Set<readonly string[]>()
  /** The work of the running groups. */
  readonly #units = new Set<Promise<unknown>>()
  #failure: unknown
  #isClosed = false
  #made: { readonly record: string; readonly ends: readonly StepEnd[] } | undefined
  #taking: Promise<void> | undefined
  /** Set while a record is being made. Starts the requested steps, and completes the record once any of them has ended. */
  #look: (() => void) | undefined

  constructor(next: NextRecord) {
    this.#next = next
  }

  async run<T>(key: string, execute: () => Promise<T>): Promise<T> {
    assertKey(key)
    const failed = this.#failed.get(key)?.shift()
    if (failed !== undefined) return failed.give() as T
    const ended = this.#ended.get(key)
    if (ended !== undefined) return ended.give() as T
    if (this.#failure !== undefined) throw this.#failure
    if (this.#isClosed && !this.#isUnited(key)) throw closed()
    if (this.#requests.has(key)) throw keyInUse(key)
    return await new Promise<T>((resolve, reject) => {
      this.#requests.set(key, { key, execute, resolve: resolve as (value: unknown) => void, reject, isStarted: false })
      if (this.#look !== undefined) this.#look()
      else this.#taking ??= this.#takeRecords()
    })
  }

  /** Runs a group of steps that belong together. `close` prevents the whole group, or lets all of its steps end. */
  async together<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    if (this.#isClosed && !keys.some((key) => this.#isUnited(key))) throw this.#failure ?? closed()
    const group = [...keys]
    this.#united.add(group)
    let unit: Promise<T> | undefined
    try {
      unit = work()
      this.#units.add(unit)
      return await unit
    } finally {
      if (unit !== undefined) this.#units.delete(unit)
      this.#united.delete(group)
    }
  }

  #isUnited(key: string): boolean {
    for (const keys of this.#united) if (keys.includes(key)) return true
    return false
  }

  /** Prepares for another call of the function, which requests its decisions again. */
  callAgain(): void {
    this.waitsFor.clear()
    for (const [key, ends] of this.#failed)
      this.#failed.set(
        key,
        ends.filter(({ waits }) => waits.length === 0),
      )
  }

  /** Resolves when no step is pending, so that the engine's next operation gets a fixed position. */
  async quiet(): Promise<void> {
    while (this.#taking !== undefined) await this.#taking
  }

  /** Starts no more steps. Resolves once running steps, and the rest of their groups, are recorded. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const request of this.#requests.values())
      if (!request.isStarted && !this.#isUnited(request.key)) this.#settle(request, { cause: closed() })
    this.#look?.()
    while (this.#units.size > 0) await Promise.allSettled(this.#units)
    await this.quiet()
  }

  async #takeRecords(): Promise<void> {
    try {
      while (this.#requests.size > 0) {
        const record = await this.#next(() => this.#make())
        // A record that was just made doesn't have to be parsed.
        const made = this.#made
        this.#made = undefined
        this.#take(made?.record === record ? made.ends : readSteps(record))
      }
    } catch (cause) {
      this.#failure = cause
      for (const request of this.#requests.values()) this.#settle(request, { cause })
    } finally {
      this.#taking = undefined
    }
  }

  /** Resolves the requests for a record's steps. Keeps results that haven't been requested yet. */
  #take(ends: readonly StepEnd[]): void {
    for (const end of ends) {
      const request = this.#requests.get(end.key)
      for (const waits of end.waits) this.waitsFor.set(waits.name, waits)
      if (end.isFailed && request === undefined) this.#keepFailed(end)
      if (!end.isFailed) this.#ended.set(end.key, end)
      if (request === undefined) continue
      const { end: ended } = request
      // The original error has more detail than the recorded one. A value is returned as recorded, as it will be on replay.
      this.#settle(request, ended !== undefined && 'cause' in ended ? ended : given(end))
    }
  }

  #keepFailed(end: StepEnd): void {
    const waiting = this.#failed.get(end.key)
    if (waiting === undefined) this.#failed.set(end.key, [end])
    else waiting.push(end)
  }

  #settle(request: Request, end: NonNullable<Request['end']>): void {
    this.#requests.delete(request.key)
    if ('value' in end) request.resolve(end.value)
    else request.reject(end.cause)
  }

  /**
   * Executes the requested steps. Resolves to a record once any of them has ended, or to an empty record if they are closed
   * first.
   */
  #make(): Promise<string> {
    return new Promise((resolve) => {
      let isLooking = false
      const finish = () => {
        isLooking = false
        const ended = [...this.#requests.values()].filter((request) => request.end !== undefined)
        // Closed before any step has ended, so the record is empty. The next process requests another one.
        if (ended.length === 0 && !(this.#isClosed && this.#requests.size === 0)) return
        this.#look = undefined
        const ends: StepEnd[] = []
        let record = ''
        for (const request of ended) {
          const end = toStepEnd(request, this.waitsFor)
          ends.push(end)
          record += `${end.line}\n`
        }
        this.#made = { record, ends }
        resolve(record)
      }
      this.#look = () => {
        for (const request of this.#requests.values()) if (!request.isStarted) this.#start(request)
        if (isLooking) return
        isLooking = true
        // Waits briefly, so that steps that end at about the same time share a record.
        setImmediate(finish)
      }
      this.#look()
    })
  }

  /**
   * Handles a step that doesn't fit the program. Records nothing about it, so that another program can execute it, and starts no
   * more steps.
   */
  #hold(request: Request, cause: unknown): void {
    this.#failure ??= cause
    this.#isClosed = true
    this.#settle(request, { cause })
    for (const other of this.#requests.values()) if (!other.isStarted) this.#settle(other, { cause })
    this.#look?.()
  }

  #start(request: Request): void {
    request.isStarted = true
    const end = (result: NonNullable<Request['end']>) => {
      if ('cause' in result && isMisfit(result.cause)) return this.#hold(request, result.cause)
      request.end = result
      this.#look?.()
    }
    // The async function turns a synchronous throw into a rejection.
    ;(async () => request.execute())().then<void, void>(
      (value) => end({ value }),
      (cause: unknown) => end({ cause }),
    )
  }
}

/** Returns the outcome of a step. A step whose result can't be recorded fails. */
function toStepEnd(request: Request, waitsFor: ReadonlyMap<string, WaitsFor>): StepEnd {
  const { key, end } = request
  if (end === undefined) throw new Error(`The step ${JSON.stringify(key)} has not ended.`)
  if ('cause' in end) return toFailedStep(key, end.cause, isPause(end.cause) ? [...waitsFor.values()] : [])
  try {
    return toRecordedStep(key, end.value)
  } catch (cause) {
    request.end = { cause }
    return toFailedStep(key, cause)
  }
}

function given(end: StepEnd): NonNullable<Request['end']> {
  try {
    return { value: end.give() }
  } catch (cause) {
    return { cause }
  }
}

function closed(): DurableError {
  return new DurableError('closed', 'This worker is shutting down and starts no new steps. Another worker resumes the run.')
}

function keyInUse(key: string): DurableError {
  return new DurableError(
    'key_in_use',
    `The step ${JSON.stringify(key)} is already running. Use a unique key for each step of a run.`,
  )
}
