/** The journals of a folder, one piece of work at a time for each run. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DurableError } from '../errors.ts'
import { openJournal } from '../journal/file-journal.ts'
import type { OpenJournal } from '../journal/open-journal.ts'
import type { LiveRun } from './live-run.ts'
import type { RunFolder } from './run-folder.ts'

/** How long a run that another process is executing is waited for, and how often it is tried. */
const PATIENCE_MS = 5000
const TRY_EVERY_MS = 50

export class RunStore {
  readonly folder: RunFolder
  /** What this process executes. */
  readonly live = new Map<string, LiveRun>()
  readonly #fsync: boolean
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(folder: RunFolder, fsync: boolean) {
    this.folder = folder
    this.#fsync = fsync
  }

  /** After what was begun before with this run. */
  alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id) ?? Promise.resolve()
    const done = before.then(work)
    const settled = done.then(
      () => {},
      () => {},
    )
    this.#last.set(id, settled)
    void settled.then(() => {
      if (this.#last.get(id) === settled) this.#last.delete(id)
    })
    return done
  }

  /** Of a run that goes on; rejects with `cannot_open` when it was put away. */
  open(id: string): Promise<OpenJournal> {
    return this.#open(id, true)
  }

  /** Waits for another process to have done with it. Rejects with `in_use` when that takes long. */
  async openPatiently(id: string, isThere: boolean): Promise<OpenJournal> {
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(TRY_EVERY_MS)) {
      try {
        return await this.#open(id, isThere)
      } catch (cause) {
        if (!(cause instanceof DurableError) || cause.code !== 'in_use' || Date.now() >= end) throw cause
      }
    }
  }

  #open(id: string, isThere: boolean): Promise<OpenJournal> {
    return openJournal(this.folder.pathOf(id), { fsync: this.#fsync, isThere })
  }
}
