/** Maps steps with keys to an engine's ordered records. The order of records doesn't depend on how fast steps are. */
import type { Steps } from '@x/react-agent/steps'
import { DurableError } from '../errors.ts'
import { assertKey } from './closing-steps.ts'
import { isMisfit } from './is-pause.ts'
import { readSteps, type StepEnd, toFailedStep, toRecordedStep } from './step-records.ts'

/**
 * Returns the next record of the run, in order. If there is none, calls `make`, stores its result and returns it once it is stored.
 * `make` never rejects. Rejects when nothing can be recorded any more, because the run was cancelled or taken over.
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
 * Engines such as DBOS and Restate identify a step by its position: on replay, the third step must be the third recorded one. An agent's
 * steps have keys instead, and concurrent steps end in any order. Each record therefore contains all steps that have ended since the
 * previous record, with their keys. Another record is requested only while a caller is waiting for a step that no record contains. Both the
 * records and the requests for them are the same in every execution.
 *
 * Failed steps are recorded too, with the error, unless it means that the run doesn't fit the program. On replay, the request at that
 * position fails with the recorded error. A later request with the same key executes the step again.
 */
export class OrderedSteps implements Pick<Steps, 'run' | 'together'> {
  readonly #next: NextRecord
  readonly #ended = new Map<string, StepEnd>()
  /** Failed steps that have not been requested yet in this execution. */
  readonly #failed = new Map<string, StepEnd[]>()
  readonly #requests = new Map<string, Request>()
  /** Keys of steps that belong together, while they run, and their work. */
  readonly #united = new Set<string>()
  readonly #units = new Set<Promise<unknown>>()
  #failure: unknown
  #isClosed = false
  #made: { readonly record: string; readonly ends: readonly StepEnd[] } | undefined
  #taking: Promise<void> | undefined
  /** Set while a record is being made. Starts requested steps, and completes the record once any step has ended. */
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
    if (this.#isClosed && !this.#united.has(key)) throw closed()
    if (this.#requests.has(key)) throw keyInUse(key)
    return await new Promise<T>((resolve, reject) => {
      this.#requests.set(key, { key, execute, resolve: resolve as (value: unknown) => void, reject, isStarted: false })
      if (this.#look !== undefined) this.#look()
      else this.#taking ??= this.#takeRecords()
    })
  }

  /** Runs steps that belong together: `close` prevents all of them or lets all of them end. */
  async together<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw this.#failure ?? closed()
    for (const key of keys) this.#united.add(key)
    const unit = work()
    this.#units.add(unit)
    try {
      return await unit
    } finally {
      this.#units.delete(unit)
      for (const key of keys) this.#united.delete(key)
    }
  }

  /** Resolves when no step is pending, so that the engine's next operation has a fixed position. */
  async quiet(): Promise<void> {
    while (this.#taking !== undefined) await this.#taking
  }

  /** Starts no more steps. Resolves when running steps, and steps that belong together with them, are recorded. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const request of this.#requests.values())
      if (!request.isStarted && !this.#united.has(request.key)) this.#settle(request, { cause: closed() })
    this.#look?.()
    while (this.#units.size > 0) await Promise.allSettled(this.#units)
    await this.quiet()
  }

  async #takeRecords(): Promise<void> {
    try {
      while (this.#requests.size > 0) {
        const record = await this.#next(() => this.#make())
        // A record that was just made doesn't need to be parsed.
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

  /** Resolves the requests for the steps in a record, and keeps results that have not been requested yet. */
  #take(ends: readonly StepEnd[]): void {
    for (const end of ends) {
      const request = this.#requests.get(end.key)
      if (end.isFailed && request === undefined) this.#keepFailed(end)
      if (!end.isFailed) this.#ended.set(end.key, end)
      if (request === undefined) continue
      const { end: ended } = request
      // The original error has more detail than the recorded one. A value, however, is returned as it will be on replay.
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

  /** Executes the requested steps. Resolves with a record as soon as any step has ended, or with an empty record if closed before that. */
  #make(): Promise<string> {
    return new Promise((resolve) => {
      let isLooking = false
      const finish = () => {
        isLooking = false
        const ended = [...this.#requests.values()].filter((request) => request.end !== undefined)
        // If the steps are closed before any of them has ended, the record is empty. The next process then requests another one.
        if (ended.length === 0 && !(this.#isClosed && this.#requests.size === 0)) return
        this.#look = undefined
        const ends: StepEnd[] = []
        let record = ''
        for (const request of ended) {
          const end = toStepEnd(request)
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
        // Steps that end at about the same time share a record.
        setImmediate(finish)
      }
      this.#look()
    })
  }

  /** Records nothing about a step that doesn't fit the program, so that another program can execute it. Starts no more steps. */
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
    // In an async function, a synchronous throw becomes a rejection.
    ;(async () => request.execute())().then(
      (value) => end({ value }),
      (cause: unknown) => end({ cause }),
    )
  }
}

/** Returns the outcome of a step. A result that can't be recorded makes the step fail. */
function toStepEnd(request: Request): StepEnd {
  const { key, end } = request
  if (end === undefined) throw new Error(`The step ${JSON.stringify(key)} has not ended.`)
  if ('cause' in end) return toFailedStep(key, end.cause)
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
