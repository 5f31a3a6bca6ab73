/** Whether the text is inside a code fence: what stands there is an example. */

/** A fence is three back-ticks at the beginning of a line, behind white space at most. */
export class FenceTracker {
  isOpen = false
  /** Only white space has come on this line. */
  #isAtLineStart = true

  push(text: string): void {
    const line = text.lastIndexOf('\n')
    const isBlank = /^[ \t]*$/.test(text.slice(line + 1))
    this.#isAtLineStart = line >= 0 ? isBlank : this.#isAtLineStart && isBlank
  }

  /** Three back-ticks have come. */
  toggle(): void {
    if (this.#isAtLineStart) this.isOpen = !this.isOpen
    this.#isAtLineStart = false
  }
}
