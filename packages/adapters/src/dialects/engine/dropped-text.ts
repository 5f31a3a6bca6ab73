/** Text after calls that a dialect drops. If the text contains part of the dialect's grammar, it was meant as a call. */
import type { MarkerSet } from './marker.ts'
import { hasWords } from './text-input.ts'

export class DroppedText {
  #pieces: string[] = []

  push(text: string): void {
    this.#pieces.push(text)
  }

  /** Returns the text dropped since the last call to this method, if it was meant as a call. */
  take(grammar: MarkerSet): string | undefined {
    if (this.#pieces.length === 0) return undefined
    const text = this.#pieces.join('').trim()
    this.#pieces = []
    let others = ''
    let at = 0
    for (let found = grammar.find(text, 0, true); found !== undefined; found = grammar.find(text, at, true)) {
      others += text.slice(at, found.start)
      at = found.end
    }
    return at > 0 && hasWords(others + text.slice(at)) ? text : undefined
  }
}
