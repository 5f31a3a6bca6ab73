/** Appends lines to a file, those that come at about the same time together, and says when they are on the disk. */
import type { FileHandle } from 'node:fs/promises'
import type { Tell } from '../../engine/options.ts'
import { DurableError } from '../../errors.ts'

interface Waiting {
  readonly text: string
  resolve(): void
  reject(error: unknown): void
}

/** What could not be written is tried again so late, each time twice as late as before. */
const AGAIN_MS = 1000
const LATEST_MS = 60_000
/** Characters that are written together, but for a line that is longer alone. */
const MAX_GROUP_LENGTH = 64 * 1024 * 1024

/** While some lines are being written, those that come are collected and written next, with one sync for all. */
export class AppendQueue {
  readonly #file: FileHandle
  readonly #sync: boolean
  /** Bytes of the file that are certain. */
  #length: number
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  #failure: DurableError | undefined
  #problem: DurableError | undefined
  #tell: Tell | undefined
  /** Ends the time until the next try. */
  #wake: () => void = () => {}

  /** `length`: of the file as it is. */
  constructor(file: FileHandle, sync: boolean, length = 0) {
    this.#file = file
    this.#sync = sync
    this.#length = length
  }

  /** Why nothing can be appended any more: behind a line that may be torn, another would be lost. */
  get failure(): DurableError | undefined {
    return this.#failure
  }

  /** Why the lines that wait cannot be written for now. */
  get problem(): DurableError | undefined {
    return this.#problem
  }

  /** From now on what the file system refuses is written again until it takes it: what it is the record of is done only once. */
  keepTrying(tell: Tell): void {
    this.#tell = tell
  }

  /** What cannot be written now, or later, rejects. */
  giveUp(): void {
    this.#tell = undefined
    this.#wake()
  }

  /** Keeps the order of the calls. Rejects with `write_failed`. */
  append(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject })
      this.#writing ??= this.#writeAll()
    })
  }

  /** Resolves when nothing waits. */
  async drained(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  async #writeAll(): Promise<void> {
    // The lines of the same tick go together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup()
      try {
        await this.#write(group.map(({ text }) => text).join(''))
        for (const { resolve } of group) resolve()
      } catch (cause) {
        this.#failure ??= toFailure(cause, 'Open it again to go on.')
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
        // Part of it may be there.
        if (tries > 0) await this.#file.truncate(this.#length)
        await this.#file.appendFile(text)
        if (this.#sync) await this.#file.datasync()
        this.#length += Buffer.byteLength(text)
        this.#problem = undefined
        return
      } catch (cause) {
        if (this.#tell === undefined || !isOfSystem(cause)) throw cause
        this.#problem = toFailure(cause, 'What it is to record is kept, and written as soon as that works.')
        this.#tell(this.#problem)
        await this.#pause(Math.min(AGAIN_MS * 2 ** tries, LATEST_MS))
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms)
      this.#wake = resolve
      // It may have been given up while it was told.
      if (this.#tell === undefined) resolve()
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
