/** An in-memory engine for tests. */
import { NotDecided, type Steps } from '../src/steps/steps.ts'

/** Records steps like an engine. Tests may delete records. */
export class MemorySteps implements Steps {
  readonly records = new Map<string, string>()
  /** The results of `wait`, by key. */
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
