/** Steps by key over an engine that keeps records in order: which record comes next never depends on which step is quicker. */
import type { Steps } from '@x/react-agent/steps'
import { DurableError } from '../errors.ts'
import { assertKey } from './closing-steps.ts'
import { readSteps, type StepEnd, toFailedStep, toRecordedStep } from './step-records.ts'

/**
 * Gives the next record of the run, in order. Where there is none yet it calls `make`, keeps what that gives, and gives it once it is
 * kept. `make` never rejects. Rejects when nothing can be kept any more: the run was cancelled, or is another worker's.
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
 * An engine such as DBOS or Restate knows a step by its number: the third step of a run that is executed again must be the third that was
 * recorded. An agent's steps have keys instead, and those that run side by side end in any order. So a record here is not one step but
 * whatever ended next, with its keys, and another record is asked for only while somebody waits for a step that is in none. Both are
 * the same in every execution.
 *
 * That a step failed is recorded too, with the words of the failure: who asked for it hears the same again in its place. A later
 * request of the same key executes it again.
 */
export class OrderedSteps implements Pick<Steps, 'run'> {
  readonly #next: NextRecord
  readonly #ended = new Map<string, StepEnd>()
  /** Of steps that failed, those that nobody has asked for yet in this execution. */
  readonly #failed = new Map<string, StepEnd[]>()
  readonly #requests = new Map<string, Request>()
  #failure: unknown
  #isClosed = false
  #made: { readonly record: string; readonly ends: readonly StepEnd[] } | undefined
  #taking: Promise<void> | undefined
  /** While a record is being made: starts what is asked for meanwhile, and looks whether something has ended. */
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
    if (this.#isClosed) throw closed()
    if (this.#requests.has(key)) throw keyInUse(key)
    return await new Promise<T>((resolve, reject) => {
      this.#requests.set(key, { key, execute, resolve: resolve as (value: unknown) => void, reject, isStarted: false })
      if (this.#look !== undefined) this.#look()
      else this.#taking ??= this.#takeRecords()
    })
  }

  /** Resolves when nobody waits for a step: what the engine is asked for then has its place in the order. */
  async quiet(): Promise<void> {
    while (this.#taking !== undefined) await this.#taking
  }

  /** Nothing further begins; resolves when what is under way is recorded. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const request of this.#requests.values()) if (!request.isStarted) this.#settle(request, { cause: closed() })
    this.#look?.()
    await this.quiet()
  }

  async #takeRecords(): Promise<void> {
    try {
      while (this.#requests.size > 0) {
        const record = await this.#next(() => this.#make())
        // One that was made just now need not be read.
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

  /** Gives what a record holds to those who wait for it; what nobody has asked for yet is kept. */
  #take(ends: readonly StepEnd[]): void {
    for (const end of ends) {
      const request = this.#requests.get(end.key)
      if (end.isFailed && request === undefined) this.#keepFailed(end)
      if (!end.isFailed) this.#ended.set(end.key, end)
      if (request === undefined) continue
      const { end: ended } = request
      // What it failed with says more than what is recorded of that. What it gave is given as it is given again.
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

  /** Executes what is asked for, and resolves to what has ended as soon as something has. Nothing, when it is closed before. */
  #make(): Promise<string> {
    return new Promise((resolve) => {
      let isLooking = false
      const finish = () => {
        isLooking = false
        const ended = [...this.#requests.values()].filter((request) => request.end !== undefined)
        // Of one that is closed nothing may be under way any more: then the record is empty, and the next process asks for another.
        if (ended.length === 0 && !(this.#isClosed && this.#requests.size === 0)) return
        this.#look = undefined
        const ends = ended.map(toStepEnd)
        const record = ends.map(({ line }) => `${line}\n`).join('')
        this.#made = { record, ends }
        resolve(record)
      }
      this.#look = () => {
        for (const request of this.#requests.values()) if (!request.isStarted) this.#start(request)
        if (isLooking) return
        isLooking = true
        // What ends at about the same time goes into one record.
        setImmediate(finish)
      }
      this.#look()
    })
  }

  #start(request: Request): void {
    request.isStarted = true
    const end = (result: NonNullable<Request['end']>) => {
      request.end = result
      this.#look?.()
    }
    // One that throws at once rejects.
    ;(async () => request.execute())().then(
      (value) => end({ value }),
      (cause: unknown) => end({ cause }),
    )
  }
}

/** What cannot be recorded is a failure of the step. */
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
  return new DurableError(
    'closed',
    'The engine is being closed here: no step begins any more. Another worker goes on with the run.',
  )
}

function keyInUse(key: string): DurableError {
  return new DurableError(
    'key_in_use',
    `The step ${JSON.stringify(key)} is running already. Give each step of a run a key of its own.`,
  )
}
