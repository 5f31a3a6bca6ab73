/** Detects broken calls in text. Their open marker is broken, so no block was started for them. */
import { hasWords } from './text-input.ts'

/**
 * Returns true if the text contains the remains of a call that lost all of its markers.
 * @param isBesideCall True if there is a call directly before or after the text.
 */
export type HasRemains = (text: string, isBesideCall: boolean) => boolean

/**
 * Recognizes a broken call by its pieces. A piece is a marker that occurs only in calls but doesn't start a block. Prose may
 * mention a piece, so a piece counts only where it would be in a call, for example before `{`.
 */
export class BrokenCall {
  #texts: string[] = []
  readonly #pieces = new Set<number>()
  /** True if only white space has followed the last piece. */
  #isBehindPiece = false
  #isCall = false
  /** True if an end tag follows the rest of another tag. This is enough if there is another call next to the text. */
  #hasTags = false
  /** True if only white space has followed a reported block. A piece that follows belongs to that block. */
  #isBehindBlock = false
  #isRest = false
  readonly #hasRemains: HasRemains | undefined
  /** The text that the last `take` consumed without returning it. It counts as a call only if another call follows. */
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

  /** Records a piece. `text` is the piece, or empty if the piece is removed from the text. */
  pushPiece(text: string): void {
    this.#isRest ||= this.#isBehindBlock
    this.#isCall ||= this.#isBehindPiece || this.#endsLike(END_OF_CALL)
    this.#hasTags ||= text.startsWith('</') && this.#endsLike(END_OF_TAG)
    this.#pieces.add(this.#texts.length)
    this.#texts.push(text)
    this.#isBehindPiece = true
  }

  /**
   * Returns the text since the last `take` if it was meant as a call. Pieces without any words don't count, because they are the
   * rest of another call.
   * @param isBehindCall True if there is a call before the text.
   */
  take(isBehindCall: boolean): string | undefined {
    const texts = this.#texts
    const hasPieces = (this.#isCall || this.#hasTags) && hasWords(texts.filter((_, index) => !this.#pieces.has(index)).join(''))
    const isMeant = !this.#isRest && this.#isCall && hasPieces
    // Text that isn't a call even next to another call can't be one elsewhere, so most text is checked only once.
    const isBeside = !isMeant && !this.#isRest && ((this.#hasTags && hasPieces) || this.#hasRemainsIn(texts, true))
    const isCall = isMeant || (isBeside && (isBehindCall || this.#hasRemainsIn(texts, false)))
    if (texts.length > 0) this.#texts = []
    this.#pieces.clear()
    this.#isBehindPiece = this.#isCall = this.#hasTags = this.#isBehindBlock = this.#isRest = false
    this.#passed = isBeside && !isCall ? texts : []
    return isCall ? texts.join('').trim() : undefined
  }

  /**
   * Returns the text that the last `take` consumed without returning it, if it was meant as a call. Used when another call
   * follows.
   */
  takeBeforeCall(): string | undefined {
    const text = this.#passed.join('').trim()
    this.#passed = []
    return text || undefined
  }

  #hasRemainsIn(texts: readonly string[], isBesideCall: boolean): boolean {
    return texts.length > 0 && this.#hasRemains?.(texts.join(''), isBesideCall) === true
  }

  /** Returns true if the text so far ends with the pattern for its last character. */
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
/** Patterns for the end of JSON, a Python call and an element. The key is the last character. */
const END_OF_CALL: Readonly<Record<string, RegExp>> = {
  '}': /\}$/,
  ']': /\]$/,
  '`': /\}\s*```$/,
  ')': /\w[(=][^()]*\)$/,
  '>': /<\/[^\s<>]+>$/,
}
/** Patterns for the end of a tag, and for a tag that isn't closed. */
const END_OF_TAG: Readonly<Record<string, RegExp>> = { '>': /\w>$/, '/': /<\/$/, '<': /<$/, w: /<\/?[\w:=-]*$/ }
