/** Appends lines to a file, those that come at about the same time together, and says when they are on the disk. */
import type { FileHandle } from 'node:fs/promises'
import { DurableError } from '../errors.ts'

interface Waiting {
  readonly text: string
  resolve(): void
  reject(error: unknown): void
}

/** While some lines are being written, those that come are collected and written next, with one sync for all. */
export class AppendQueue {
  readonly #file: FileHandle
  readonly #sync: boolean
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  #failure: DurableError | undefined

  constructor(file: FileHandle, sync: boolean) {
    this.#file = file
    this.#sync = sync
  }

  /** Why nothing can be appended any more: behind a line that may be torn, another would be lost. */
  get failure(): DurableError | undefined {
    return this.#failure
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
      const group = this.#waiting.splice(0)
      try {
        if (this.#failure !== undefined) throw this.#failure
        await this.#file.appendFile(group.map(({ text }) => text).join(''))
        if (this.#sync) await this.#file.datasync()
        for (const { resolve } of group) resolve()
      } catch (cause) {
        this.#failure ??= toFailure(cause)
        for (const { reject } of group) reject(this.#failure)
      }
    }
    this.#writing = undefined
  }
}

function toFailure(cause: unknown): DurableError {
  const words = cause instanceof Error ? cause.message : String(cause)
  return new DurableError('write_failed', `The journal could not be written: ${words}. Open it again to go on.`, { cause })
}
