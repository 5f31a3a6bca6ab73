/** Appends lines to a file and flushes them to disk. Lines that arrive together are written and flushed together. */
import type { FileHandle } from 'node:fs/promises'
import type { Report } from '../../engine/options.ts'
import { DurableError } from '../../errors.ts'

interface Waiting {
  readonly text: string
  resolve(): void
  reject(error: unknown): void
}

/** First delay before a failed write is retried, in milliseconds. Doubles with each attempt, up to `LATEST_MS`. */
const AGAIN_MS = 1000
const LATEST_MS = 60_000
/** Maximum number of characters per write. A single line may be longer. */
const MAX_GROUP_LENGTH = 64 * 1024 * 1024

/** A queue of lines for a file. Lines that arrive during a write are written next, with a single sync. */
export class AppendQueue {
  readonly #file: FileHandle
  readonly #sync: boolean
  /** Number of bytes in the file that are known to be written. */
  #length: number
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  #failure: DurableError | undefined
  #problem: DurableError | undefined
  #report: Report | undefined
  #stuck: AbortController | undefined
  /** Ends the delay before the next attempt. */
  #wake: () => void = () => {}

  /** `length` is the current length of the file. */
  constructor(file: FileHandle, sync: boolean, length = 0) {
    this.#file = file
    this.#sync = sync
    this.#length = length
  }

  /** The error that prevents further appending. Undefined while lines can be appended. A line after a torn line would be lost. */
  get failure(): DurableError | undefined {
    return this.#failure
  }

  /** The reason why waiting lines can't be written at the moment. They are retried. */
  get problem(): DurableError | undefined {
    return this.#problem
  }

  /** Retries failed writes from now on. Without retries, a step whose record can't be written would have to be executed again. */
  keepTrying(report: Report): void {
    this.#report = report
  }

  /** Stops retrying. From now on, failed writes reject. */
  giveUp(): void {
    this.#report = undefined
    this.#wake()
  }

  /** Appends lines, in the order of the calls. Resolves once they are written. Rejects with `write_failed`. */
  append(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject })
      this.#writing ??= this.#writeAll()
    })
  }

  /** Aborted with the error when a write fails and is retried. */
  get stuck(): AbortSignal {
    this.#stuck ??= new AbortController()
    return this.#stuck.signal
  }

  /** Resolves when all lines are written. */
  async drained(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  async #writeAll(): Promise<void> {
    // Waits for other lines that are appended in the same tick.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup()
      try {
        let lines = ''
        for (const { text } of group) lines += text
        await this.#write(lines)
        for (const { resolve } of group) resolve()
      } catch (cause) {
        this.#failure ??= toFailure(cause, 'Open it again to continue.')
        for (const { reject } of group) reject(this.#failure)
      }
    }
    this.#writing = undefined
  }

  #nextGroup(): readonly Waiting[] {
    let length = 0
    const end = this.#waiting.findIndex(({ text }, index) => {
      length += text.length
      return index > 0 && length > MAX_GROUP_LENGTH
    })
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
  }

  async #write(text: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    for (let tries = 0; ; tries++) {
      try {
        // The failed attempt may have written part of the text, so remove it.
        if (tries > 0) await this.#file.truncate(this.#length)
        await this.#file.appendFile(text)
        if (this.#sync) await this.#file.datasync()
        this.#length += Buffer.byteLength(text)
        this.#problem = undefined
        return
      } catch (cause) {
        if (this.#report === undefined || !isOfSystem(cause)) throw cause
        this.#problem = toFailure(cause, 'The record is kept and the write is retried.')
        this.#report(this.#problem)
        this.#stuck?.abort(this.#problem)
        this.#stuck = undefined
        await this.#pause(Math.min(AGAIN_MS * 2 ** tries, LATEST_MS))
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms)
      this.#wake = resolve
      // `giveUp` may have been called while the problem was being reported.
      if (this.#report === undefined) resolve()
    })
    clearTimeout(timer)
  }
}

function isOfSystem(cause: unknown): boolean {
  const { code, errno } = cause as { readonly code?: unknown; readonly errno?: unknown }
  return typeof errno === 'number' && code !== 'EBADF'
}

function toFailure(cause: unknown, what: string): DurableError {
  const words = cause instanceof Error ? cause.message : String(cause)
  return new DurableError('write_failed', `The journal could not be written: ${words}. ${what}`, { cause })
}
