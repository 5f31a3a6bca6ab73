/** A run that this process executes, with its open journal. */
import { callEnded, closingSteps } from '../engine/closing-steps.ts'
import type { RunFunction, WaitsFor } from '../engine/engine.ts'
import { toFailure } from '../engine/failure.ts'
import { isMisfit, isNotLoaded, isPause } from '../engine/is-pause.ts'
import { toJsonText } from '../engine/json-text.ts'
import { anotherProgram, notLoaded, runCancelled } from '../engine/run-errors.ts'
import { DurableError, type RunFailure } from '../errors.ts'
import type { OpenJournal } from './journal/open-journal.ts'
import { toRecord } from './journal/record.ts'
import type { OwnedRun } from './owned-run.ts'
import { END, MISFIT, type RunEnd, TRIED, WAITS } from './run-records.ts'
import { StepGate } from './step-gate.ts'

/** How an execution stopped. `cause` is the error of the failed function. `misfit` is the reason why the run is held. */
export interface Stop {
  readonly cause?: unknown
  readonly misfit?: RunFailure
}

export class LiveRun {
  readonly owned: OwnedRun
  readonly #steps
  readonly #controller = new AbortController()
  /** Resolves when waiting for the function must stop. */
  readonly #stopped: Promise<undefined>
  #stop: () => void = () => {}
  #isClosing = false
  /** Resolves when the run's outcome is recorded. Undefined before the run ends. Only the first outcome is recorded. */
  #ending: Promise<void> | undefined
  #waits: readonly WaitsFor[] = []
  /** Names of the decisions that the function has requested during this call. */
  readonly #asked = new Set<string>()
  /** Keys of the steps that the function has requested during this call and that have no record. */
  readonly #tried = new Set<string>()
  #gate: StepGate
  /** Set if this call requests other steps than the recorded ones. */
  #stuck: DurableError | undefined

