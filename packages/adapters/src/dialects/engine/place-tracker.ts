/** Tracks whether the current position is in a code fence or a quotation. */
import { FenceTracker } from './fence-tracker.ts'
import { QuoteTracker } from './quote-tracker.ts'

/** Passes text to the two trackers only when one of them is needed. That is at a marker, which most prose doesn't contain. */
export class PlaceTracker {
  readonly #fence = new FenceTracker()
  readonly #quotes = new QuoteTracker()
  /** Text that the trackers haven't read yet. */
  #unread = ''

  push(text: string): void {
    this.#unread += text
  }

  get fence(): FenceTracker {
    this.#read()
    return this.#fence
  }

  get quotes(): QuoteTracker {
    this.#read()
    return this.#quotes
  }

  get isQuoted(): boolean {
    return this.quotes.isOpen(this.#fence.isOpen)
  }

  #read(): void {
    const text = this.#unread
    if (text === '') return
    this.#unread = ''
    this.#quotes.push(text)
    this.#fence.push(text)
  }
}
