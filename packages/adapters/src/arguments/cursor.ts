/** The text that has come so far, and how far it has been read. Read parts are let go of. */
import type { Limits } from './limits.ts'
import { Refused } from './refusal.ts'
import type { ArgumentErrorCode, RecoveryTag } from './tags.ts'

/** What a reader gives when the text that is there does not tell yet. It leaves the cursor where it found it. */
export const WAIT: unique symbol = Symbol('wait')
export type Wait = typeof WAIT

/** A token this short is read again with every delta; a longer one when the text has doubled, so that all stays linear. */
const SHORT = 64

export class Cursor {
  /** Begins where the last push left off. */
  text = ''
  at = 0
  /** No more text will come: what is there decides. */
  isFinal = false
  /** White space, a comment or a line break stood before `at`, since the last token. */
  hasGap = false
  hasLineBreak = false
  /** The text ends inside a comment, or a comment may have taken a bracket with it. */
  hasLostEnd = false
  /** A text in quotes was read before. */
  hasQuotes = false
  readonly limits: Limits
  readonly tags = new Set<RecoveryTag>()
  /** Where `text` begins in the whole. */
  #base = 0
  #needed = 0
  #later: string[] | undefined

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** False when reading would only come to wait again. */
  add(delta: string): boolean {
    if (this.#later !== undefined) {
      this.#later.push(delta)
      return false
    }
    if (this.at === this.text.length) {
      this.#base += this.at
      this.text = delta
      this.at = 0
    } else {
      if (this.at > 0) {
        this.#base += this.at
        this.text = this.text.slice(this.at)
        this.at = 0
      }
      this.text += delta
    }
    if (this.text.length < this.#needed) return false
    this.#needed = 0
    return true
  }

  /** Nothing waits. */
  get isRead(): boolean {
    return this.at === this.text.length && this.#later === undefined
  }

  /** A delta that needs no reading. */
  pass(delta: string): void {
    this.#base += this.at + delta.length
    this.text = ''
    this.at = 0
  }

  finish(): void {
    if (this.#later !== undefined) {
      this.text = this.text.slice(this.at) + this.#later.join('')
      this.#base += this.at
      this.at = 0
      this.#later = undefined
    }
    this.isFinal = true
  }

  /** More text is needed for the token at `at`. */
  wait(): Wait {
    const there = this.text.length - this.at
    this.#needed = there <= SHORT ? 0 : 2 * there
    return WAIT
  }

  /** Only the end of the text can tell what this is. */
  waitForEnd(): Wait {
    if (!this.isFinal) this.#later ??= []
    return WAIT
  }

  /** The token at `at` ends before `end`. */
  take(end: number): void {
    this.at = end
    this.hasGap = false
    this.hasLineBreak = false
  }

  refuse(code: ArgumentErrorCode, at = this.at): never {
    throw new Refused(code, this.#base + at)
  }
}
