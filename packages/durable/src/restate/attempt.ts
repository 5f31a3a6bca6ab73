/** One attempt of a worker at a run: what the server has recorded is given again, and what is new is recorded. */
import type { RestatePromise, WorkflowContext } from '@restatedev/restate-sdk'
import type { DurableRun, RunFunction, WaitsFor } from '../engine/engine.ts'
import { toJsonText } from '../engine/json-text.ts'
import type { OrderedSteps } from '../engine/ordered-steps.ts'
import { type Decided, playRun } from '../engine/play-run.ts'
import { toRecordedStep } from '../engine/step-records.ts'
import { DurableError } from '../errors.ts'
import { readDecision, textSerde, WAITS_FOR } from './envelopes.ts'
import { assertFits, fittingLines } from './fitting.ts'
import type { RestateSdk } from './load-sdk.ts'

/** A decision that comes so soon finds the run where it is. */
const WAITS_HERE = 5000
const WAITED = 'What the run waits for'

export class Attempt<Input, Output> {
  readonly #sdk: RestateSdk
  readonly #context: WorkflowContext
  readonly #maxRecordBytes: number
  readonly #leave: () => void
  readonly #controller = new AbortController()
  /** Rejects when nothing can be recorded any more, or shall be. */
  readonly #stopped: Promise<never>
  #stop: (cause: unknown) => void = () => {}
  /** Those that were waited for and did not come yet: each is asked for once. */
  readonly #promises = new Map<string, RestatePromise<Decided>>()
  #steps: OrderedSteps | undefined
  #isStopped = false
  /** The server has what it waits for, or waited for last. */
  #isWaiting = false
  #hasLeft = false

  /** `leave` has the run given back to the server, which calls again when it has what is waited for. */
  constructor(sdk: RestateSdk, context: WorkflowContext, maxRecordBytes: number, leave: () => void) {
    this.#sdk = sdk
    this.#context = context
    this.#maxRecordBytes = maxRecordBytes
    this.#leave = leave
    this.#stopped = new Promise((_, reject) => {
      this.#stop = reject
    })
    this.#stopped.catch(() => {})
  }

  /** Rejects with what the function rejects with, and with the cause where the attempt was stopped. */
  async play(fn: RunFunction<Input, Output>, input: Input): Promise<Output> {
    const context = this.#context
    const playing = playRun(this.#guarded(fn), input, {
      id: context.key,
      signal: this.#controller.signal,
      next: (make) => {
        this.#waitNoMore()
        return this.#untilStopped(context.run('steps', () => this.#fitting(make), { serde: textSerde }))
      },
      receive: (waitsFor) => this.#receive(waitsFor),
      onSteps: (steps) => {
        this.#steps = steps
      },
    })
    // What a function makes of it that its steps were stopped is not how the run ends.
    return await Promise.race([this.#stopped, playing])
  }

  /** What asks for a step when the attempt has just been stopped hears so at once, before the server has said it in its way. */
  #guarded(fn: RunFunction<Input, Output>): RunFunction<Input, Output> {
    return (input, run) => {
      const steps: DurableRun['steps'] = {
        run: async (key, execute) =>
          this.#isStopped ? await this.#stopped : await run.steps.run(key, () => this.#executeFitting(key, execute)),
        wait: (name, about) => run.steps.wait(name, about),
      }
      return fn(input, { ...run, steps })
    }
  }

  /** A step that gives what the server would not take has failed. */
  async #executeFitting<T>(key: string, execute: () => Promise<T>): Promise<T> {
    const value = await execute()
    assertFits(toRecordedStep(key, value).line, this.#maxRecordBytes, `What the step ${JSON.stringify(key)} gave`)
    return value
  }

  async #fitting(make: () => Promise<string>): Promise<string> {
    return fittingLines(await make(), this.#maxRecordBytes)
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** The server takes nothing of this attempt any more: the run was cancelled, or another worker has it. */
  lose(): void {
    // It waits, and goes on in another attempt.
    if (this.#hasLeft) return
    this.stop(
      new DurableError('lost', 'The run was cancelled here, or another worker has it now: nothing of it is recorded here.'),
    )
  }

  stop(cause: unknown): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#stop(cause)
    this.#controller.abort(cause)
  }

  /** Waits for the steps under way, then gives the run back to the server. */
  async close(): Promise<void> {
    await Promise.race([this.#steps?.close(), this.#stopped.catch(() => {})])
    this.#giveBack('The worker is being closed.')
  }

  /** The server calls again, at once. */
  #giveBack(words: string): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#stop(new this.#sdk.RetryableError(words, { retryAfter: 0 }))
  }

  /** What is asked of the server depends on records alone, so a run may be gone on with by a program that has other words for it. */
  async #receive(waitsFor: readonly WaitsFor[]): Promise<Decided> {
    const context = this.#context
    const now = assertFits(toJsonText(waitsFor, WAITED) as string, this.#maxRecordBytes, WAITED)
    const text = await this.#untilStopped(context.run('waits', () => now, { serde: textSerde }))
    context.set(WAITS_FOR, text, textSerde)
    this.#isWaiting = true
    const names = (JSON.parse(text) as readonly WaitsFor[]).map(({ name }) => name)
    for (const name of names) if (!this.#promises.has(name)) this.#promises.set(name, this.#ask(name))
    const timer = setTimeout(() => {
      this.#hasLeft = true
      this.#leave()
    }, WAITS_HERE)
    const first = this.#sdk.RestatePromise.race([...this.#promises.values()])
    const decided = await this.#untilStopped(first).finally(() => clearTimeout(timer))
    // It came while the run was leaving: a step could begin here, and its record would not be heard of.
    if (this.#hasLeft) this.#giveBack('It is gone on with in another attempt.')
    if (this.#isStopped) return await this.#stopped
    this.#promises.delete(decided.name)
    return decided
  }

  /** Not as soon as one decision has come: it may wait for the others again, and did so all the time. */
  #waitNoMore(): void {
    if (this.#isWaiting) this.#context.clear(WAITS_FOR)
    this.#isWaiting = false
  }

  #ask(name: string): RestatePromise<Decided> {
    const promise = this.#context.promise<string>(name, textSerde).get()
    return promise.map((text, failure) => {
      if (failure !== undefined || text === undefined) throw failure ?? new Error(`No decision about ${name}.`)
      return { name, text: toJsonText(readDecision(text), `The decision about ${JSON.stringify(name)}`) }
    })
  }

  /** A promise of the server's stays open for ever when the attempt is over. */
  async #untilStopped<T>(promise: PromiseLike<T>): Promise<T> {
    try {
      return await Promise.race([promise, this.#stopped])
    } catch (cause) {
      // Such as that an operator has cancelled the run.
      this.stop(cause)
      throw cause
    }
  }
}
