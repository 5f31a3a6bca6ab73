/** The journals in a folder. Operations on the same run never overlap. */
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOwned } from '@x/file-owner'
import type { Report } from '../engine/options.ts'
import { engineClosed } from '../engine/run-errors.ts'
import { DurableError } from '../errors.ts'
import { openOwned } from './journal/file-journal.ts'
import { own } from './journal/owner.ts'
import type { LiveRun } from './live-run.ts'
import { Mailbox } from './mailbox.ts'
import { OwnedRun } from './owned-run.ts'
import type { RunFolder } from './run-folder.ts'
import { assertRunRecords } from './run-records.ts'

/**
 * Maximum number of tries while another process has a journal, and the pause between them in milliseconds: 10 s on an idle machine. Counts
 * tries, because they take longer in an overloaded process.
 */
export const TRIES = 200
export const TRY_EVERY_MS = 50
/** Delay before removing a lock is retried, in milliseconds. */
const LATE_MS = 200

export class RunStore {
  readonly folder: RunFolder
  readonly mailbox: Mailbox
  /** Runs that this process is executing. */
  readonly live = new Map<string, LiveRun>()
  readonly report: Report
  isClosed = false
  readonly #fsync: boolean
  /** Locks that couldn't be removed yet, with the functions that remove them. */
  readonly #late = new Map<string, () => void>()
  #timer: NodeJS.Timeout | undefined
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(folder: RunFolder, fsync: boolean, report: Report) {
    this.folder = folder
    this.mailbox = new Mailbox(folder.orders, report)
    this.report = report
    this.#fsync = fsync
  }

  /** Executes `work` after all earlier operations on the same run. */
  alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id) ?? Promise.resolve()
    const done = before.then<T>(work)
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

  /** Returns true if any process, including this one, owns the run. */
  isOwned(id: string): boolean {
    if (this.live.has(id)) return true
    this.#releaseLate()
    return !this.#late.has(id) && isOwned(this.folder.lockOf(id))
  }

  /** Removes the locks of dead processes that have no journal next to them. */
  async removeDead(): Promise<void> {
    for (const file of await this.folder.locksAlone()) {
      if (isOwned(file)) continue
      try {
        own(file).release()
      } catch (cause) {
        // If the lock is in use, another process has taken it first.
        if (!isInUse(cause)) this.report(cause)
      }
    }
  }

  /** Locks and opens the journal of a run. Resolves to undefined if the run doesn't exist or has ended. Rejects with `in_use`. */
  own(id: string): Promise<OwnedRun | undefined> {
    return this.#own(id, 'active')
  }

  /** Repeats `work` while another process has the run. Rejects with `in_use` after `TRIES`, and with `closed`. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++, await sleep(TRY_EVERY_MS)) {
      try {
        return await work()
      } catch (cause) {
        if (!isInUse(cause) || tries >= TRIES) throw cause
      }
      if (this.isClosed) throw engineClosed()
    }
  }

  /** Like `own`, but creates a missing journal, and waits for another process to release it. */
  ownNew(id: string): Promise<OwnedRun | undefined> {
    return this.patiently(() => this.#own(id, 'new'))
  }

  /** Like `own`, but also opens the journal of a run that has ended. */
  ownEnded(id: string): Promise<OwnedRun | undefined> {
    return this.#own(id, 'ended')
  }

  /** Executes `work` while this process owns the run. Rejects with `in_use`. */
  async whileOwned(id: string, work: () => Promise<void>): Promise<void> {
    const lock = own(this.folder.lockOf(id))
    try {
      await work()
    } finally {
      this.#release(id, lock.release)
    }
  }

  async #own(id: string, kind: 'new' | 'active' | 'ended'): Promise<OwnedRun | undefined> {
    const { folder } = this
    this.#releaseLate()
    let isCrashed = false
    const lock = own(folder.lockOf(id), (wasBusy) => {
      isCrashed = wasBusy
    })
    const release = () => this.#release(id, lock.release)
    try {
      const found = folder.find(id)
      if (found === undefined ? kind !== 'new' : found.place === 'ended' && kind !== 'ended') {
        release()
        return undefined
      }
      if (found !== undefined && found.place !== 'open') {
        await folder.move(id, found.place, 'open')
        // Otherwise, a crash of the machine could leave new records where no worker looks.
        if (this.#fsync) await folder.sync()
      }
      const createdAt = found === undefined ? folder.create(id) : undefined
      const journal = await openOwned(folder.lockOf(id), { fsync: this.#fsync, isThere: true })
      try {
        assertRunRecords((key) => journal.noted(key), journal.isEmpty, basename(folder.lockOf(id)))
        const owned = new OwnedRun({ id, createdAt, journal, folder, release, markBusy: lock.markBusy })
        if (isCrashed) await owned.noteCrash()
        return owned
      } catch (cause) {
        await journal.close()
        throw cause
      }
    } catch (cause) {
      release()
      throw cause
    }
  }

  /** Removes a lock. A failure is only reported and retried later, because the operation itself has succeeded. */
  #release(id: string, release: () => void): void {
    try {
      release()
      this.#late.delete(id)
    } catch (cause) {
      if (!this.#late.has(id)) this.report(cause)
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
