/** The received text and the position of the parser. Text that has been read is discarded. */
import { Refused } from '../refusal.ts'
import type { ArgumentErrorCode, RecoveryTag } from '../tags.ts'

/** Returned by a reader if it needs more text to decide. The reader leaves the cursor in place. */
export const WAIT: unique symbol = Symbol('wait')
export type Wait = typeof WAIT

/**
 * Tokens up to this length are read again with every delta. A longer one is read again only when the text has doubled, so the total stays
 * linear.
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
  /** The text from the end of the last push on. */
  text = ''
  at = 0
  /** True if no more text follows. */
  isFinal = false
  /** True if white space, a comment or a line break precedes `at`. */
  hasGap = false
  hasLineBreak = false
  /** True if a comma is missing between two members on one line. */
  lacksCommaInLine = false
  /** True if the text ends inside a comment, or a comment may have hidden a bracket. */
  hasLostEnd = false
  /** True if a number ended with its decimal point, so that more digits may follow. */
  hasOpenPoint = false
  /** True if a quoted string was read before. */
  hasQuotes = false
  /** True if some escapes of the current text were decoded as in JSON, and another backslash was kept. */
  hasDecoded = false
  hasKept = false
  /** Position of the first escape that only JSON decodes: `\b` and `\f`, or `\t` in `C:\temp`. */
  doubtfulEscape: number | undefined
  /** True if a value must come next. A word after `#` or `//` may then be that value. */
  isValueDue = false
  /** True if only white space, comments and prose have been read. */
  isBeforeText = true
  readonly tags = new Set<RecoveryTag>()
  /** Positions of white space that was written as an escape. */
  escapedSpaces: ReadonlySet<number> = NO_PLACES
  /** The position of `text` in the whole text. */
  #base = 0
  #needed = 0
  #later: string[] | undefined
  #lineBreak: Found = NOWHERE
  #commentEnd: Found = NOWHERE
  /** The position of the text that was escaped as a whole. Later positions differ from those of the received text. */
  #pinned: number | undefined

  /** Adds text. Returns false if it isn't worth reading yet. */
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

  /** Skips a delta that needs no parsing. */
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

  /** Waits for more text for the token at `at`. */
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

  /** Consumes the token at `at`, which ends before `end`. */
  take(end: number): void {
    this.at = end
    this.hasGap = false
    this.hasLineBreak = false
  }

  /** The position of the next occurrence of `needle`. Cached for all earlier positions. */
  next(needle: '\n' | '*/', at: number): number {
    const known = needle === '\n' ? this.#lineBreak : this.#commentEnd
    if (known.text === this.text && known.from <= at && (known.found < 0 || known.found >= at)) return known.found
    const found = { text: this.text, from: at, found: this.text.indexOf(needle, at) }
    if (needle === '\n') this.#lineBreak = found
    else this.#commentEnd = found
    return found.found
  }

  /** Marks the start of a quoted string. */
  beginText(): void {
    this.hasDecoded = false
    this.hasKept = false
  }

  /** Replaces the remaining text with its unescaped form. `spaces` are positions in `rest`. */
  replaceRest(rest: string, spaces: readonly number[]): void {
    this.#pinned = this.#base + this.at
    this.escapedSpaces = new Set(spaces.map((place) => this.at + place))
    this.text = this.text.slice(0, this.at) + rest
  }

  /** Records a missing quote. With two missing quotes, the text is ambiguous. */
  missQuote(at = this.at): void {
    if (this.tags.has('missing_quote')) this.refuse('unescaped_quote', at)
    this.tags.add('missing_quote')
  }

  refuse(code: ArgumentErrorCode, at = this.at): never {
    throw new Refused(code, this.placeOf(at))
  }

  /** The position in the whole text. */
  placeOf(at: number): number {
    return this.#pinned ?? this.#base + at
  }
}
