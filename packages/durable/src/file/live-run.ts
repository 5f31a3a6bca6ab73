/** A run that this process executes, over its open journal. */
import { callEnded, closingSteps } from '../engine/closing-steps.ts'
import type { RunFunction, WaitsFor } from '../engine/engine.ts'
import { toFailure } from '../engine/failure.ts'
import { isPause } from '../engine/is-pause.ts'
import { toJsonText } from '../engine/json-text.ts'
import { runCancelled } from '../engine/run-errors.ts'
import { DurableError } from '../errors.ts'
import type { HeldRun } from './held-run.ts'
import { END, type RunEnd, WAITS } from './run-records.ts'

/** What the function failed with, where it has. */
export interface Stop {
  readonly cause?: unknown
}

export class LiveRun {
  readonly held: HeldRun
  readonly #steps
  readonly #controller = new AbortController()
  /** Resolves when the function is not waited for any more, whatever it does. */
  readonly #stopped: Promise<undefined>
  #stop: () => void = () => {}
  #isClosing = false
  /** What is noted of its end. What came first stays. */
  #ending: Promise<void> | undefined
  #waits: readonly WaitsFor[] = []

  constructor(held: HeldRun) {
    this.held = held
    const { journal } = held
    this.#stopped = new Promise((resolve) => {
      this.#stop = () => resolve(undefined)
    })
    this.#steps = closingSteps({
      run: (key, execute) => journal.run(key, execute).catch((cause) => this.#failed(cause)),
      wait: (name, about) => this.#wait(name, about),
    })
  }

  /** Calls the function until it ends, or waits, or is to go on in another process. Rejects when nothing can be recorded. */
  async play(fn: RunFunction<unknown, unknown>): Promise<Stop> {
    const { id, journal, start } = this.held
    for (;;) {
      if (this.held.isOver || this.#isClosing) return {}
      this.#waits = []
      const steps = closingSteps(this.#steps)
      const run = { id, steps, signal: this.#controller.signal }
      const ended = await Promise.race([settled(async () => await fn(structuredClone(start?.input), run)), this.#stopped])
      await Promise.race([steps.close(callEnded()), this.#stopped])
      if (this.held.isOver) return {}
      if (journal.failure !== undefined) throw journal.failure
      if (this.#isClosing || ended === undefined) return {}
      const waitsFor = this.#waits
      if (!('cause' in ended) || waitsFor.length === 0 || !isPause(ended.cause)) return await this.#end(ended)
      if (waitsFor.some(({ name }) => journal.hasDecision(name))) continue
      await journal.note(WAITS, waitsFor)
      // It may be decided until its journal is closed.
      if (!waitsFor.some(({ name }) => journal.hasDecision(name))) return {}
    }
  }

  /** Undefined unless its end is being recorded, or is. */
  get ending(): Promise<void> | undefined {
    return this.#ending
  }

  /** Does nothing when it is just ending. */
  async cancel(): Promise<void> {
    if (this.#ending !== undefined) return await this.#ending
    await this.#note({ state: 'cancelled' })
    const cause = runCancelled(this.held.id)
    this.#controller.abort(cause)
    void this.#steps.close(cause)
    this.#stop()
  }

  /** Resolves when what is under way is recorded; of a run that was cancelled nothing is waited for. */
  async close(): Promise<void> {
    this.#isClosing = true
    // A disk that is full is not waited for.
    this.held.journal.giveUp()
    const reason = new DurableError('closed', 'The engine is being closed here: no step begins any more. Open it again to go on.')
    await Promise.race([this.#steps.close(reason), this.#stopped])
    this.#controller.abort(reason)
    this.#stop()
  }

  #note(end: RunEnd): Promise<void> {
    this.#ending ??= this.held.journal.note(END, end)
    return this.#ending
  }

  /** Where nothing can be recorded any more, the function is not waited for. */
  #failed(cause: unknown): never {
    if (this.held.journal.failure !== undefined) this.#stop()
    throw cause
  }

  async #wait(name: string, about: unknown): Promise<unknown> {
    const { journal } = this.held
    if (!journal.hasDecision(name)) {
      // As it is now: it is recorded later.
      const text = toJsonText(about, `What is said about ${JSON.stringify(name)}`)
      const waits = text === undefined ? { name } : { name, about: JSON.parse(text) as unknown }
      this.#waits = [...this.#waits.filter((other) => other.name !== name), waits]
    }
    return await journal.wait(name)
  }

  async #end(ended: Ended): Promise<Stop> {
    const { end, cause } = this.#endOf(ended)
    await this.#note(end)
    const { state } = this.held.journal.noted(END) as RunEnd
    return state === 'failed' ? { cause } : {}
  }

  #endOf(ended: Ended): { readonly end: RunEnd; readonly cause?: unknown } {
    try {
      if ('cause' in ended) throw ended.cause
      toJsonText(ended.output, `The output of the run "${this.held.id}"`)
      return { end: { state: 'finished', output: ended.output } }
    } catch (cause) {
      return { end: { state: 'failed', failure: toFailure(cause) }, cause }
    }
  }
}

type Ended = { readonly output: unknown } | { readonly cause: unknown }

async function settled(work: () => Promise<unknown>): Promise<Ended> {
  try {
    return { output: await work() }
  } catch (cause) {
    return { cause }
  }
}
