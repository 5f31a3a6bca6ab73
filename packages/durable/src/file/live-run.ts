/** A run that this process executes, over its open journal. */

import { NotDecided } from '@x/react-agent/steps'
import { closingSteps } from '../closing-steps.ts'
import type { RunFunction, WaitsFor } from '../engine.ts'
import { DurableError } from '../errors.ts'
import { toFailure } from '../failure.ts'
import { isPause } from '../is-pause.ts'
import type { OpenJournal } from '../journal/open-journal.ts'
import { toJsonText } from '../json-text.ts'
import { runCancelled } from '../run-errors.ts'
import { END, type RunEnd, type RunStart, START, WAITS } from './run-records.ts'

/** Why the function is not called any more. */
export type Stop =
  | { readonly type: 'ended'; readonly cause?: unknown }
  /** For decisions that are not in the journal. */
  | { readonly type: 'waits'; readonly waitsFor: readonly WaitsFor[] }
  /** It is to go on in another process. */
  | { readonly type: 'closed' }

export class LiveRun {
  readonly id: string
  readonly journal: OpenJournal
  readonly #steps
  readonly #controller = new AbortController()
  /** Resolves when the function is not waited for any more, whatever it does. */
  readonly #stopped: Promise<undefined>
  #stop: () => void = () => {}
  #isClosing = false
  /** What is noted of its end. What came first stays. */
  #ending: Promise<void> | undefined
  #waits: readonly WaitsFor[] = []

  constructor(id: string, journal: OpenJournal) {
    this.id = id
    this.journal = journal
    this.#stopped = new Promise((resolve) => {
      this.#stop = () => resolve(undefined)
    })
    this.#steps = closingSteps({
      run: (key, execute) => journal.run(key, execute).catch((cause) => this.#failed(cause)),
      wait: (name, about) => journal.wait(name).catch((cause) => this.#undecided(name, about, cause)),
    })
  }

  /** Calls the function until it ends or waits. */
  async play(fn: RunFunction<unknown, unknown>): Promise<Stop> {
    const { input } = this.journal.noted(START) as RunStart
    for (;;) {
      if (this.isOver) return { type: 'ended' }
      this.#waits = []
      const { id } = this
      const run = { id, steps: this.#steps, signal: this.#controller.signal }
      const ended = await Promise.race([settled(async () => await fn(structuredClone(input), run)), this.#stopped])
      await Promise.race([this.#steps.quiet(), this.#stopped])
      if (this.isOver) return { type: 'ended' }
      if (this.journal.failure !== undefined) throw this.journal.failure
      if (this.#isClosing || ended === undefined) return { type: 'closed' }
      const waitsFor = this.#waits
      if (!('cause' in ended) || waitsFor.length === 0 || !isPause(ended.cause)) return await this.#end(ended)
      if (waitsFor.some(({ name }) => this.journal.hasDecision(name))) continue
      await this.journal.note(WAITS, waitsFor)
      // It may be decided until its journal is closed.
      if (!waitsFor.some(({ name }) => this.journal.hasDecision(name))) return { type: 'waits', waitsFor }
    }
  }

  get isOver(): boolean {
    return this.journal.noted(END) !== undefined
  }

  /** Undefined unless its end is being recorded, or is. */
  get ending(): Promise<void> | undefined {
    return this.#ending
  }

  /** Does nothing when it is just ending. */
  async cancel(): Promise<void> {
    if (this.#ending !== undefined) return await this.#ending
    await this.#note({ state: 'cancelled' })
    const cause = runCancelled(this.id)
    this.#controller.abort(cause)
    void this.#steps.close(cause)
    this.#stop()
  }

  /** Resolves when what is under way is recorded. */
  async close(): Promise<void> {
    this.#isClosing = true
    const reason = new DurableError('closed', 'The engine is being closed here: no step begins any more. Open it again to go on.')
    await this.#steps.close(reason)
    this.#controller.abort(reason)
    this.#stop()
  }

  #note(end: RunEnd): Promise<void> {
    this.#ending ??= this.journal.note(END, end)
    return this.#ending
  }

  /** Where nothing can be recorded any more, the function is not waited for. */
  #failed(cause: unknown): never {
    if (this.journal.failure !== undefined) this.#stop()
    throw cause
  }

  #undecided(name: string, about: unknown, cause: unknown): never {
    if (!(cause instanceof NotDecided)) throw cause
    toJsonText(about, `What is said about ${JSON.stringify(name)}`)
    this.#waits = [...this.#waits.filter((waits) => waits.name !== name), about === undefined ? { name } : { name, about }]
    throw cause
  }

  async #end(ended: Ended): Promise<Stop> {
    const { end, cause } = this.#endOf(ended)
    await this.#note(end)
    const { state } = this.journal.noted(END) as RunEnd
    return state === 'failed' ? { type: 'ended', cause } : { type: 'ended' }
  }

  #endOf(ended: Ended): { readonly end: RunEnd; readonly cause?: unknown } {
    try {
      if ('cause' in ended) throw ended.cause
      toJsonText(ended.output, `The output of the run "${this.id}"`)
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
