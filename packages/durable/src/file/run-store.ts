/** The journals of a folder, one piece of work at a time for each run. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isOwned } from '@x/file-owner'
import type { Tell } from '../engine/options.ts'
import { DurableError } from '../errors.ts'
import { HeldRun } from './held-run.ts'
import { openOwned } from './journal/file-journal.ts'
import { own } from './journal/owner.ts'
import type { LiveRun } from './live-run.ts'
import { Mailbox } from './mailbox.ts'
import type { RunFolder } from './run-folder.ts'

/** How long another process that has a journal is waited for, and how often it is tried. */
export const PATIENCE_MS = 10_000
export const TRY_EVERY_MS = 50
/** When a lock that could not be removed is tried again. */
const LATE_MS = 200

export class RunStore {
  readonly folder: RunFolder
  readonly mailbox: Mailbox
  /** What this process executes. */
  readonly live = new Map<string, LiveRun>()
  readonly tell: Tell
  isClosed = false
  readonly #fsync: boolean
  /** Locks that could not be removed. */
  readonly #late = new Map<string, () => void>()
  #timer: NodeJS.Timeout | undefined
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(folder: RunFolder, fsync: boolean, tell: Tell) {
    this.folder = folder
    this.mailbox = new Mailbox(folder.orders, tell)
    this.tell = tell
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

  /** True when a process has it, be it this one. */
  isHeld(id: string): boolean {
    if (this.live.has(id)) return true
    this.#releaseLate()
    return !this.#late.has(id) && isOwned(this.folder.lockOf(id))
  }

  /** Removes locks that processes left behind which were killed before they had made a journal, or after they had put it away. */
  async removeDead(): Promise<void> {
    for (const file of await this.folder.locksAlone()) {
      if (isOwned(file)) continue
      try {
        own(file).release()
      } catch (cause) {
        // Another process was quicker.
        if (!isInUse(cause)) this.tell(cause)
      }
    }
  }

  /** Undefined when there is none that goes on. Rejects with `in_use`. */
  hold(id: string): Promise<HeldRun | undefined> {
    return this.#hold(id, false)
  }

  /** Makes its journal when there is none; undefined when it is over. Waits for others to have done with it. */
  async holdNew(id: string): Promise<HeldRun | undefined> {
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(TRY_EVERY_MS)) {
      try {
        return await this.#hold(id, true)
      } catch (cause) {
        if (!isInUse(cause) || Date.now() >= end) throw cause
      }
    }
  }

  async #hold(id: string, isNew: boolean): Promise<HeldRun | undefined> {
    const { folder } = this
    this.#releaseLate()
    const lock = own(folder.lockOf(id))
    const release = () => this.#release(id, lock.release)
    try {
      const found = folder.find(id)
      if (found?.place === 'ended' || (found === undefined && !isNew)) {
        release()
        return undefined
      }
      if (found?.place === 'waiting') {
        await folder.move(id, 'waiting', 'open')
        // Else what is recorded now could lie where no worker looks.
        if (this.#fsync) await folder.sync()
      }
      const journal = await openOwned(folder.lockOf(id), { fsync: this.#fsync, isThere: found !== undefined })
      return new HeldRun({ id, journal, folder, release })
    } catch (cause) {
      release()
      throw cause
    }
  }

  /** What was done with the journal counts, also when its lock cannot be removed: that is tried again. */
  #release(id: string, release: () => void): void {
    try {
      release()
      this.#late.delete(id)
    } catch (cause) {
      if (!this.#late.has(id)) this.tell(cause)
      this.#late.set(id, release)
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#releaseLate()
      }, LATE_MS).unref()
    }
  }

  #releaseLate(): void {
    for (const [id, release] of this.#late) this.#release(id, release)
  }
}

export function isInUse(cause: unknown): boolean {
  return cause instanceof DurableError && cause.code === 'in_use'
}
