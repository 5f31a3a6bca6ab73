/** A run with a journal that this process owns. No other process writes to the journal or moves it. */
import type { OpenJournal } from './journal/open-journal.ts'
import type { Place, RunFolder } from './run-folder.ts'
import { END, type RunStart, START, stillWaitsFor, WAITS } from './run-records.ts'

export interface HeldParts {
  readonly id: string
  readonly journal: OpenJournal
  readonly folder: RunFolder
  release(): void
}

export class HeldRun implements AsyncDisposable {
  readonly id: string
  readonly journal: OpenJournal
  readonly #folder: RunFolder
  readonly #release: () => void
  #closing: Promise<Place> | undefined

  constructor({ id, journal, folder, release }: HeldParts) {
    this.id = id
    this.journal = journal
    this.#folder = folder
    this.#release = release
  }

  /** Undefined if the process that created the journal was killed before it recorded the start. */
  get start(): RunStart | undefined {
    return this.journal.noted(START) as RunStart | undefined
  }

  get isOver(): boolean {
    return this.journal.noted(END) !== undefined
  }

  /** Where the journal belongs, according to its content. */
  get place(): Place {
    if (this.isOver) return 'ended'
    return stillWaitsFor(this.journal.noted(WAITS), (name) => this.journal.hasDecision(name)).length > 0 ? 'waiting' : 'open'
  }

  /** Moves the journal to its place and releases it. */
  close(): Promise<Place> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #close(): Promise<Place> {
    const { id, place, start } = this
    try {
      await this.journal.close()
      if (start === undefined) await this.#folder.forget(id)
      else if (place !== 'open') await this.#folder.move(id, 'open', place)
      return place
    } finally {
      this.#release()
    }
  }
}
