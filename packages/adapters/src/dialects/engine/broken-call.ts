/** Detects text outside blocks that was meant as a call. The open marker of such a call is broken, so no block started. */
import { hasWords } from './text-input.ts'

/**
 * Returns true if the text contains the remains of a call that has lost all its markers.
 * @param isBesideCall True if a call precedes or follows the text.
 */
export type HasRemains = (text: string, isBesideCall: boolean) => boolean

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
  /** True if an end tag follows the rest of another tag, which is enough if another call is next to the text. */
  #hasTags = false
  /** True while only white space follows a reported block. A following piece belongs to that block. */
  #isBehindBlock = false
  #isRest = false
  readonly #hasRemains: HasRemains | undefined
  /** The text that `take` took last, if it is a call given that a call follows it. */
  #passed: readonly string[] = []

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
    this.#isCall ||= this.#isBehindPiece || this.#endsLike(END_OF_CALL)
    this.#hasTags ||= text.startsWith('</') && this.#endsLike(END_OF_TAG)
    this.#pieces.add(this.#texts.length)
    this.#texts.push(text)
    this.#isBehindPiece = true
  }

  /**
   * Returns the text since the last call of this method if it was meant as a call. Pieces without any words don't count, because they are
   * the rest of another call.
   * @param isBehindCall True if a call precedes the text.
   */
  take(isBehindCall: boolean): string | undefined {
    const texts = this.#texts
    const hasPieces = (this.#isCall || this.#hasTags) && hasWords(texts.filter((_, index) => !this.#pieces.has(index)).join(''))
    const isMeant = !this.#isRest && this.#isCall && hasPieces
    // Text that isn't a call beside another call isn't one anywhere, so most text is checked once.
    const isBeside = !isMeant && !this.#isRest && ((this.#hasTags && hasPieces) || this.#hasRemainsIn(texts, true))
    const isCall = isMeant || (isBeside && (isBehindCall || this.#hasRemainsIn(texts, false)))
    if (texts.length > 0) this.#texts = []
    this.#pieces.clear()
    this.#isBehindPiece = this.#isCall = this.#hasTags = this.#isBehindBlock = this.#isRest = false
    this.#passed = isBeside && !isCall ? texts : []
    return isCall ? texts.join('').trim() : undefined
  }

  /** Returns the text that `take` took last and didn't return, if it was meant as a call, given that a call follows it. */
  takeBeforeCall(): string | undefined {
    const text = this.#passed.join('').trim()
    this.#passed = []
    return text || undefined
  }

  #hasRemainsIn(texts: readonly string[], isBesideCall: boolean): boolean {
    return texts.length > 0 && this.#hasRemains?.(texts.join(''), isBesideCall) === true
  }

  /** Returns true if the text so far matches the pattern for its last character. */
  #endsLike(patterns: Readonly<Record<string, RegExp>>): boolean {
    const texts = this.#texts
    let at = texts.length - 1
    while (at >= 0 && texts[at]?.trim() === '') at--
    let end = texts[at]?.trimEnd() ?? ''
    const last = end.slice(-1)
    const pattern = patterns[last] ?? (/\w/.test(last) ? patterns.w : undefined)
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
  ')': /\w[(=][^()]*\)$/,
  '>': /<\/[^\s<>]+>$/,
}
/** Patterns for the end of a tag, and for a tag that isn't closed. */
const END_OF_TAG: Readonly<Record<string, RegExp>> = { '>': /\w>$/, '/': /<\/$/, '<': /<$/, w: /<\/?[\w:=-]*$/ }
