/** A journal in a file: what the steps of one run gave, each on the disk before the run goes on. */
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Steps } from '@x/react-agent'
import { DurableError } from '../errors.ts'
import { NotDecided } from '../not-decided.ts'
import { AppendQueue } from './append-queue.ts'
import { cannotOpen, own } from './owner.ts'
import { readJournal } from './read-journal.ts'
import { FIRST_LINE, FIRST_SUM, type RecordKind, recordedValue, toLine, toRecord } from './record.ts'

export interface FileJournalOptions {
  /**
   * Bring every record to the disk before the step resolves; true unless told. False keeps what was recorded through the end of the
   * process, not through that of the machine.
   */
  readonly fsync?: boolean | undefined
}

export interface FileJournal extends Steps, AsyncDisposable {
  /**
   * Records what `wait(key)` gives, now or in a later process. Rejects with `DurableError`: `already_decided`, `invalid_value`,
   * `write_failed` or `closed`.
   */
  decide(key: string, value: unknown): Promise<void>
  /** Lets others have the file, once what is being written is written. A second call does nothing. */
  close(): Promise<void>
}

/**
 * Opens the journal of one run, and makes its file when there is none; the folder must be there. What a step gave is found again
 * by every later process that opens it. A last line that a crash tore is cut off: nobody was given it.
 *
 * A step that rejects is not recorded. Values are plain data: a step that gives anything else rejects with `invalid_value`. One
 * process has the file at a time, by an owner file beside it, `PATH.owner`. The file holds what model and tools said: only its
 * owner may read it.
 *
 * Rejects with `DurableError`: `in_use`, `cannot_open`, `not_a_journal`, `unsupported_version` or `broken`.
 */
export async function fileJournal(path: string, { fsync = true }: FileJournalOptions = {}): Promise<FileJournal> {
  const file = await toRealPath(path)
  const owner = own(file)
  let handle: FileHandle | undefined
  try {
    handle = await open(file, 'a+', 0o600).catch((cause) => {
      throw cannotOpen(cause)
    })
    const bytes = await handle.readFile()
    const { lines, length } = readJournal(bytes, basename(file))
    const queue = new AppendQueue(handle, fsync)
    if (length < bytes.length) await handle.truncate(length)
    if (length === 0) await queue.append(FIRST_LINE)
    if (length === 0 && fsync) await syncFolder(dirname(file))
    const records: Records = { step: new Map(), decision: new Map() }
    for (const { kind, key, text } of lines) records[kind].set(key, text)
    return new OpenJournal({ handle, queue, records, sum: lines.at(-1)?.sum ?? FIRST_SUM, release: owner.release })
  } catch (error) {
    await handle?.close()
    owner.release()
    throw error
  }
}

/** The lines of what was recorded, by key. */
type Records = { readonly [Kind in RecordKind]: Map<string, string> }

interface JournalParts {
  readonly handle: FileHandle
  readonly queue: AppendQueue
  readonly records: Records
  /** Of the last line. */
  readonly sum: number
  release(): void
}

class OpenJournal implements FileJournal {
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
    this.#assertOpen()
    const recorded = this.#records.step.get(key)
    if (recorded !== undefined) return recordedValue(recorded) as T
    return this.#alone('step', key, async () => {
      const value = await execute()
      await this.#record('step', key, value)
      return value
    })
  }

  async wait(key: string): Promise<unknown> {
    this.#assertOpen()
    const recorded = this.#records.decision.get(key)
    if (recorded === undefined) throw new NotDecided(key)
    return recordedValue(recorded)
  }

  async decide(key: string, value: unknown): Promise<void> {
    this.#assertOpen()
    if (this.#records.decision.has(key))
      throw new DurableError('already_decided', `It was decided about ${JSON.stringify(key)} before; a decision stays.`)
    await this.#alone('decision', key, () => this.#record('decision', key, value))
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
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

  async #record(kind: RecordKind, key: string, value: unknown): Promise<void> {
    this.#assertOpen()
    const line = toLine(kind, key, toRecord(kind, key, value), this.#sum)
    this.#sum = line.sum
    await this.#queue.append(line.text)
    this.#records[kind].set(key, line.text)
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

/** The same file under every name, so that it has one owner. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    // Not there yet.
    const folder = await realpath(dirname(path)).catch((cause) => {
      throw cannotOpen(cause)
    })
    return join(folder, basename(path))
  }
}

/** So that a new file is found after the machine has stopped; where folders cannot be opened, as on Windows, they need not be. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  try {
    await handle?.sync()
  } finally {
    await handle?.close()
  }
}
