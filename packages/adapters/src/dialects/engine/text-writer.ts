/** Gives text away as deltas; white space beside what was taken out of it is dropped. */
import type { LMDelta } from '../../protocol/protocol.ts'

export class TextWriter {
  /** True until something other than white space was given away. */
  isEmpty = true
  readonly #type: 'text' | 'reasoning'
  readonly #report: (delta: LMDelta) => void
  #isSkipping = false
  /** White space that may turn out to stand at an edge. */
  #space = ''

  constructor(type: 'text' | 'reasoning', report: (delta: LMDelta) => void) {
    this.#type = type
    this.#report = report
  }

  /** White space that comes next belongs to what was taken out, unless text follows it and comes before it. */
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

  /** Space behind a block is given when text follows; between two blocks, or at the beginning, it is not. */
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
