/** Steps inside one call. The run's engine records them under the id of the call, and a paused run contains them too. */
import type { PendingCall } from '../approval/decision.ts'
import { nestedPrefix } from '../calls/call-ids.ts'
import { AgentError } from '../errors.ts'
import type { CallData } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import type { RunEvent } from '../run-event.ts'
import { wasRecorded } from '../steps/recorded-failure.ts'
import { type Steps, together } from '../steps/steps.ts'
import type { Records } from './open-records.ts'

/** Maximum number of bytes recorded inside one call of the model. */
export const MAX_RECORDED = 16 * 1024 * 1024

const INTERRUPTED = 'NestedCallInterrupted'

/**
 * Thrown by a step inside a call when the engine failed or is being closed. An engine that records failures records this one too, but it
 * isn't an outcome: a later execution executes the step again.
 */
export class Interrupted extends Error {
  override get name(): string {
    return INTERRUPTED
  }
}

/** Converts the error of a step inside a call. An `AgentError` is about a decision, and ends the run. */
export function toInterruption(cause: unknown): unknown {
  if (cause instanceof AgentError || cause instanceof Interrupted) return cause
  return new Interrupted('A step inside the call was interrupted.', { cause })
}

export interface NestedStepsOptions {
  /** The steps of the run that makes the call. */
  readonly steps: Steps
  /** Id of the call. */
  readonly callId: string
  /** The records of the call. Undefined for an inner call, because the steps of the outer call keep its records. */
  readonly records?: Records | undefined
  /** True if the call itself isn't inside a step. A replay then requests its steps again, so a failed step isn't retried immediately. */
  readonly isReplayed?: boolean | undefined
  /** Called once when the records become too large. */
  readonly onFull?: (() => void) | undefined
}

export class NestedSteps implements Steps {
  readonly #steps: Steps
  readonly #callId: string
  readonly #prefix: string
  readonly #records: Records | undefined
  readonly #known: ReadonlySet<string>
  readonly #isReplayed: boolean
  readonly #onFull: (() => void) | undefined
  #bytes = 0

  constructor({ steps, callId, records, isReplayed = false, onFull }: NestedStepsOptions) {
    this.#steps = steps
    this.#callId = callId
    this.#prefix = nestedPrefix(callId)
    this.#records = records
    this.#known = new Set(records?.keys())
    this.#isReplayed = isReplayed
    this.#onFull = onFull
    for (const text of records?.values() ?? []) this.#bytes += bytesOf(text)
  }

  /** Returns true for a step that was recorded before this execution of the call. Considers only records that this process already has. */
  wasKnown(key: string): boolean {
    return this.#known.has(key)
  }

  /** Records that the events of a call have been emitted. Not passed to the engine, because only later executions of the outer call need it. */
  note(key: string): void {
    this.#records?.set(key, '1')
  }

  /** Runs a step. The first result is a copy too, so that a replay sees the same value. */
  async run<T>(key: string, execute: () => Promise<T>): Promise<T> {
    const known = this.#records?.get(key)
    if (known !== undefined) return JSON.parse(known) as T
    const take = () => this.#steps.run(this.#prefix + key, execute)
    const value = await (this.#isReplayed ? take() : runAgain(take))
    if (this.#records === undefined) return value
    const text = JSON.stringify(value) ?? 'null'
    this.#keep(key, text)
    return isOwn(value) ? value : JSON.parse(text)
  }

  async wait(key: string, about: PendingCall): Promise<unknown> {
    return await this.#steps.wait(this.#prefix + key, this.placed(about))
  }

  together<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    return together(
      this.#steps,
      keys.map((key) => this.#prefix + key),
      work,
    )
  }

  /** Returns the key that the run's engine uses for the step. */
  outerKey(key: string): string {
    return this.#prefix + key
  }

  /** Returns the call as the run that makes the outer call shows it: with the id of the outer call, and the engine's key. */
  placed(call: PendingCall): PendingCall {
    return { parentCallId: this.#callId, ...call, key: this.#prefix + call.key }
  }

  /** Returns the scope of calls inside the outer call. */
  scopeIn(scope: CallScope): CallScope {
    const { approve, emit } = scope
    return {
      ...scope,
      steps: this,
      // A call of `callTool` has no key.
      approve: approve && ((call, signal) => approve(call.key === undefined ? call : this.placed(call as PendingCall), signal)),
      emit: (event) => emit(this.toOuterEvent(event)),
      expiresAt: undefined,
    }
  }

  /** Adds the id of the outer call, and converts the key of a decision to the one that the engine uses. */
  toOuterEvent(event: RunEvent): RunEvent {
    // Spread as an object, because a spread of the union is slow to check.
    const placed = { parentCallId: this.#callId, ...(event as object) }
    return (event.type === 'approval_requested' ? { ...placed, call: this.placed(event.call) } : placed) as RunEvent
  }

  #keep(key: string, text: string): void {
    this.#records?.set(key, text)
    const isFull = this.#bytes > MAX_RECORDED
    this.#bytes += bytesOf(text)
    if (!isFull && this.#bytes > MAX_RECORDED) this.#onFull?.()
  }
}

/**
 * Executes a step. Executes it again if an earlier execution recorded only that it was interrupted or aborted, or that there was no
 * decision yet.
 */
export async function runAgain<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (cause) {
      const { name, code } = cause as { readonly name?: unknown; readonly code?: unknown }
      if (!wasRecorded(cause) || !(name === INTERRUPTED || code === 'not_decided' || code === 'aborted')) throw cause
    }
  }
}

/** Returns true for a turn of a program, and for a result whose output is text: nothing else can change them. */
function isOwn(value: unknown): boolean {
  const { after, data } = (value ?? {}) as { readonly after?: number; readonly data?: CallData }
  return after !== undefined || (data?.form !== undefined && data.args === undefined)
}

/** Node's function takes a tenth of the encoder's time, which would be 3 % of a call. */
const { Buffer } = globalThis as { readonly Buffer?: { byteLength(text: string): number } | undefined }
const ENCODER = new TextEncoder()

function bytesOf(text: string): number {
  return Buffer?.byteLength(text) ?? ENCODER.encode(text).length
}
