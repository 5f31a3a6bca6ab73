/** How a line begins: its indentation, the markers of lists and `>`, as CommonMark reads them. */

/** Text with this much indentation is code, unless it continues a paragraph. */
export const CODE_INDENT = 4

/** Takes each unit of a line once, however the text is cut. */
export class LineStart {
  /** The line has more than white space, markers of lists and `>`. */
  hasText = false
  /** How many `>` stand before its text. */
  quotes = 0
  /** Where its text begins, or will. */
  column = 0
  /** Where the text of each open list item begins. */
  readonly #items: number[] = []
  /** How many of them this line opened, and whether the text of the last one is still to come. */
  #opened = 0
  #isItemEmpty = false
  /** What may become the marker of a list item: its number, or all of it. */
  #marker: 'none' | 'number' | 'whole' = 'none'
  #width = 0
  /** The text has begun, or was preceded by a line break. */
  #hasBegun = false
  #isBehindBreak = false

  /** Where the text of the innermost list item begins. */
  get base(): number {
    return this.#items.at(-1) ?? 0
  }

  /** A quoted line is quoted as a whole: its indentation is not looked at. */
  get isIndented(): boolean {
    return this.quotes === 0 && this.column - this.base >= CODE_INDENT
  }

  beginLine(): void {
    // Markers alone are a rule, or an item without text.
    if (!this.hasText) this.#items.length -= this.#opened
    this.hasText = this.#isItemEmpty = false
    this.quotes = this.column = this.#opened = 0
    this.#marker = 'none'
    this.#isBehindBreak = true
  }

  /**
   * Takes a unit of the line. True for the first one of its text, unless that began with what looked like the marker of a list item.
   * @param isInFence In a code fence no list begins or ends.
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
   * Text begins at this column: list items end whose text begins further in. A text that begins with a line break and white space is
   * indented as a whole, as an item is.
   */
  settle(): void {
    if (!this.#hasBegun && this.#isBehindBreak) this.#items.push(this.column)
    this.#hasBegun = true
    if (this.#isItemEmpty) {
      this.#isItemEmpty = false
      // Behind more white space the item begins with code.
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
