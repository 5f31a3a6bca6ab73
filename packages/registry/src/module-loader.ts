/** Runs a loader once for all who wait for it, until it fails. */
import { LoadError } from './errors.ts'
import type { LoaderContext, LoadOptions } from './load-options.ts'
import { waitFor } from './waits.ts'
import { withTimeout } from './with-timeout.ts'

export abstract class ModuleLoader<Loaded> {
  readonly name: string
  #pending: Promise<Loaded> | undefined

  constructor(name: string) {
    this.name = name
  }

  /** Imports, and takes out what is wanted. */
  protected abstract run(context: LoaderContext): Promise<Loaded>

  /** A failure is not remembered, nor an attempt that took longer than it may. */
  fetch(options: LoadOptions = {}): Promise<Loaded> {
    const { asking } = options
    return asking === undefined ? this.#fetch(options) : waitFor(asking, this, () => this.#fetch(options))
  }

  #fetch(options: LoadOptions): Promise<Loaded> {
    const attempt = this.#pending ?? this.#begin(options)
    return withTimeout(attempt, options.timeoutMs ?? Infinity, 'Its loader', () => this.#forget(attempt))
  }

  #begin({ resolve = findNothing, onLoaded }: LoadOptions): Promise<Loaded> {
    const context: LoaderContext = { resolve: (...patterns) => resolve(patterns, this) }
    const attempt = onLoaded === undefined ? this.run(context) : this.#timed(context, onLoaded)
    this.#pending = attempt
    attempt.catch(() => this.#forget(attempt))
    return attempt
  }

  async #timed(context: LoaderContext, onLoaded: (loadMs: number) => void): Promise<Loaded> {
    const began = performance.now()
    const loaded = await this.run(context)
    onLoaded(performance.now() - began)
    return loaded
  }

  #forget(attempt: Promise<Loaded>): void {
    if (this.#pending === attempt) this.#pending = undefined
  }
}

async function findNothing(patterns: readonly string[]): Promise<never> {
  throw new LoadError('load_failed', `There is no registry to resolve ${patterns.join(', ')} from.`)
}
