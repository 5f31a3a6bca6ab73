/**
 * Tracks whether the current position is quoted: in a code span or indented code, between quotation marks, or on a line that
 * starts with `>`.
 */
import { LineStart } from './line-start.ts'
import { hasWords } from './text-input.ts'

/**
 * Tracks code spans and quotations on the last line, since neither continues on the next line. Of earlier lines, only the start
 * matters. Reads each character once, however the text is split.
 */
export class QuoteTracker {
  readonly #start = new LineStart()
  /** The first characters of the line's text. */
  #head = ''
  /** True while the line may still be a horizontal rule or the underline of a heading. */
  #isRule = true
  /** True if an indented line would continue the paragraph of the previous line. */
  #isInParagraph = false
  #isBehindCall = false
  /** The first two code units after a call, on the same line. */
  #behind = ''
  /** Number of backticks that opened the current code span. 0 outside code spans. */
  #span = 0
  /** Number of backticks at the end of the text. */
  #run = 0
  #isRunFirst = false
  #isBlank = true
  #isEscaped = false
  /** The mark that opened the current quotation. */
  #opener = ''
  /** Nesting depth of quotations that use this mark. */
  #depth = 0
  /** The marks that would close the quotation. Empty outside quotations. */
  #closers = ''
  /**
   * True if the text ends with a closing mark after a letter. If another letter follows, it is an apostrophe; otherwise, it
   * closes the quotation.
   */
  #mayClose = false
  #last = ''
  #isSkipping = false
  /** The end of the last line that hasn't been checked yet. It is checked only when a marker follows, which is rare. */
  #ahead = ''

  /** Records that a call was removed from the text. The line continues after it. */
  passCall(): void {
    this.#start.settle()
    this.#restart()
    this.#isInParagraph = this.#isBehindCall = true
    this.#behind = ''
  }

  /** Treats the following white space as part of the removed text, so that a quotation continues after it. */
  skipSpace(): void {
    this.#isSkipping = true
  }

