/**
 * Collects text that a dialect drops after a call. If it contains a call marker and words, it was probably meant as another call.
 */
import type { MarkerSet } from './marker.ts'
import { hasWords } from './text-input.ts'

const END_OF_JSON = /\}\s*(?:```\s*)?$/
/** Number of pieces in which to look for the end of JSON, which a fence may follow. */
const MOST_PIECES = 8

export class DroppedText {
  #pieces: string[] = []

  push(text: string): void {
    this.#pieces.push(text)
  }

  /** Adds a marker that was removed from the text. It counts only directly after JSON, where it ends a call. */
  pushIgnored(marker: string): void {
    if (END_OF_JSON.test(this.#pieces.slice(-MOST_PIECES).join(''))) this.#pieces.push(marker)
  }

  /**
   * Returns the text that was dropped since the last call of this method, if it was probably meant as a call. Otherwise returns
   * undefined.
   */
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
