/** Parses the start of a line as CommonMark does: indentation, list markers and `>`. */

/** Number of columns of indentation that make text code, unless it continues a paragraph. */
export const CODE_INDENT = 4

/** Parses the start of a line as it arrives. Reads each character once, however the text is split. */
export class LineStart {
  /** True if the line contains more than white space, list markers and `>`. */
  hasText = false
  /** Number of `>` characters before the text of the line. */
  quotes = 0
  /** Column at which the text of the line starts. */
  column = 0
  /** Columns at which the text of each open list item starts. */
  readonly #items: number[] = []
  /** Number of list items that this line has opened. */
  #opened = 0
  /** True if the last of these items has no text yet. */
  #isItemEmpty = false
  /** How much of a possible list marker has been read: nothing, digits, or all of it. */
  #marker: 'none' | 'number' | 'whole' = 'none'
  /** Number of characters in the possible list marker. */
  #width = 0
  /** True once the first line with text has started. */
  #hasBegun = false
  /** True after the first line break. */
  #isBehindBreak = false

  /** Column at which the innermost list item's text starts. */
  get base(): number {
    return this.#items.at(-1) ?? 0
  }

  /** True if the line is indented like code. False for a line that starts with `>`, because all of it is a quotation. */
  get isIndented(): boolean {
    return this.quotes === 0 && this.column - this.base >= CODE_INDENT
  }

  beginLine(): void {
    // A line that contains only list markers is a horizontal rule, or a list item without text.
    if (!this.hasText) this.#items.length -= this.#opened
    this.hasText = this.#isItemEmpty = false
    this.quotes = this.column = this.#opened = 0
    this.#marker = 'none'
    this.#isBehindBreak = true
  }

  /**
   * Reads a character of the line. Returns true for the first character of the line's text, unless the text started with a
   * possible list marker. `isInFence` is true in a code fence, where no list starts or ends.
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
   * Ends the list items that are indented further than this line's text. Call this at the first character of the text. If only
   * line breaks and white space precede the text, its indentation counts as that of a list item.
   */
  settle(): void {
    if (!this.#hasBegun && this.#isBehindBreak) this.#items.push(this.column)
    this.#hasBegun = true
    if (this.#isItemEmpty) {
      this.#isItemEmpty = false
      // With more white space, the item would start with indented code.
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
