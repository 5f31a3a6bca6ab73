/** Emits text as deltas. Omits white space next to removed text. */
import type { LMDelta } from '../../protocol/protocol.ts'

export class TextWriter {
  /** True until non-blank text is emitted. */
  isEmpty = true
  readonly #type: 'text' | 'reasoning'
  readonly #report: (delta: LMDelta) => void
  #isSkipping = false
  /** White space that is held back, because it may be at the start or end of the text. */
  #space = ''

  constructor(type: 'text' | 'reasoning', report: (delta: LMDelta) => void) {
    this.#type = type
    this.#report = report
  }

  /** Treats the following white space as part of the removed text, unless there is text on both sides. */
  skipSpace(): void {
    this.#isSkipping = true
    this.#space = ''
  }

  write(text: string): void {
    const given = this.#isSkipping ? this.#withSpace(text) : text
    if (given === '') return
    if (this.isEmpty && given.trim() !== '') this.isEmpty = false
    this.#report({ type: this.#type, text: given })
  }

  /** Emits white space after a block only if text follows: not between two blocks and not at the start. */
  #withSpace(text: string): string {
    const start = text.search(/\S/)
    if (start < 0) {
      this.#space += text
      return ''
    }
    const space = this.isEmpty ? '' : this.#space + text.slice(0, start)
    this.#space = ''
    this.#isSkipping = false
    return space + text.slice(start)
  }
}
