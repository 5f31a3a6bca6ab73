/** Tracks whether the text at the current position is quoted: in code, between quotation marks, on a quoted line. */

/**
 * Looks at the last line of the text, since a code span or a quotation that is still open at the end of its line is a slip. An
 * indented line behind an empty one is code. Takes each unit of the text once, however it is cut.
 */
export class QuoteTracker {
  #hasText = false
  #isBlank = true
  #isBehindBlank = false
  #isQuotedLine = false
  #indent = 0
  /** Back-ticks that opened a code span, and those that stand at the end. */
  #span = 0
  #run = 0
  #isRunFirst = false
  /** What closes the open quotation. */
  #closers = ''
  #last = ''
  /** A single quotation mark stands at the end, and one was opened on this line. */
  #isSingle = false
  #isSingleOpen = false
  #isSkipping = false
  /** Of the last line, what was not looked at: most text has no marker behind it, and need not be. */
  #ahead = ''
  /** All of it is white space. */
  #isAheadBlank = true

  /** White space that comes next is part of what was taken out of the text: it begins no line. */
  skipSpace(): void {
    this.#isSkipping = true
  }

  push(given: string): void {
    const text = this.#isSkipping ? given.trimStart() : given
    if (text === '') return
    this.#isSkipping = false
    const start = text.lastIndexOf('\n') + 1
    if (start > 0) this.#beginLine(text.slice(0, start - 1))
    const rest = start > 0 ? text.slice(start) : text
    this.#ahead += rest
    if (this.#isAheadBlank) this.#isAheadBlank = !/\S/.test(rest)
  }

  get isOpen(): boolean {
    for (let at = 0; at < this.#ahead.length; at++) this.#take(this.#ahead.charAt(at))
    this.#forgetAhead()
    const span = this.#spanBehindRun()
    return this.#isQuotedLine || this.#isIndentedCode() || span > 0 || this.#closers !== '' || this.#isSingle
  }

  #isIndentedCode(): boolean {
    return this.#isBehindBlank && this.#isBlank && this.#indent >= CODE_INDENT
  }

  /** @param before All that came of the text before the line break. */
  #beginLine(before: string): void {
    const from = before.lastIndexOf('\n') + 1
    const wasBlank = this.#isBlank && this.#isAheadBlank
    this.#hasText ||= !wasBlank || /\S/.test(before)
    this.#isBehindBlank = this.#hasText && !/\S/.test(before.slice(from)) && (from > 0 || wasBlank)
    this.#forgetAhead()
    this.#isBlank = true
    this.#isQuotedLine = this.#isSingle = this.#isSingleOpen = this.#isRunFirst = false
    this.#indent = this.#span = this.#run = 0
    this.#closers = this.#last = ''
  }

  #forgetAhead(): void {
    this.#ahead = ''
    this.#isAheadBlank = true
  }

  #take(unit: string): void {
    if (unit === '`') {
      if (this.#run === 0) this.#isRunFirst = this.#isBlank
      this.#run++
    } else {
      this.#span = this.#spanBehindRun()
      this.#run = 0
      if (this.#span === 0) this.#takePlain(unit)
    }
    if (unit === ' ' && this.#isBlank) this.#indent++
    else if (unit === '\t' && this.#isBlank) this.#indent += CODE_INDENT
    else if (unit !== '\r') this.#isBlank &&= unit === ' ' || unit === '\t'
    this.#last = unit
  }

  #takePlain(unit: string): void {
    this.#isQuotedLine ||= this.#isBlank && unit === '>'
    if (unit === "'" || unit === '\u2018') this.#isSingle = this.#isSingleOpen = this.#mayOpen() && !this.#isSingleOpen
    else this.#isSingle &&= unit === ' '
    if (this.#closers !== '') {
      if (this.#closers.includes(unit)) this.#closers = ''
    } else if (ALWAYS[unit] !== undefined) this.#closers = ALWAYS[unit]
    else if (BEHIND_SPACE[unit] !== undefined && this.#mayOpen()) this.#closers = BEHIND_SPACE[unit]
  }

  /** A run as long as the one that opened the span closes it. Three or more that begin a line are a fence, and no span. */
  #spanBehindRun(): number {
    if (this.#run === 0 || (this.#span > 0 && this.#run !== this.#span)) return this.#span
    if (this.#span > 0) return 0
    return this.#isRunFirst && this.#run >= FENCE ? 0 : this.#run
  }

  /** Behind a letter or a digit it is an apostrophe, an inch, or a quotation's end. Some scripts have no spaces. */
  #mayOpen(): boolean {
    return (
      !/[\p{L}\p{N}]/u.test(this.#last) ||
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(this.#last)
    )
  }
}

const CODE_INDENT = 4
const FENCE = 3

const ALWAYS: Readonly<Record<string, string>> = {
  '\u201c': '\u201d"',
  '\u201e': '\u201c\u201d',
  '\u300c': '\u300d',
  '\u300e': '\u300f',
}
const BEHIND_SPACE: Readonly<Record<string, string>> = { '"': '"', '\u00ab': '\u00bb', '\u00bb': '\u00ab' }
