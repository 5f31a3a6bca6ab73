/** A run that this process executes, over its open journal. */

import { closingSteps } from '../closing-steps.ts'
import type { RunFunction, WaitsFor } from '../engine.ts'
import { DurableError } from '../errors.ts'
import { toFailure } from '../failure.ts'
import { isPause } from '../is-pause.ts'
import type { OpenJournal } from '../journal/open-journal.ts'
import { toJsonText } from '../json-text.ts'
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
  #isClosing = false
  #waits: readonly WaitsFor[] = []

  constructor(id: string, journal: OpenJournal) {
    this.id = id
    this.journal = journal
    this.#steps = closingSteps({
      run: (key, execute) => journal.run(key, execute),
      wait: (name, about) => journal.wait(name).catch((cause) => this.#note(name, about, cause)),
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
      const ended = await settled(async () => await fn(structuredClone(input), run))
      await this.#steps.quiet()
      if (this.isOver) return { type: 'ended' }
      if (this.#isClosing) return { type: 'closed' }
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

  async cancel(): Promise<void> {
    const cause = new DurableError('run_cancelled', `The run "${this.id}" was cancelled.`)
    await this.journal.note(END, { state: 'cancelled' } satisfies RunEnd)
    this.#controller.abort(cause)
    void this.#steps.close(cause)
  }

  /** Resolves when what is under way is recorded. */
  async close(): Promise<void> {
    this.#isClosing = true
    const reason = new DurableError('closed', 'The engine is being closed here: no step begins any more. Open it again to go on.')
    await this.#steps.close(reason)
    this.#controller.abort(reason)
  }

  #note(name: string, about: unknown, cause: unknown): never {
    toJsonText(about, `What is said about ${JSON.stringify(name)}`)
    this.#waits = [...this.#waits.filter((waits) => waits.name !== name), about === undefined ? { name } : { name, about }]
    throw cause
  }

  async #end(ended: Ended): Promise<Stop> {
    try {
      if ('cause' in ended) throw ended.cause
      toJsonText(ended.output, `The output of the run "${this.id}"`)
      await this.journal.note(END, { state: 'finished', output: ended.output } satisfies RunEnd)
      return { type: 'ended' }
    } catch (cause) {
      await this.journal.note(END, { state: 'failed', failure: toFailure(cause) } satisfies RunEnd)
      return { type: 'ended', cause }
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
