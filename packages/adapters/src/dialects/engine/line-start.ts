/** Parses the start of a line as CommonMark does: its indentation, list markers and `>`. */

/** Text with this much indentation is code, unless it continues a paragraph. */
export const CODE_INDENT = 4

/** Incremental parser for the start of a line. Reads each code unit once, however the text is chunked. */
export class LineStart {
  /** True if the line contains more than white space, list markers and `>`. */
  hasText = false
  /** Number of `>` before its text. */
  quotes = 0
  /** The column at which the line's text starts, or will start. */
  column = 0
  /** The column at which the text of each open list item starts. */
  readonly #items: number[] = []
  /** Number of items that this line opened, and whether the text of the last one has yet to come. */
  #opened = 0
  #isItemEmpty = false
  /** The possible marker of a list item: its number, or the whole marker. */
  #marker: 'none' | 'number' | 'whole' = 'none'
  #width = 0
  /** True if the text has started, or was preceded by a line break. */
  #hasBegun = false
  #isBehindBreak = false

  /** Column at which the text of the innermost list item starts. */
  get base(): number {
    return this.#items.at(-1) ?? 0
  }

  /** True for an indented line. The indentation of a quoted line doesn't matter, because the whole line is quoted. */
  get isIndented(): boolean {
    return this.quotes === 0 && this.column - this.base >= CODE_INDENT
  }

  beginLine(): void {
    // Markers alone are a horizontal rule, or a list item without text.
    if (!this.hasText) this.#items.length -= this.#opened
    this.hasText = this.#isItemEmpty = false
    this.quotes = this.column = this.#opened = 0
    this.#marker = 'none'
    this.#isBehindBreak = true
  }

  /**
   * Reads a code unit of the line. Returns true for the first unit of the line's text, unless the text started with a possible list marker.
   * @param isInFence True in a code fence, where no list starts or ends.
   */
  take(unit: string, isInFence = false): boolean {
    if (this.hasText || unit === '\r') return false
    if (unit === ' ' || unit === '\t') {
      this.#takeSpace(unit)
      return false
    }
    if (this.#marker === 'none') return this.#begin(unit, isInFence)
    if (this.#marker === 'whole') this.hasText = true
    else if (unit === '.' || unit === ')') this.#marker = 'whole'
    else this.hasText = !isDigit(unit)
    this.#width++
    return false
  }

  /**
   * Handles text that starts at this column: ends list items whose text starts further in. Text that starts with a line break and white
   * space is indented as a whole, like an item.
   */
  settle(): void {
    if (!this.#hasBegun && this.#isBehindBreak) this.#items.push(this.column)
    this.#hasBegun = true
    if (this.#isItemEmpty) {
      this.#isItemEmpty = false
      // With more white space, the item starts with code.
      if (this.column - this.base < CODE_INDENT) this.#items[this.#items.length - 1] = this.column
    } else while (this.quotes === 0 && this.column < this.base) this.#items.pop()
  }

  #takeSpace(unit: string): void {
    if (this.#marker === 'number') {
      this.hasText = true
      return
    }
    if (this.#marker === 'whole') {
      this.column += this.#width
      this.#marker = 'none'
      if (this.quotes === 0) this.#open(this.column + 1)
    }
    this.column += unit === '\t' ? CODE_INDENT - (this.column % CODE_INDENT) : 1
  }

  #begin(unit: string, isInFence: boolean): boolean {
    if (!isInFence) this.settle()
    this.#width = 1
    if (isInFence ? unit !== '>' : !MARKERS.has(unit) || this.isIndented) this.hasText = true
    else if (unit === '>') {
      this.quotes++
      this.column++
    } else this.#marker = isDigit(unit) ? 'number' : 'whole'
    return this.hasText
  }

  #open(column: number): void {
    this.#items.push(column)
    this.#opened++
    this.#isItemEmpty = true
  }
}

const MARKERS = new Set('>-*+0123456789')

function isDigit(unit: string): boolean {
  return unit >= '0' && unit <= '9'
}
