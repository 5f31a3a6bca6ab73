/** Tracks whether the current position is inside a code fence, where calls are examples. */
import { CODE_INDENT, LineStart } from './line-start.ts'

interface Fence {
  /** Character of the fence: a backtick or a tilde. */
  readonly unit: string
  /** Minimum number of characters in a run that closes the fence. */
  length: number
  /** Number of `>` characters before the fence. */
  readonly quotes: number
  /** Column from which a line counts as indented code. */
  readonly code: number
  /** True if the fence starts at column `code` or further right. It is then part of indented code, or was indented by mistake. */
  readonly isIndented: boolean
}

/**
 * Position on the line: before its text, in a run of fence characters, after a run that opened or closed a fence, or in the rest
 * of the line.
 */
type Place = 'start' | 'run' | 'opened' | 'closed' | 'rest'

/**
 * Tracks code fences. A fence starts with three or more backticks or tildes at the start of a line, after an optional `>` and
 * list marker. At least as many of the same characters close it, alone on a line that isn't indented code. Reads each character
 * once, however the text is split.
 */
export class FenceTracker {
  isOpen = false
  /** The last fence that was opened. */
  #fence: Fence = { unit: '', length: 0, quotes: 0, code: 0, isIndented: false }
  #place: Place = 'start'
  readonly #start = new LineStart()
  #unit = ''
  #run = 0

  push(text: string): void {
    for (let at = 0; at < text.length; at++) {
      if (this.#place === 'rest') {
        at = text.indexOf('\n', at)
        if (at < 0) return
      }
      const unit = text.charAt(at)
      if (unit === '\n') {
        this.#place = 'start'
        this.#start.beginLine()
        this.#run = 0
      } else if (this.#place === 'start') this.#place = this.#begin(unit)
      else if (this.#place === 'run') this.#place = unit === this.#unit ? this.#count() : 'rest'
      else this.#place = this.#place === 'opened' ? this.#behindOpened(unit) : this.#behindClosed(unit)
    }
  }

  /** Ignores a fence that the last pushed text opened, because that text wasn't prose. */
  leave(): void {
    this.isOpen = false
    this.#place = 'rest'
  }

  #begin(unit: string): Place {
    const isFirst = this.#start.take(unit, this.isOpen)
    if (!this.#start.hasText) return 'start'
    if (!isFirst || (unit !== '`' && unit !== '~')) return 'rest'
    this.#unit = unit
    return this.#count()
  }

  #count(): Place {
    if (++this.#run < SHORTEST) return 'run'
    const { quotes, column, base } = this.#start
    const isIndented = quotes === 0 && column >= (this.isOpen ? this.#fence.code : base + CODE_INDENT)
    // If an indented fence seems to be open, it was only code, so an unindented run opens a fence.
    if (!this.isOpen || (this.#fence.isIndented && !isIndented)) {
      this.#fence = { unit: this.#unit, length: this.#run, quotes, code: base + CODE_INDENT, isIndented }
      this.isOpen = true
      return 'opened'
    }
    const { unit, length } = this.#fence
    if (this.#unit !== unit || quotes !== this.#fence.quotes || isIndented !== this.#fence.isIndented) return 'rest'
    if (this.#run < length) return 'run'
    this.isOpen = false
    return 'closed'
  }

  /**
   * Reads the text after a run of fence characters: more of them, or a language. If a fence character occurs again on the line,
   * the run is inline code or decoration.
   */
  #behindOpened(unit: string): Place {
    if (unit !== this.#fence.unit) {
      this.#run = 0
      return 'opened'
    }
    if (this.#run > 0) {
      this.#fence.length = ++this.#run
      return 'opened'
    }
    this.isOpen = false
    return 'rest'
  }

  /** Reads the text after a run that closed the fence. If anything other than white space follows, the run didn't close it. */
  #behindClosed(unit: string): Place {
    if (unit === this.#unit && this.#run > 0) return 'closed'
    this.#run = 0
    this.isOpen = !isSpace(unit)
    return this.isOpen ? 'rest' : 'closed'
  }
}

const SHORTEST = 3

function isSpace(unit: string): boolean {
  return unit === ' ' || unit === '\t' || unit === '\r'
}
