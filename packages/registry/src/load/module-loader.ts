/** Runs a loader once for all who wait for it, until it fails. */

import { LoadError } from '../errors.ts'
import { holdTo } from './deadline.ts'
import type { LoaderContext, LoadOptions } from './load-options.ts'
import { waitFor } from './waits.ts'

/** One run of a loader, for all who wait for it. */
export interface Attempt<Loaded> {
  readonly outcome: Promise<Loaded>
}

/**
 * - A failure is not remembered: the next call runs the loader again.
 * - Everybody waits by a deadline of their own. When one passes, the attempt goes on for those who still wait, and the next who
 *   comes begins another.
 * - The first that comes of any attempt is what everybody is given from then on.
 */
export class ModuleLoader<Given, Loaded extends object> {
  readonly name: string
  readonly #load: (context: LoaderContext) => Promise<Given>
  readonly #take: (name: string, given: Given) => Loaded | Promise<Loaded>
  #attempt: Attempt<Loaded> | undefined
  #loaded: Loaded | undefined

  /** `take` takes out of a module what is wanted. */
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
    return holdTo(timeoutMs, attempt.outcome, 'Its loader', () => this.forget(attempt))
  }

  /** The attempt that runs, or a new one. Whoever waits no more for it must say so by `forget`. */
  attempt(options: LoadOptions): Attempt<Loaded> {
    if (this.#attempt !== undefined) return this.#attempt
    if (this.#loaded !== undefined) return { outcome: Promise.resolve(this.#loaded) }
    const attempt = {} as { outcome: Promise<Loaded> }
    // Before it runs: a loader that throws at once is forgotten at once.
    this.#attempt = attempt
    attempt.outcome = this.#run(options, attempt)
    return attempt
  }

  /** The next who comes begins another. */
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
  throw new LoadError('load_failed', `There is no registry to resolve ${patterns.join(', ')} from.`)
}
