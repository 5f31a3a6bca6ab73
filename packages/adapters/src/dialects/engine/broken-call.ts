/** Detects text outside blocks that was meant as a call. The open marker of such a call is broken, so no block started. */
import { hasWords } from './text-input.ts'

/** Returns true if the text contains the remains of a call that has lost all its markers. */
export type HasRemains = (text: string) => boolean

/**
 * Recognizes a broken call by its pieces, i.e. markers that occur only in calls and don't start a block. Prose may mention a piece, so a
 * piece counts only in a position that it has in a call, e.g. before `{`.
 */
export class BrokenCall {
  #texts: string[] = []
  readonly #pieces = new Set<number>()
  /** True while only white space follows the last piece. */
  #isBehindPiece = false
  #isCall = false
  /** True while only white space follows a reported block. A following piece belongs to that block. */
  #isBehindBlock = false
  #isRest = false
  readonly #hasRemains: HasRemains | undefined

  constructor(hasRemains?: HasRemains) {
    this.#hasRemains = hasRemains
  }

  /** Records that a block was reported as malformed. */
  passMalformed(): void {
    this.#isBehindBlock = true
  }

  push(text: string): void {
    this.#texts.push(text)
    if (this.#isBehindBlock && text.trim() !== '') this.#isBehindBlock = false
    if (!this.#isBehindPiece) return
    const next = /[^\s>]/.exec(text)?.[0]
    if (next === undefined) return
    this.#isBehindPiece = false
    this.#isCall ||= next === '{'
  }

  /** Records a piece. `text` is the piece, or an empty string if the piece is removed from the text. */
  pushPiece(text: string): void {
    this.#isRest ||= this.#isBehindBlock
    this.#isCall ||= this.#isBehindPiece || this.#endsCall()
    this.#pieces.add(this.#texts.length)
    this.#texts.push(text)
    this.#isBehindPiece = true
  }

  /**
   * Returns the text since the last call of this method if it was meant as a call. Pieces without any words don't count, because they are
   * the rest of another call.
   */
  take(): string | undefined {
    const texts = this.#texts
    const isPieces = this.#isCall && hasWords(texts.filter((_, index) => !this.#pieces.has(index)).join(''))
    const isCall = !this.#isRest && (isPieces || (texts.length > 0 && this.#hasRemains?.(texts.join('')) === true))
    if (texts.length > 0) this.#texts = []
    this.#pieces.clear()
    this.#isBehindPiece = this.#isCall = this.#isBehindBlock = this.#isRest = false
    return isCall ? texts.join('').trim() : undefined
  }

  /** Returns true if the text so far ends like the content of a call. */
  #endsCall(): boolean {
    const texts = this.#texts
    let at = texts.length - 1
    while (at >= 0 && texts[at]?.trim() === '') at--
    let end = texts[at]?.trimEnd() ?? ''
    const pattern = END_OF_CALL[end.slice(-1)]
    if (pattern === undefined) return false
    while (at > 0 && end.length < LONGEST_END) end = texts[--at] + end
    return pattern.test(end.slice(-LONGEST_END))
  }
}

const LONGEST_END = 300
/** Patterns for the end of JSON, of a Python call and of an element, by the last character. */
const END_OF_CALL: Readonly<Record<string, RegExp>> = {
  '}': /\}$/,
  ']': /\]$/,
  '`': /\}\s*```$/,
  ')': /\w\([^()]*\)$/,
  '>': /<\/[^\s<>]+>$/,
}
