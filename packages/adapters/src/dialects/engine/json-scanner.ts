/**
 * Finds the end of a JSON value without parsing it, even if the value is malformed. Takes linear time without recursion, with few steps
 * per piece.
 */
import { isSpace, type TextScanner } from './text-input.ts'

const QUOTE = 0x22
const APOSTROPHE = 0x27
const BACKSLASH = 0x5c
const LINE_BREAK = 0x0a
const COLON = 0x3a
/** Maximum depth to track. Deeper text is refused when the value is parsed. */
const DEEPEST = 2_000

/**
 * Reads text in pieces, up to the closing bracket of the first value. A value without brackets ends at a comma, a closing bracket or,
 * between words, a space. A character in `stops` outside strings also ends the value, unless `pass` is called. A line break in `stops`
 * ends the value even inside a string.
 */
export class JsonScanner implements TextScanner {
  /** Why the scanner ended without a complete value: at a stop character, or because no value can start here. */
  stoppedAt: 'stop' | 'nothing' | undefined
  #isPassing = false
  /** The closing brackets of all open brackets, outermost last. */
  #closers: number[] = []
  #depth = 0
  /** The quote that ends the current string. 0 outside strings. */
  #quote = 0
  #isEscaped = false
  /** The last non-blank character outside strings. 0 at the start. */
  #last = 0
  /** True inside a value without brackets and quotes. */
  #inWord = false
  /** The keys of the outermost object. */
  #keys: string[] = []
  /** True inside a key of the outermost object. */
  #inKey = false
  /** The part of the current key that was read so far. */
  #key = ''
  #isRegular = true
  /** The first stop character. Most scanners have no second one. */
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

  /** The text that would complete the value: the end of its string, and its closing brackets. */
  get closing(): string {
    const quote = this.#quote === 0 ? '' : String.fromCharCode(this.#quote)
    return (this.#isEscaped ? '\\' : '') + quote + String.fromCharCode(...this.#closers.slice(0, DEEPEST).reverse())
  }

  /**
   * The keys of the outermost object, as they are written. Complete even if the value is invalid JSON. Undefined unless brackets, quotes,
   * commas and colons are placed as in JSON.
   */
  get keys(): readonly string[] | undefined {
    return this.#isRegular ? this.#keys : undefined
  }

  /** Continues after a stop character that is part of the value. */
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
    // An escaped character, or a line break that was passed, can't end the string or the value.
    if (this.#isEscaped || this.#isPassing) {
      this.#isEscaped = this.#isPassing = false
      at++
    }
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      // Most character codes are higher than all codes that matter here.
      if (code > BACKSLASH) continue
      if (code === quote) {
        if (this.#inKey) this.#endKey(text.slice(from, at))
        this.#quote = 0
        this.#last = QUOTE
        return at + 1
      }
      if (code === BACKSLASH) {
        if (++at === text.length) this.#isEscaped = true
      } else if (code === LINE_BREAK && this.#breaks) {
        this.stoppedAt = 'stop'
        this.#isRegular &&= !this.#inKey
        return at
      }
    }
    if (this.#inKey) this.#key += text.slice(from)
    return text.length
  }

  #endKey(rest: string): void {
    this.#keys.push(this.#key + rest)
    this.#key = ''
    this.#inKey = false
  }

  /** Reads a character outside strings. Returns the position of the end of the value, or -1 if the value continues. */
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
        this.#isRegular &&= this.mayBegin
        this.#inKey = this.#depth === 1 && this.#last !== COLON
        return -1
      case APOSTROPHE:
        // Anywhere else, the quote is an apostrophe in an unquoted word.
        if (this.mayBegin) this.#quote = code
        this.#isRegular = false
        break
      case 0x7b: // {
      case 0x5b: // [
        this.#isRegular &&= this.mayBegin && this.#depth < DEEPEST
        this.#depth++
        if (this.#closers.length < DEEPEST) this.#closers.push(code === 0x7b ? 0x7d : 0x5d)
        break
      case 0x7d: // }
      case 0x5d: // ]
        if (this.#depth === 0) return this.#stopAt(at)
        if (this.#depth-- <= this.#closers.length && this.#closers.pop() !== code) this.#isRegular = false
        if (this.#depth === 0) return at + 1
        break
      case COLON:
        this.#isRegular &&= this.#last === QUOTE && this.#closers.at(-1) === 0x7d
        this.#inWord ||= this.#depth === 0
        break
      case 0x2c: // ,
        if (this.#depth === 0) return this.#stopAt(at)
        break
      default:
        this.#isRegular &&= isOfWord(code) && (this.mayBegin || isOfWord(this.#last))
        this.#inWord ||= this.#depth === 0
    }
    this.#last = code
    return -1
  }

  #isStop(code: number): boolean {
    if (code === this.#firstStop) return true
    return this.#otherStops !== '' && this.#otherStops.includes(String.fromCharCode(code))
  }

  /** Ends a value without brackets before the next character. If there is no value, consumes nothing. */
  #stopAt(at: number): number {
    if (!this.#inWord) this.stoppedAt = 'nothing'
    return at
  }

  /** True if a value may start here: at the start of the text, and after `{`, `[`, `,` and `:`. */
  get mayBegin(): boolean {
    const last = this.#last
    return last === 0 || last === 0x7b || last === 0x5b || last === 0x2c || last === COLON
  }
}

/** True for a character that occurs in numbers, or in `true`, `false` or `null`. */
function isOfWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2d ||
    code === 0x2b ||
    code === 0x2e
  )
}