  constructor(owned: OwnedRun) {
    this.owned = owned
    this.#gate = this.#newGate()
    this.#stopped = new Promise((resolve) => {
      this.#stop = () => resolve(undefined)
    })
    this.#steps = closingSteps({
      run: (key, execute) => this.#run(key, execute) as Promise<never>,
      wait: (name, about) => this.#wait(name, about),
    })
  }

  /**
   * Calls the function until the run ends, waits for a decision, or is released to another process. Rejects if nothing can be
   * recorded.
   */
  async play(fn: RunFunction<unknown, unknown>): Promise<Stop> {
    const { id, journal, start } = this.owned
    for (;;) {
      if (this.owned.isOver || this.#isClosing) return {}
      this.#waits = []
      this.#asked.clear()
      this.#tried.clear()
      this.#gate = this.#newGate()
      const steps = closingSteps(this.#steps)
      const run = { id, steps, signal: this.#controller.signal }
      const ended = await Promise.race([settled(async () => await fn(structuredClone(start?.input), run)), this.#stopped])
      this.#gate.close(callEnded())
      await Promise.race([steps.close(callEnded()), this.#stopped])
      if (this.owned.isOver) return {}
      if (journal.failure !== undefined) throw journal.failure
      if (this.#isClosing) return {}
      const misfit = this.#stuck ?? (ended && this.#misfitOf(ended))
      if (misfit !== undefined) return await this.#hold(misfit)
      if (ended === undefined) return {}
      const waitsFor = this.#waits
      if (!('cause' in ended) || waitsFor.length === 0 || !isPause(ended.cause)) return await this.#end(ended)
      if (waitsFor.some(({ name }) => journal.hasDecision(name))) continue
      if (this.#tried.size > 0 || journal.noted(TRIED) !== undefined) await journal.note(TRIED, [...this.#tried])
      await journal.note(WAITS, waitsFor)
      // Until the journal is closed, a decision may still arrive.
      if (!waitsFor.some(({ name }) => journal.hasDecision(name))) return {}
    }
  }

  /** Resolves when the end is recorded. Undefined before the end is being recorded. */
  get ending(): Promise<void> | undefined {
    return this.#ending
  }

  /** Cancels the run. Has no effect on a run that is already ending. */
  async cancel(): Promise<void> {
    if (this.#ending !== undefined) return await this.#ending
    await this.#note({ state: 'cancelled' })
    this.#abandon(runCancelled(this.owned.id))
  }

  /** Closes the run. Resolves once running steps are recorded, or at once if the run was cancelled. */
  async close(): Promise<void> {
    this.#isClosing = true
    // Stops retrying a write that fails, for example because the disk is full.
    this.owned.journal.giveUp()
    const reason = new DurableError(
      'closed',
      'This engine is being closed, so it starts no new steps. Open it again to resume the run.',
    )
    this.#gate.close(reason)
    await Promise.race([this.#steps.close(reason, { finishTogether: true }), this.#stopped])
    this.#controller.abort(reason)
    this.#stop()
  }

  /** Starts no more steps, and stops waiting for the function. */
  #abandon(cause: DurableError): void {
    this.#gate.close(cause)
    this.#controller.abort(cause)
    void this.#steps.close(cause)
    this.#stop()
  }

  #newGate(): StepGate {
    const { journal } = this.owned
    const tried = (journal.noted(TRIED) ?? []) as readonly string[]
    return new StepGate({
      decisions: waitedFor(journal),
      mayStart: (key) => journal.hasStep(key) || tried.includes(key),
      onStuck: (cause) => {
        this.#stuck = cause
        this.#abandon(cause)
      },
    })
  }

  /**
   * Returns the reason if the function doesn't fit the records: its error says so, or it no longer requests a decision that it
   * waited for.
   */
  #misfitOf(ended: Ended): unknown {
    if ('cause' in ended && isMisfit(ended.cause)) return ended.cause
    if ('cause' in ended && this.#waits.length > 0 && isPause(ended.cause)) return undefined
    const missing = waitedFor(this.owned.journal).find(({ name }) => !this.#asked.has(name))
    return missing && anotherProgram(`it ended without requesting the decision ${JSON.stringify(missing.name)}.`)
  }

  async #hold(cause: unknown): Promise<Stop> {
    if (isNotLoaded(cause)) throw notLoaded(this.owned.id, cause)
    const misfit = toFailure(cause)
    await this.owned.journal.note(MISFIT, misfit)
    return { misfit }
  }

  #note(end: RunEnd): Promise<void> {
    this.#ending ??= this.owned.journal.note(END, end)
    return this.#ending
  }

  async #run(key: string, execute: () => Promise<unknown>): Promise<unknown> {
    this.#tried.add(key)
    const entry = this.#gate.enter(key)
    if (entry !== undefined) await entry
    const value = await this.owned.journal.run(key, execute).catch((cause) => this.#failed(cause))
    this.#tried.delete(key)
    return value
  }

  /** Stops waiting for the function, because nothing can be recorded any more. */
  #failed(cause: unknown): never {
    if (this.owned.journal.failure !== undefined) this.#stop()
    throw cause
  }

  async #wait(name: string, about: unknown): Promise<unknown> {
    const { journal } = this.owned
    this.#asked.add(name)
    this.#gate.request(name)
    if (!journal.hasDecision(name)) {
      // Serializes the value now, because the caller may change it before it is recorded.
      const text = toJsonText(about, `The second argument of wait(${JSON.stringify(name)})`)
      const waits = text === undefined ? { name } : { name, about: JSON.parse(text) as unknown }
      this.#waits = [...this.#waits.filter((other) => other.name !== name), waits]
    }
    return await journal.wait(name)
  }

  async #end(ended: Ended): Promise<Stop> {
    const { end, cause } = this.#endOf(ended)
    await this.#note(end)
    const { state } = this.owned.journal.noted(END) as RunEnd
    return state === 'failed' ? { cause } : {}
  }

  #endOf(ended: Ended): { readonly end: RunEnd; readonly cause?: unknown } {
    try {
      if ('cause' in ended) throw ended.cause
      const end: RunEnd = { state: 'finished', output: ended.output }
      // If the output can't be recorded, the run fails. Otherwise, it would be executed again and again.
      toRecord('run', END, end, `The output of the run "${this.owned.id}"`)
      return { end }
    } catch (cause) {
      return { end: { state: 'failed', failure: toFailure(cause) }, cause }
    }
  }
}

/** Returns the decisions that the run last waited for. */
function waitedFor(journal: OpenJournal): readonly WaitsFor[] {
  return (journal.noted(WAITS) ?? []) as readonly WaitsFor[]
}

type Ended = { readonly output: unknown } | { readonly cause: unknown }

async function settled(work: () => Promise<unknown>): Promise<Ended> {
  try {
    return { output: await work() }
  } catch (cause) {
    return { cause }
  }
}
