/** Text outside of blocks that was meant as a call: no block began, since its open marker is broken. */
import { hasWords } from './text-input.ts'

/** Whether text is what is left of a call, without any marker in it. */
export type HasRemains = (text: string) => boolean

/** Markers that only occur in calls are pieces of one. Prose may name them, so they count only where they stand as in a call. */
export class BrokenCall {
  #texts: string[] = []
  readonly #pieces = new Set<number>()
  /** Nothing but white space follows the last piece. */
  #isBehindPiece = false
  #isCall = false
  /** Nothing but white space follows a block that was reported: what begins with a piece is its rest. */
  #isBehindBlock = false
  #isRest = false
  readonly #hasRemains: HasRemains | undefined

  constructor(hasRemains?: HasRemains) {
    this.#hasRemains = hasRemains
  }

  /** A block ended that was reported as malformed. */
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

  /** @param text Empty for a piece that isn't shown. */
  pushPiece(text: string): void {
    this.#isRest ||= this.#isBehindBlock
    this.#isCall ||= this.#isBehindPiece || this.#endsCall()
    this.#pieces.add(this.#texts.length)
    this.#texts.push(text)
    this.#isBehindPiece = true
  }

  /** Returns the text since the last call of this method, if it was meant as a call. Pieces alone are what a call left over. */
  take(): string | undefined {
    const texts = this.#texts
    const isPieces = this.#isCall && hasWords(texts.filter((_, index) => !this.#pieces.has(index)).join(''))
    const isCall = !this.#isRest && (isPieces || (texts.length > 0 && this.#hasRemains?.(texts.join('')) === true))
    if (texts.length > 0) this.#texts = []
    this.#pieces.clear()
    this.#isBehindPiece = this.#isCall = this.#isBehindBlock = this.#isRest = false
    return isCall ? texts.join('').trim() : undefined
  }

  /** Whether the text so far ends like a call's content. */
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
/** By its last character: the end of JSON, of a call in Python's syntax, of an element. */
const END_OF_CALL: Readonly<Record<string, RegExp>> = {
  '}': /\}$/,
  ']': /\]$/,
  '`': /\}\s*```$/,
  ')': /\w\([^()]*\)$/,
  '>': /<\/[^\s<>]+>$/,
}