  push(given: string): void {
    const text = this.#isSkipping ? given.trimStart() : given
    if (this.#isSkipping && given.slice(0, given.length - text.length).includes('\n')) this.#continueLine()
    if (text === '') return
    this.#isSkipping = false
    if (this.#isBehindCall && this.#behind.length < 2) this.#behind += text.slice(0, 2 - this.#behind.length)
    for (let at = 0; ; ) {
      const end = text.indexOf('\n', at)
      const piece = at === 0 && end < 0 ? text : text.slice(at, end < 0 ? undefined : end)
      this.#takeStart(piece)
      if (end < 0) {
        this.#ahead += piece
        return
      }
      this.#beginLine()
      at = end + 1
    }
  }

  /** Returns true if this position is quoted. `isInFence` is true in a code fence, where indentation has no meaning. */
  isOpen(isInFence: boolean): boolean {
    for (let at = 0; at < this.#ahead.length; at++) this.#take(this.#ahead.charAt(at))
    this.#ahead = ''
    if (!this.#start.hasText) this.#start.settle()
    if (this.#isQuotedLine || (this.#isCode() && !isInFence)) return true
    return this.#spanBehindRun() > 0 || (this.#closers !== '' && !(this.#mayClose && this.#depth === 1))
  }

  /** True on a line that starts with `>`. But a `>` between a call and other text is the rest of a marker. */
  get #isQuotedLine(): boolean {
    return this.#start.quotes > 0 && !(this.#isBehindCall && /^>\S/.test(this.#behind))
  }

  #isCode(): boolean {
    return this.#start.isIndented && !this.#isInParagraph
  }

  #takeStart(piece: string): void {
    let at = 0
    if (!this.#start.hasText) {
      while (at < piece.length && !this.#start.hasText)
        if (this.#start.take(piece.charAt(at++))) this.#head = piece.charAt(at - 1)
    }
    const left = this.#head === '' ? 0 : LONGEST_HEAD - this.#head.length
    if (left > 0) this.#head += piece.slice(at, at + left)
    if (this.#isRule) this.#isRule = (this.#head === '' || RULES.has(this.#head.charAt(0))) && !/[^-*_=\s]/.test(piece)
  }

  #beginLine(): void {
    const { hasText, quotes } = this.#start
    const isProse = hasText && quotes === 0 && !this.#isRule && !this.#isCode() && !/^(?:#|```|~~~)/.test(this.#head)
    this.#isInParagraph = isProse || this.#isBehindCall
    this.#isBehindCall = false
    this.#restart()
    this.#isBlank = true
    this.#isRunFirst = this.#isEscaped = this.#mayClose = false
    this.#span = this.#run = this.#depth = 0
    this.#opener = this.#closers = this.#last = this.#ahead = ''
  }

  /** Handles a line break in white space that is removed. Quotations, quoted lines and code continue after it. */
  #continueLine(): void {
    if (this.#start.quotes > 0 || this.#isCode()) return
    this.#behind = ' '
    this.#isInParagraph = true
    this.#restart()
  }

  #restart(): void {
    this.#start.beginLine()
    this.#head = ''
    this.#isRule = true
  }

  #take(unit: string): void {
    if (unit === '`' && (this.#run > 0 || !this.#isEscaped)) {
      if (this.#run === 0) this.#isRunFirst = this.#isBlank
      this.#run++
    } else {
      this.#span = this.#spanBehindRun()
      this.#run = 0
      if (this.#span === 0) this.#takePlain(unit)
    }
    this.#isEscaped = unit === '\\' && this.#span === 0 && !this.#isEscaped
    this.#isBlank &&= unit === ' ' || unit === '\t' || unit === '\r'
    this.#last = unit
  }

  #takePlain(unit: string): void {
    if (this.#mayClose && !hasWords(unit)) this.#close()
    this.#mayClose = false
    if (this.#closers.includes(unit)) {
      if (APOSTROPHES.includes(unit) && hasWords(this.#last)) this.#mayClose = true
      else this.#close()
    } else if (this.#closers !== '') {
      if (unit === this.#opener) this.#depth++
    } else if (QUOTATIONS[unit] !== undefined && (ALWAYS_OPEN.has(unit) || this.#mayOpen())) {
      this.#opener = unit
      this.#closers = QUOTATIONS[unit]
      this.#depth = 1
    }
  }

  #close(): void {
    if (--this.#depth === 0) this.#closers = ''
  }

  /**
   * Returns the number of backticks that opened the code span at this position, or 0 outside code spans. A run of the same length
   * closes the span. Three or more backticks at the start of a line are a code fence.
   */
  #spanBehindRun(): number {
    if (this.#run === 0 || (this.#span > 0 && this.#run !== this.#span)) return this.#span
    if (this.#span > 0) return 0
    return this.#isRunFirst && this.#run >= FENCE ? 0 : this.#run
  }

  /**
   * Returns true unless the mark follows a letter or a digit. There, it is an apostrophe, an inch sign, or the end of a
   * quotation. In scripts without spaces between words, a mark may open a quotation after a letter.
   */
  #mayOpen(): boolean {
    return !hasWords(this.#last) || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(this.#last)
  }
}

const FENCE = 3
const LONGEST_HEAD = 3
const RULES = new Set('-*_=')

/** Unicode's opening quotation marks, each with its closing marks. */
const QUOTATIONS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'\u2019",
  '\u00ab': '\u00bb',
  '\u00bb': '\u00ab',
  '\u2018': "\u2019'",
  '\u2019': '\u2019',
  '\u201a': '\u2018\u2019',
  '\u201b': '\u2019',
  '\u201c': '\u201d',
  '\u201d': '\u201d',
  '\u201e': '\u201c\u201d',
  '\u201f': '\u201d',
  '\u2039': '\u203a',
  '\u203a': '\u2039',
  '\u2e42': '\u201c\u201d\u201f',
  '\u300c': '\u300d',
  '\u300e': '\u300f',
  '\u301d': '\u301e\u301f',
  '\ufe41': '\ufe42',
  '\ufe43': '\ufe44',
  '\uff02': '\uff02',
  '\uff07': '\uff07',
  '\uff62': '\uff63',
}
/** Marks that open a quotation even directly after a word. */
const ALWAYS_OPEN = new Set('\u201a\u201c\u201e\u201f\u2e42\u300c\u300e\u301d\ufe41\ufe43\uff62')
/** Quotation marks that also occur within words. */
const APOSTROPHES = "'\u2019\uff07"
