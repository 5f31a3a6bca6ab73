/** A run whose journal this process owns. No other process writes to the journal or moves it. */
import type { WaitsFor } from '../engine/engine.ts'
import type { RunFailure } from '../errors.ts'
import type { OpenJournal } from './journal/open-journal.ts'
import type { Place, RunFolder } from './run-folder.ts'
import { CRASHES, END, MISFIT, type RunCrashes, type RunEnd, type RunStart, START, stillWaitsFor, WAITS } from './run-records.ts'

export interface OwnedParts {
  readonly id: string
  readonly createdAt?: string | undefined
  readonly journal: OpenJournal
  readonly folder: RunFolder
  release(): void
  /** Marks the run as executing, so that the death of this process counts as a crash of the run. */
  markBusy(): void
}

export class OwnedRun implements AsyncDisposable {
  readonly id: string
  /** Time at which this process created the journal, in ISO 8601. Undefined if the journal existed. */
  readonly createdAt: string | undefined
  readonly journal: OpenJournal
  readonly #folder: RunFolder
  readonly markBusy: () => void
  readonly #release: () => void
  #closing: Promise<Place> | undefined

  constructor({ id, createdAt, journal, folder, release, markBusy }: OwnedParts) {
    this.id = id
    this.createdAt = createdAt
    this.journal = journal
    this.markBusy = markBusy
    this.#folder = folder
    this.#release = release
  }

  get isClosed(): boolean {
    return this.#closing !== undefined
  }

  /** The start of the run. Undefined if the process that created the journal was killed before it recorded the start. */
  get start(): RunStart | undefined {
    return this.journal.noted(START) as RunStart | undefined
  }

  get isOver(): boolean {
    return this.journal.noted(END) !== undefined
  }

  /** True if the records don't fit the program of the worker that executed the run. */
  get isMisfit(): boolean {
    return this.journal.noted(MISFIT) !== undefined
  }

  /** How often the run's worker has died in a row without a new record since. Undefined if it hasn't. */
  get crashes(): RunCrashes | undefined {
    const crashes = this.journal.noted(CRASHES) as RunCrashes | undefined
    return crashes?.records === this.journal.size ? crashes : undefined
  }

  /** Records a crash, because the previous owner has died. A run that was waiting or had ended isn't affected. */
  async noteCrash(): Promise<void> {
    if (this.start === undefined || this.place !== 'open') return
    const count = (this.crashes?.count ?? 0) + 1
    await this.journal.note(CRASHES, { count, records: this.journal.size, at: new Date().toISOString() } satisfies RunCrashes)
  }

  /** Ends the run because it was given up. Its journal must be open for writing. */
  async giveUp(failure: RunFailure): Promise<void> {
    await this.journal.note(END, { state: 'failed', failure } satisfies RunEnd)
  }

  /** Reopens a run that has ended or doesn't fit the program, and resets its crashes. Has no effect on any other run. */
  async resume(): Promise<void> {
    if (!this.isOver && !this.isMisfit) return
    await this.journal.note(CRASHES, undefined)
    await this.journal.note(MISFIT, undefined)
    if (this.isOver) await this.journal.note(END, undefined)
  }

  /** The folder in which the journal belongs, according to its content. */
  get place(): Place {
    if (this.isOver) return 'ended'
    if (this.isMisfit) return 'waiting'
    return this.waitsFor.length > 0 ? 'waiting' : 'open'
  }

  /** Pending decisions. Empty once one of them has been made. */
  get waitsFor(): readonly WaitsFor[] {
    return stillWaitsFor(this.journal.noted(WAITS), (name) => this.journal.hasDecision(name))
  }

  /** Moves the journal to its folder and releases it. */
  close(): Promise<Place> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #close(): Promise<Place> {
    const { id } = this
    try {
      await this.journal.close()
      // The last records may have been written just now.
      const { place, start } = this
      if (start === undefined) await this.#folder.forget(id)
      else if (place !== 'open') await this.#folder.move(id, 'open', place)
      return place
    } finally {
      this.#release()
    }
  }
}
