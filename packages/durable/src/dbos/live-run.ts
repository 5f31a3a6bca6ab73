/** One execution of a run in this process. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type * as Sdk from '@dbos-inc/dbos-sdk'
import type { RunFunction, WaitsFor } from '../engine/engine.ts'
import { toJsonText } from '../engine/json-text.ts'
import type { Tell } from '../engine/options.ts'
import type { OrderedSteps } from '../engine/ordered-steps.ts'
import { type Decided, playRun } from '../engine/play-run.ts'
import { runCancelled } from '../engine/run-errors.ts'
import { untilAborted } from '../engine/until-aborted.ts'
import { DurableError } from '../errors.ts'
import { DECISIONS, WAITS_FOR } from './names.ts'

/**
 * DBOS wants an end; a hundred years are none. PostgreSQL tells it at once of a message, and should that be lost it looks by itself. That
 * timer also keeps a process alive which was closed, so it is shorter than DBOS's.
 */
const RECEIVE = { timeoutSeconds: 100 * 365 * 24 * 3600, pollingIntervalMs: 5000 }
/** Plain for DBOS: a string stays a string in its tables. */
const PLAIN = { serializationType: 'portable' } as const

export class LiveRun {
  readonly id: string
  readonly #sdk: typeof Sdk
  readonly #tell: Tell
  /** DBOS numbers what is called here. A function of the user's may ask for a step from within another context, such as a step's. */
  readonly #inWorkflow = AsyncLocalStorage.snapshot()
  readonly #controller = new AbortController()
  #steps: OrderedSteps | undefined
  #refusal: unknown

  constructor(id: string, sdk: typeof Sdk, tell: Tell) {
    this.id = id
    this.#tell = tell
    this.#sdk = sdk
  }

  /** Rejects at once when it is stopped: a function that does not hear of it does not keep the place of its run. */
  play<Input, Output>(fn: RunFunction<Input, Output>, input: Input): Promise<Output> {
    const { signal } = this.#controller
    const playing = () =>
      playRun(fn, input, {
        id: this.id,
        signal,
        next: (make) => this.#record(() => this.#sdk.DBOS.runStep(make, { name: 'steps' })),
        receive: (waitsFor) => this.#record(() => this.#receive(waitsFor)),
        onSteps: (steps) => {
          this.#steps = steps
        },
      })
    return untilAborted(playing, signal)
  }

  /** True when nothing of it is recorded here any more. */
  get isStopped(): boolean {
    return this.#controller.signal.aborted
  }

  /** What the run fails with since it cannot go on anywhere, such as records that do not fit the program. */
  get refusal(): unknown {
    return this.#refusal
  }

  /** It is another worker's, or was cancelled, or the engine is closed: steps hear so, and no record is asked for. */
  stop(reason: DurableError): void {
    this.#controller.abort(reason)
  }

  async finishSteps(): Promise<void> {
    await this.#steps?.close()
  }

  async #receive(waitsFor: readonly WaitsFor[]): Promise<Decided> {
    const { DBOS } = this.#sdk
    await DBOS.setEvent(WAITS_FOR, toJsonText(waitsFor, 'What the run waits for'), PLAIN)
    let text: string | null = null
    while (text === null) text = await DBOS.recv<string>(DECISIONS, RECEIVE)
    await DBOS.setEvent(WAITS_FOR, '[]', PLAIN)
    return JSON.parse(text) as Decided
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
    const { DBOSWorkflowCancelledError, DBOSWorkflowConflictError, DBOSError } = this.#sdk.Error
    if (cause instanceof DBOSWorkflowCancelledError) return runCancelled(this.id)
    if (cause instanceof DBOSWorkflowConflictError) return lost(this.id)
    const said = cause instanceof Error ? cause.message : String(cause)
    const reason = new DurableError('engine_failed', `DBOS keeps nothing more of the run "${this.id}": ${said}`, { cause })
    // Of records that do not fit, and of data that PostgreSQL does not take. What else goes wrong may go well later.
    const code = String((cause as { readonly code?: unknown } | null)?.code)
    if (cause instanceof DBOSError || /^(22|54)\w{3}$/.test(code)) this.#refusal = reason
    else this.#tell(reason)
    return reason
  }
}

export function lost(id: string): DurableError {
  return new DurableError('lost', `Another worker has the run "${id}" now: nothing of it is recorded here any more.`)
}
