/** The text that has come so far, and how far it has been read. Read parts are let go of. */
import { Refused } from '../refusal.ts'
import type { ArgumentErrorCode, RecoveryTag } from '../tags.ts'

/** Returned by a reader if the available text doesn't decide yet. The reader leaves the cursor in place. */
export const WAIT: unique symbol = Symbol('wait')
export type Wait = typeof WAIT

/** A token this short is read again with every delta; a longer one when the text has doubled, so that all stays linear. */
const SHORT = 64

interface Found {
  readonly text: string
  readonly from: number
  readonly found: number
}

const NOWHERE: Found = { text: '', from: Number.POSITIVE_INFINITY, found: -1 }

const NO_PLACES: ReadonlySet<number> = new Set()

export class Cursor {
  /** Begins where the last push left off. */
  text = ''
  at = 0
  /** No more text follows: the available text decides. */
  isFinal = false
  /** White space, a comment or a line break stood before `at`, since the last token. */
  hasGap = false
  hasLineBreak = false
  /** A comma is missing between two members of one line. */
  lacksCommaInLine = false
  /** The text ends inside a comment, or a comment may have taken a bracket with it. */
  hasLostEnd = false
  /** A number ended in its point: what follows may be the rest of it. */
  hasOpenPoint = false
  /** A text in quotes was read before. */
  hasQuotes = false
  /** Escapes of the text that is being read: some were taken as JSON takes them, a backslash of another was kept. */
  hasDecoded = false
  hasKept = false
  /** The place of the first escape that only JSON can mean: `\b` and `\f`, or `\t` in `C:\temp`. */
  doubtfulEscape: number | undefined
  /** A value must come next: a word behind `#` or `//` may be one. */
  isValueDue = false
  /** Nothing but white space, comments and prose was read. */
  isBeforeText = true
  readonly tags = new Set<RecoveryTag>()
  /** Places of white space that stood there as an escape. */
  escapedSpaces: ReadonlySet<number> = NO_PLACES
  /** Where `text` begins in the whole. */
  #base = 0
  #needed = 0
  #later: string[] | undefined
  #lineBreak: Found = NOWHERE
  #commentEnd: Found = NOWHERE
  /** The place of what was escaped as a whole: places behind it are not those of the text as it came. */
  #pinned: number | undefined

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

  /** Only the end of the text decides what this is. */
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

  /** The position of the next of these characters, searched once for all earlier positions. */
  next(needle: '\n' | '*/', at: number): number {
    const known = needle === '\n' ? this.#lineBreak : this.#commentEnd
    if (known.text === this.text && known.from <= at && (known.found < 0 || known.found >= at)) return known.found
    const found = { text: this.text, from: at, found: this.text.indexOf(needle, at) }
    if (needle === '\n') this.#lineBreak = found
    else this.#commentEnd = found
    return found.found
  }

  /** A text in quotes begins. */
  beginText(): void {
    this.hasDecoded = false
    this.hasKept = false
  }

  /** What is ahead was something else before it was escaped. `spaces` are places in `rest`. */
  replaceRest(rest: string, spaces: readonly number[]): void {
    this.#pinned = this.#base + this.at
    this.escapedSpaces = new Set(spaces.map((place) => this.at + place))
    this.text = this.text.slice(0, this.at) + rest
  }

  /** One quote is missing here; where two are, the text has more readings. */
  missQuote(at = this.at): void {
    if (this.tags.has('missing_quote')) this.refuse('unescaped_quote', at)
    this.tags.add('missing_quote')
  }

  refuse(code: ArgumentErrorCode, at = this.at): never {
    throw new Refused(code, this.placeOf(at))
  }

  /** The place in the whole text. */
  placeOf(at: number): number {
    return this.#pinned ?? this.#base + at
  }
}
