/** Runs a loader once for all concurrent callers, and caches its result if it succeeds. */

import { LoadError } from '../errors.ts'
import { holdTo } from './deadline.ts'
import type { LoaderContext, LoadOptions } from './load-options.ts'
import { waitFor } from './waits.ts'

/** A single run of a loader, shared by all callers. */
export interface Attempt<Loaded> {
  readonly outcome: Promise<Loaded>
}

/**
 * Runs one loader:
 * - A failure isn't cached: the next call runs the loader again.
 * - Each caller has its own timeout. After a timeout, the attempt continues for the other callers, and the next call starts a new one.
 * - The first attempt to succeed provides the result for all later callers.
 */
export class ModuleLoader<Given, Loaded extends object> {
  readonly name: string
  readonly #load: (context: LoaderContext) => Promise<Given>
  readonly #take: (name: string, given: Given) => Loaded | Promise<Loaded>
  #attempt: Attempt<Loaded> | undefined
  #loaded: Loaded | undefined

  /** `take` extracts the tool, or another wanted export, from a module. */
  constructor(
    name: string,
    load: (context: LoaderContext) => Promise<Given>,
    take: (name: string, given: Given) => Loaded | Promise<Loaded>,
  ) {
    this.name = name
    this.#load = load
    this.#take = take
  }

  get loaded(): Loaded | undefined {
    return this.#loaded
  }

  fetch(options: LoadOptions = {}): Promise<Loaded> {
    const { asking, timeoutMs = Number.POSITIVE_INFINITY } = options
    if (asking !== undefined) return waitFor(asking, this, () => this.fetch({ ...options, asking: undefined }))
    const attempt = this.attempt(options)
    return holdTo(timeoutMs, attempt.outcome, { subject: 'Its loader', giveUp: () => this.forget(attempt) })
  }

  /** Returns the current attempt, or starts one. A caller that stops waiting must call `forget`. */
  attempt(options: LoadOptions): Attempt<Loaded> {
    if (this.#attempt !== undefined) return this.#attempt
    if (this.#loaded !== undefined) return { outcome: Promise.resolve(this.#loaded) }
    const attempt = {} as { outcome: Promise<Loaded> }
    // Stored before the loader runs, so that `forget` works even if the loader throws synchronously.
    this.#attempt = attempt
    attempt.outcome = this.#run(options, attempt)
    return attempt
  }

  /** Lets the next call start a new attempt. */
  forget(attempt: Attempt<Loaded>): void {
    if (this.#attempt === attempt) this.#attempt = undefined
  }

  async #run({ resolve = findNothing, onLoaded }: LoadOptions, attempt: Attempt<Loaded>): Promise<Loaded> {
    const began = onLoaded && performance.now()
    try {
      const given = await this.#load({ resolve: (...patterns) => resolve(patterns, this) })
      const loaded = this.#take(this.name, given)
      this.#loaded ??= loaded instanceof Promise ? await loaded : loaded
    } catch (error) {
      this.forget(attempt)
      if (this.#loaded === undefined) throw error
    }
    if (began !== undefined) onLoaded?.(performance.now() - began, this.name)
    return this.#loaded
  }
}

async function findNothing(patterns: readonly string[]): Promise<never> {
  throw new LoadError('load_failed', `${patterns.join(', ')} cannot be resolved: the loader was not run by a registry.`)
}
