/** An open journal. Finds records by key and appends new ones. */
import type { FileHandle } from 'node:fs/promises'
import { NotDecided, type Steps } from '@x/react-agent/steps'
import { assertKey } from '../../engine/closing-steps.ts'
import type { Report } from '../../engine/options.ts'
import { DurableError } from '../../errors.ts'
import type { AppendQueue } from './append-queue.ts'
import { type RecordKind, recordedValue, toLine, toRecord } from './record.ts'

/** Record lines by kind and key. */
export type Records = { readonly [Kind in RecordKind]: Map<string, string> }

export interface JournalParts {
  readonly handle: FileHandle
  readonly queue: AppendQueue
  readonly records: Records
  /** Checksum of the last line, which the next line includes. */
  readonly sum: number
  release(): void
}

export class OpenJournal implements Steps, AsyncDisposable {
  readonly #handle: FileHandle
  readonly #queue: AppendQueue
  readonly #records: Records
  readonly #release: () => void
  readonly #running = new Set<string>()
  #sum: number
  #closing: Promise<void> | undefined

  constructor({ handle, queue, records, sum, release }: JournalParts) {
    this.#handle = handle
    this.#queue = queue
    this.#records = records
    this.#sum = sum
    this.#release = release
  }

  async run<T>(key: string, execute: () => Promise<T>): Promise<T> {
    assertKey(key)
    this.#assertOpen()
    const recorded = this.#records.step.get(key)
    if (recorded !== undefined) return recordedValue(recorded) as T
    return this.#alone('step', key, async () => {
      // Parses the recorded result instead of returning the original, so that it equals the result on replay. For example, JSON
      // drops undefined properties.
      return recordedValue(await this.#record('step', key, await execute())) as T
    })
  }

  async wait(key: string): Promise<unknown> {
    assertKey(key)
    this.#assertOpen()
    const recorded = this.#records.decision.get(key)
    if (recorded === undefined) throw new NotDecided(key)
    return recordedValue(recorded)
  }

  async decide(key: string, value: unknown): Promise<void> {
    assertKey(key)
    this.#assertOpen()
    if (this.#records.decision.has(key))
      throw new DurableError('already_decided', `${JSON.stringify(key)} already has a decision. Decisions are final.`)
    await this.#alone('decision', key, () => this.#record('decision', key, value))
  }

  /** Number of recorded steps and decisions. */
  get size(): number {
    return this.#records.step.size + this.#records.decision.size
  }

  /** True if there are no records at all, not even about the run itself. */
  get isEmpty(): boolean {
    return this.size === 0 && this.#records.run.size === 0
  }

  hasStep(key: string): boolean {
    return this.#records.step.has(key)
  }

  hasDecision(key: string): boolean {
    return this.#records.decision.has(key)
  }

  /** Records a fact about the run itself. For each key, the last value counts. */
  async note(key: string, value: unknown): Promise<void> {
    await this.#alone('run', key, () => this.#record('run', key, value))
  }

  /** Returns the last value that `note` recorded for a key, or undefined. */
  noted(key: string): unknown {
    const recorded = this.#records.run.get(key)
    return recorded === undefined ? undefined : recordedValue(recorded)
  }

  /** The error that prevents further recording. Undefined while records can be added. */
  get failure(): DurableError | undefined {
    return this.#queue.failure
  }

  /** The reason why records can't be written at the moment. */
  get problem(): DurableError | undefined {
    return this.#queue.problem
  }

  /** Aborted when a write fails and is retried. */
  get stuck(): AbortSignal {
    return this.#queue.stuck
  }

  /**
   * Retries failed writes until `giveUp` or `close` is called. Without retries, a step whose record can't be written would have
   * to be executed again.
   */
  keepTrying(report: Report): void {
    this.#queue.keepTrying(report)
  }

  giveUp(): void {
    this.#queue.giveUp()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    this.#queue.giveUp()
    await this.#queue.drained()
    try {
      await this.#handle.close()
    } finally {
      this.#release()
    }
  }

  /** Calls `work`. Rejects instead if a record with this key is already being made. */
  async #alone<T>(kind: RecordKind, key: string, work: () => Promise<T>): Promise<T> {
    const name = `${kind} ${key}`
    if (this.#running.has(name)) throw keyInUse(kind, key)
    this.#running.add(name)
    try {
      return await work()
    } finally {
      this.#running.delete(name)
    }
  }

  /** Returns the recorded line. */
  async #record(kind: RecordKind, key: string, value: unknown): Promise<string> {
    this.#assertOpen()
    const line = toLine(kind, key, toRecord(kind, key, value), this.#sum)
    this.#sum = line.sum
    await this.#queue.append(line.text)
    this.#records[kind].set(key, line.text)
    return line.text
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new DurableError('closed', 'The journal is closed. Open it again to continue.')
    if (this.#queue.failure !== undefined) throw this.#queue.failure
  }
}

function keyInUse(kind: RecordKind, key: string): DurableError {
  const name = JSON.stringify(key)
  return new DurableError(
    'key_in_use',
    `The ${kind} ${name} is already being recorded. A journal belongs to one run: use a separate file for each run.`,
  )
}
