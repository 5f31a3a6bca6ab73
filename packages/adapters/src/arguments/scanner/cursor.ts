/** Holds the received text and the parser's position. Discards text that has been read. */
import { Refused } from '../refusal.ts'
import type { ArgumentErrorCode, RecoveryTag } from '../tags.ts'

/** Returned by a function that needs more text to read a token. It doesn't move the cursor. */
export const WAIT: unique symbol = Symbol('wait')
export type Wait = typeof WAIT

/**
 * Maximum length at which an incomplete token is read again with each piece of text. A longer token is read again only once the
 * text has doubled, so that the total time stays linear.
 */
const SHORT = 64

interface Found {
  readonly text: string
  readonly from: number
  readonly found: number
}

const NOWHERE: Found = { text: '', from: Number.POSITIVE_INFINITY, found: -1 }

const NO_PLACES: ReadonlySet<number> = new Set()

export class Cursor {
  /** Text that hasn't been discarded. Includes the last piece. */
  text = ''
  at = 0
  /** True if no more text follows. */
  isFinal = false
  /** True if white space, a comment or a line break comes before `at`. */
  hasGap = false
  hasLineBreak = false
  /** True if a comma is missing between two members on the same line. */
  lacksCommaInLine = false
  /** True if the text ends inside a comment, or if a comment may have hidden a bracket. */
  hasLostEnd = false
  /** True if a number ended with a decimal point, after which digits may be missing. */
  hasOpenPoint = false
  /** True if a string in double quotes has been read. */
  hasQuotes = false
  /** True if white space between tokens is written as escapes, as in `{\n"a": 1}` with a backslash and an `n`. */
  hasEscapedGaps = false
  /** True if a key was written in doubled quotes, or a value. */
  hasDoubledKey = false
  hasDoubledValue = false
  /** True if an escape in the current string was decoded by the rules of JSON. */
  hasDecoded = false
  /** True if a backslash in the current string was kept as an ordinary character. */
  hasKept = false
  /** Position of the first escape whose backslash may be an ordinary character: `\b`, `\f`, or `\t` as in `C:\temp`. */
  doubtfulEscape: number | undefined
  /** True if a value comes next. Then `#` or `//` may start a value instead of a comment. */
  isValueDue = false
  /** True if only white space, comments and prose have been read. */
  isBeforeText = true
  readonly tags = new Set<RecoveryTag>()
  /** Positions of white-space characters that were written as escapes. */
  escapedSpaces: ReadonlySet<number> = NO_PLACES
  /** Offset of `text` in the whole text. */
  #base = 0
  #needed = 0
  #later: string[] | undefined
  #lineBreak: Found = NOWHERE
  #commentEnd: Found = NOWHERE
  /**
   * Start of text that was escaped as a whole. Refusals report this position, because later positions don't match the received
   * text.
   */
  #pinned: number | undefined

  /** Appends text. Returns false if the current token needs still more text before it is read again. */
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

  /** True if all text has been read. */
  get isRead(): boolean {
    return this.at === this.text.length && this.#later === undefined
  }

  /** Skips a piece of text that the caller has already handled. */
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

  /** Waits until more text of the token at `at` arrives. */
  wait(): Wait {
    const there = this.text.length - this.at
    this.#needed = there <= SHORT ? 0 : 2 * there
    return WAIT
  }

  /** Waits for the end of the text. */
  waitForEnd(): Wait {
    if (!this.isFinal) this.#later ??= []
    return WAIT
  }

  /** Consumes the token at `at` up to `end`. */
  take(end: number): void {
    this.at = end
    this.hasGap = false
    this.hasLineBreak = false
  }

  /** Returns the position of the first `needle` at or after `at`, or -1. Caches the result. */
  next(needle: '\n' | '*/', at: number): number {
    const known = needle === '\n' ? this.#lineBreak : this.#commentEnd
    if (known.text === this.text && known.from <= at && (known.found < 0 || known.found >= at)) return known.found
    const found = { text: this.text, from: at, found: this.text.indexOf(needle, at) }
    if (needle === '\n') this.#lineBreak = found
    else this.#commentEnd = found
    return found.found
  }

  /** Resets the state that belongs to the previous string. Call this at the start of a quoted string. */
  beginText(): void {
    this.hasDecoded = false
    this.hasKept = false
  }

  /**
   * Replaces the remaining text with its unescaped form. `spaces` contains the positions in `rest` of white-space characters that
   * were written as escapes.
   */
  replaceRest(rest: string, spaces: readonly number[]): void {
    this.#pinned = this.#base + this.at
    this.escapedSpaces = new Set(spaces.map((place) => this.at + place))
    this.text = this.text.slice(0, this.at) + rest
  }

  /** Records a missing quote. Refuses the text if this is the second one, because two missing quotes are ambiguous. */
  missQuote(at = this.at): void {
    if (this.tags.has('missing_quote')) this.refuse('unescaped_quote', at)
    this.tags.add('missing_quote')
  }

  refuse(code: ArgumentErrorCode, at = this.at): never {
    throw new Refused(code, this.placeOf(at))
  }

  /** Converts a position in `text` to an offset in the whole text. */
  placeOf(at: number): number {
    return this.#pinned ?? this.#base + at
  }
}
