/** An open journal: what was recorded, by key, and how more is appended. */
import type { FileHandle } from 'node:fs/promises'
import { NotDecided, type Steps } from '@x/react-agent/steps'
import { assertKey } from '../../engine/closing-steps.ts'
import type { Tell } from '../../engine/options.ts'
import { DurableError } from '../../errors.ts'
import type { AppendQueue } from './append-queue.ts'
import { type RecordKind, recordedValue, toLine, toRecord } from './record.ts'

/** The lines of what was recorded, by key. */
export type Records = { readonly [Kind in RecordKind]: Map<string, string> }

export interface JournalParts {
  readonly handle: FileHandle
  readonly queue: AppendQueue
  readonly records: Records
  /** Of the last line. */
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
      // What is given is what is given again: JSON leaves out properties without a value, for one.
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
      throw new DurableError('already_decided', `It was decided about ${JSON.stringify(key)} before; a decision stays.`)
    await this.#alone('decision', key, () => this.#record('decision', key, value))
  }

  hasDecision(key: string): boolean {
    return this.#records.decision.has(key)
  }

  /** What an engine says of the run itself. Of a key that was noted before, the last value counts. */
  async note(key: string, value: unknown): Promise<void> {
    await this.#alone('run', key, () => this.#record('run', key, value))
  }

  /** Undefined when there is none. */
  noted(key: string): unknown {
    const recorded = this.#records.run.get(key)
    return recorded === undefined ? undefined : recordedValue(recorded)
  }

  /** Why nothing can be recorded any more. */
  get failure(): DurableError | undefined {
    return this.#queue.failure
  }

  /** Why what is to be recorded cannot be written for now. */
  get problem(): DurableError | undefined {
    return this.#queue.problem
  }

  /** From now on what cannot be written is kept and written later, so that no step is executed again for it. Until `giveUp` or `close`. */
  keepTrying(tell: Tell): void {
    this.#queue.keepTrying(tell)
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

  /** Of two that would record the same key, the second fails before it does anything. */
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

  /** Gives the line. */
  async #record(kind: RecordKind, key: string, value: unknown): Promise<string> {
    this.#assertOpen()
    const line = toLine(kind, key, toRecord(kind, key, value), this.#sum)
    this.#sum = line.sum
    await this.#queue.append(line.text)
    this.#records[kind].set(key, line.text)
    return line.text
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new DurableError('closed', 'The journal was closed. Open it again to go on.')
    if (this.#queue.failure !== undefined) throw this.#queue.failure
  }
}

function keyInUse(kind: RecordKind, key: string): DurableError {
  const name = JSON.stringify(key)
  return new DurableError(
    'key_in_use',
    `The ${kind} ${name} is being recorded already. A journal is that of one run: give each run a file of its own.`,
  )
}
