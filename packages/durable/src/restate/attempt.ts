/** An attempt to execute a run. Replays the steps that the server has recorded, and records new ones. */
import type { RestatePromise, WorkflowContext } from '@restatedev/restate-sdk'
import { together } from '@x/react-agent/steps'
import type { DurableRun, RunFunction, WaitsFor } from '../engine/engine.ts'
import { toJsonText } from '../engine/json-text.ts'
import type { OrderedSteps } from '../engine/ordered-steps.ts'
import { type Decided, playRun } from '../engine/play-run.ts'
import { toRecordedStep } from '../engine/step-records.ts'
import { DurableError } from '../errors.ts'
import { readDecision, textSerde, WAITS_FOR } from './envelopes.ts'
import { assertFits, fittingLines } from './fitting.ts'
import type { RestateSdk } from './load-sdk.ts'

/** How long a waiting run stays in this worker before it is returned to the server, in milliseconds. */
const WAITS_HERE = 5000
const WAITED = 'The list of pending decisions'

export class Attempt<Input, Output> {
  readonly #sdk: RestateSdk
  readonly #context: WorkflowContext
  readonly #maxRecordBytes: number
  readonly #leave: () => void
  readonly #onRecord: () => void
  readonly #controller = new AbortController()
  /** Rejects when the attempt is stopped and must record nothing more. */
  readonly stopped: Promise<never>
  #stop: (cause: unknown) => void = () => {}
  /** The pending decisions. Each is requested from the server only once. */
  readonly #promises = new Map<string, RestatePromise<Decided>>()
  #steps: OrderedSteps | undefined
  #isStopped = false
  #isClosing = false
  /** True while the server has a list of pending decisions for the run. Some of them may have arrived since. */
  #isWaiting = false
  #hasLeft = false

  /**
   * Creates an attempt. `leave` returns the run to the server, which calls a worker again once a decision arrives. `onRecord` is called
   * when the run has a new record.
   */
  constructor(sdk: RestateSdk, context: WorkflowContext, maxRecordBytes: number, leave: () => void, onRecord: () => void) {
    this.#sdk = sdk
    this.#context = context
    this.#maxRecordBytes = maxRecordBytes
    this.#leave = leave
    this.#onRecord = onRecord
    this.stopped = new Promise((_, reject) => {
      this.#stop = reject
    })
    this.stopped.catch(() => {})
  }

  /** Executes the run. Rejects with the function's error, or with the reason if the attempt was stopped. */
  async play(fn: RunFunction<Input, Output>, input: Input): Promise<Output> {
    if (this.#isClosing) return await this.stopped
    const context = this.#context
    const playing = playRun(this.#guarded(fn), input, {
      id: context.key,
      signal: this.#controller.signal,
      next: async (make) => {
        this.#waitNoMore()
        let isNew = false
        const record = async () => {
          isNew = true
          return fittingLines(await make(), this.#maxRecordBytes)
        }
        const lines = await this.#untilStopped(context.run('steps', record, { serde: textSerde }))
        if (isNew) this.#onRecord()
        return lines
      },
      receive: (waitsFor) => this.#receive(waitsFor),
      onSteps: (steps) => {
        this.#steps = steps
      },
    })
    // An attempt that is stopped or being closed must not end the run, because the function may return or fail only for that reason.
    return await Promise.race([this.stopped, playing.finally(() => (this.#isClosing ? this.stopped : undefined))])
  }

  /** Wraps the function, so that steps of a stopped attempt reject at once with our error instead of the server's. */
  #guarded(fn: RunFunction<Input, Output>): RunFunction<Input, Output> {
    return (input, run) => {
      const steps: DurableRun['steps'] = {
        run: async (key, execute) =>
          this.#isStopped ? await this.stopped : await run.steps.run(key, () => this.#executeFitting(key, execute)),
        wait: (name, about) => run.steps.wait(name, about),
        together: (keys, work) => together(run.steps, keys, work),
      }
      return fn(input, { ...run, steps })
    }
  }

  /** Executes a step. Rejects if the result is too large for the server. */
  async #executeFitting<T>(key: string, execute: () => Promise<T>): Promise<T> {
    const value = await execute()
    assertFits(toRecordedStep(key, value).line, this.#maxRecordBytes, `The result of the step ${JSON.stringify(key)}`)
    return value
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Stops the attempt because the server no longer accepts anything from it: the run was cancelled, or another worker has it. */
  lose(): void {
    // The run has been returned to the server. It is waiting and will continue in another attempt.
    if (this.#hasLeft) return
    this.stop(
      new DurableError('lost', 'The run was cancelled or taken over by another worker, so this worker no longer records it.'),
    )
  }

  stop(cause: unknown): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#stop(cause)
    this.#controller.abort(cause)
  }

  /** Starts no more steps. Resolves once the running ones are recorded. */
  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.race([this.#steps?.close(), this.stopped.catch(() => {})])
  }

  /** Stops the attempt and returns the run to the server, which calls a worker again immediately. */
  giveBack(words: string): void {
    this.stop(new this.#sdk.RetryableError(words, { retryAfter: 0 }))
  }

  /** Waits for the decisions in the record. A resumed run may describe them differently, which must not change the record. */
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
    // The decision arrived while the run was being returned. A step that started now would be lost, because the server would
    // ignore its record.
    if (this.#hasLeft) this.giveBack('The run continues in another attempt.')
    if (this.#isStopped) return await this.stopped
    this.#promises.delete(decided.name)
    return decided
  }

  /** Clears the list of pending decisions. Not called for each decision, because the run may still be waiting for others. */
  #waitNoMore(): void {
    if (this.#isWaiting) this.#context.clear(WAITS_FOR)
    this.#isWaiting = false
  }

  #ask(name: string): RestatePromise<Decided> {
    const promise = this.#context.promise<string>(name, textSerde).get()
    return promise.map((text, failure) => {
      if (failure !== undefined || text === undefined) throw failure ?? new Error(`No decision for ${name}.`)
      return { name, text: toJsonText(readDecision(text), `The decision for ${JSON.stringify(name)}`) }
    })
  }

  /** Awaits one of the SDK's promises. When the attempt is stopped, the promise would stay pending forever, so this rejects. */
  async #untilStopped<T>(promise: PromiseLike<T>): Promise<T> {
    try {
      return await Promise.race([promise, this.stopped])
    } catch (cause) {
      // For example, an operator has cancelled the run.
      this.stop(cause)
      throw cause
    }
  }
}
