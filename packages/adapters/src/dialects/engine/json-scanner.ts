/** Finds the end of a JSON value without parsing it, even if it is malformed. Takes linear time and uses no recursion. */
import { isLetter, isSpace, type TextScanner } from './text-input.ts'

const QUOTE = 0x22
const APOSTROPHE = 0x27
const BACKSLASH = 0x5c
const LINE_BREAK = 0x0a
const COLON = 0x3a
/** Maximum depth to track. Deeper values are refused later, when they are parsed. */
const DEEPEST = 2_000

/**
 * Scans text in pieces up to the end of the first value, which is usually its last closing bracket. A value without brackets ends
 * at a comma, a closing bracket or, between words, a space. A character in `stops` also ends the value if it is outside strings,
 * unless `pass` is called. A line break in `stops` ends the value even inside a string.
 */
export class JsonScanner implements TextScanner {
  /** Why the scanner ended without a complete value: it reached a stop character, or no value starts here. */
  stoppedAt: 'stop' | 'nothing' | undefined
  #isPassing = false
  /** Closing brackets for all open brackets, outermost last. */
  #closers: number[] = []
  #depth = 0
  /** The quote that ends the current string, or 0 outside strings. */
  #quote = 0
  #isEscaped = false
  /** The last character outside strings that isn't white space, or 0 at the start. */
  #last = 0
  /** True inside a value without brackets and quotes. */
  #inWord = false
  /** Keys of the outermost object. */
  #keys: string[] = []
  /** True inside a key of the outermost object. */
  #inKey = false
  /** The part of the current key that was read so far. */
  #key = ''
  #isRegular = true
  /** The first stop character. Most scanners have only one. */
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
   * Keys of the outermost object, as they are written. Complete even if the value is invalid JSON. Undefined unless brackets,
   * quotes, commas and colons are in the same places as in JSON.
   */
  get keys(): readonly string[] | undefined {
    return this.#isRegular ? this.#keys : undefined
  }

  /** Continues after a stop character that turned out to be part of the value. */
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
    // An escaped character, or a line break that was passed, ends neither the string nor the value.
    if (this.#isEscaped || this.#isPassing) {
      this.#isEscaped = this.#isPassing = false
      at++
    }
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      // Most characters have a higher code than any character that matters here.
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

  /** Reads a character outside strings. Returns the end position of the value, or -1 if the value continues. */
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
        // Elsewhere, the quote is an apostrophe in an unquoted word.
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

  /** Ends a value without brackets before the next character. Consumes nothing if there is no value. */
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

/** Returns true for a character that occurs in numbers, or in `true`, `false` or `null`. */
function isOfWord(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e
}
