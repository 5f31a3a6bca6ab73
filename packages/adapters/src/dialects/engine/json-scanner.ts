/** Finds where a JSON value ends, also one with mistakes, without reading it: linear, no recursion, a few steps for each piece. */
import { isSpace, type TextScanner } from './text-input.ts'

const QUOTE = 0x22
const APOSTROPHE = 0x27
const BACKSLASH = 0x5c
const LINE_BREAK = 0x0a
/** Deeper texts are refused by whoever reads the value; the stack of open brackets is kept for no more. */
const DEEPEST = 2_000

/**
 * Fed pieces of a text. Done behind the last bracket of the first value; a value without brackets is done where a comma, a bracket
 * that closes or, between words, a space comes. Outside of strings, a unit of `stops` ends it too, unless it is passed. A line break
 * among them ends it in strings.
 */
export class JsonScanner implements TextScanner {
  /** Why it ended before a whole value: at one of its stops, or where no value can be. */
  stoppedAt: 'stop' | 'nothing' | undefined
  #isPassing = false
  /** The brackets that are open, as the text that would close them, outermost last. */
  #closers: number[] = []
  #depth = 0
  /** The quote that ends the string; 0 outside of strings. */
  #quote = 0
  #isEscaped = false
  /** The last unit outside of strings that is no white space; 0 at the beginning. */
  #last = 0
  /** Inside a value without brackets and quotes. */
  #inWord = false
  /** Most have no second one. */
  readonly #firstStop: number
  readonly #otherStops: string
  readonly #breaks: boolean

  constructor(stops = '') {
    this.#firstStop = stops.codePointAt(0) ?? -1
    this.#otherStops = stops.slice(1)
    this.#breaks = stops.includes('\n')
  }

  get isInString(): boolean {
    return this.#quote !== 0
  }

  /** What the text needs to be whole: an end of its string, and its brackets. */
  get closing(): string {
    const quote = this.#quote === 0 ? '' : String.fromCharCode(this.#quote)
    return (this.#isEscaped ? '\\' : '') + quote + String.fromCharCode(...this.#closers.slice(0, DEEPEST).reverse())
  }

  /** The stop where it ended belongs to the value. */
  pass(): void {
    this.stoppedAt = undefined
    this.#isPassing = true
  }

  push(text: string, from: number): number {
    let at = from
    while (at < text.length) {
      if (this.#quote !== 0) {
        at = this.#skipString(text, at)
        if (this.stoppedAt !== undefined || (this.#quote === 0 && this.#depth === 0)) return at
        continue
      }
      const code = text.charCodeAt(at)
      const end = this.#readOutside(code, at)
      if (end >= 0) return end
      at++
    }
    return -1
  }

  #skipString(text: string, from: number): number {
    const quote = this.#quote
    let at = from
    // An escaped unit ends nothing, nor does a line break that is passed.
    if (this.#isEscaped || this.#isPassing) {
      this.#isEscaped = this.#isPassing = false
      at++
    }
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      // Most units of a text are greater than all that mean something here.
      if (code > BACKSLASH) continue
      if (code === quote) {
        this.#quote = 0
        this.#last = QUOTE
        return at + 1
      }
      if (code === BACKSLASH) {
        if (++at === text.length) this.#isEscaped = true
      } else if (code === LINE_BREAK && this.#breaks) {
        this.stoppedAt = 'stop'
        return at
      }
    }
    return text.length
  }

  /** The place where the value ends, if it does. */
  #readOutside(code: number, at: number): number {
    if (isSpace(code)) return this.#inWord && this.#depth === 0 ? at : -1
    if (this.#isStop(code) && !this.#isPassing) {
      this.stoppedAt = 'stop'
      return at
    }
    this.#isPassing = false
    switch (code) {
      case QUOTE:
        this.#quote = code
        return -1
      case APOSTROPHE:
        // Anywhere else it is an apostrophe in a word that lacks its quotes.
        if (this.mayBegin) this.#quote = code
        break
      case 0x7b: // {
      case 0x5b: // [
        this.#depth++
        if (this.#closers.length < DEEPEST) this.#closers.push(code === 0x7b ? 0x7d : 0x5d)
        break
      case 0x7d: // }
      case 0x5d: // ]
        if (this.#depth === 0) return this.#stopAt(at)
        if (this.#depth-- <= this.#closers.length) this.#closers.pop()
        if (this.#depth === 0) return at + 1
        break
      case 0x2c: // ,
        if (this.#depth === 0) return this.#stopAt(at)
        break
      default:
        this.#inWord ||= this.#depth === 0
    }
    this.#last = code
    return -1
  }

  #isStop(code: number): boolean {
    if (code === this.#firstStop) return true
    return this.#otherStops !== '' && this.#otherStops.includes(String.fromCharCode(code))
  }

  /** A value without brackets ends before what follows it; without a value, nothing belongs to it. */
  #stopAt(at: number): number {
    if (!this.#inWord) this.stoppedAt = 'nothing'
    return at
  }

  /** At the beginning, and behind `{`, `[`, `,` and `:`. */
  get mayBegin(): boolean {
    const last = this.#last
    return last === 0 || last === 0x7b || last === 0x5b || last === 0x2c || last === 0x3a
  }
}
