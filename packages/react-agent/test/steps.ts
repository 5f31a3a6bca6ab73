/** An engine in memory, for tests. */
import { NotDecided, type Steps } from '../src/steps/steps.ts'

/** Records like an engine, until it is told to forget. */
export class MemorySteps implements Steps {
  readonly records = new Map<string, string>()
  /** What `wait` gives, by its key. */
  readonly decisions = new Map<string, unknown>()

  async run<T>(key: string, execute: () => Promise<T>): Promise<T> {
    const recorded = this.records.get(key)
    if (recorded !== undefined) return JSON.parse(recorded)
    const value = await execute()
    this.records.set(key, JSON.stringify(value))
    return value
  }
  async wait(key: string): Promise<unknown> {
    if (!this.decisions.has(key)) throw new NotDecided(key)
    return this.decisions.get(key)
  }
}
