/** Tracks whether the text is inside a code fence, where calls are examples. */

interface Fence {
  /** Back-tick or tilde. */
  readonly unit: string
  /** As many, or more, close it. */
  length: number
  /** Number of `>` before it. */
  readonly quotes: number
}

/**
 * The position on its line: only space, quotes and bullets before it; in the number of a list; after a bullet; in a run of fence
 * characters; after a run that opened or closed a fence; in the rest of the line.
 */
type Place = 'start' | 'number' | 'bullet' | 'run' | 'opened' | 'closed' | 'rest'

/**
 * A fence is three or more backticks or tildes at the start of a line, where `>` and a list bullet may precede it. As many of the
 * same close it. Reads each character of the text once, however it is split.
 */
export class FenceTracker {
  isOpen = false
  /** The last one that was opened. */
  #fence: Fence = { unit: '', length: 0, quotes: 0 }
  #place: Place = 'start'
  #quotes = 0
  #unit = ''
  #run = 0

  push(text: string): void {
    for (let at = 0; at < text.length; at++) {
      if (this.#place === 'rest') {
        at = text.indexOf('\n', at)
        if (at < 0) return
      }
      const unit = text.charAt(at)
      if (unit === '\n') this.#beginLine()
      else this.#place = this.#next(unit)
    }
  }

  /** The last pushed text wasn't prose: a fence that it opened is ignored. */
  leave(): void {
    this.isOpen = false
    this.#place = 'rest'
  }

  #beginLine(): void {
    this.#place = 'start'
    this.#quotes = 0
    this.#run = 0
  }

  #next(unit: string): Place {
    switch (this.#place) {
      case 'start':
        return this.#begin(unit)
      case 'number':
        if (isDigit(unit)) return 'number'
        return unit === '.' || unit === ')' ? 'bullet' : 'rest'
      case 'bullet':
        return isSpace(unit) ? 'start' : 'rest'
      case 'run':
        return unit === this.#unit ? this.#count() : 'rest'
      case 'opened':
        return this.#behindOpened(unit)
      case 'closed':
        return this.#behindClosed(unit)
      default:
        return 'rest'
    }
  }

  #begin(unit: string): Place {
    if (isSpace(unit)) return 'start'
    if (unit === '`' || unit === '~') {
      this.#unit = unit
      return this.#count()
    }
    if (unit === '>') {
      this.#quotes++
      return 'start'
    }
    // In a fence a list is part of the example.
    if (this.isOpen) return 'rest'
    if (isDigit(unit)) return 'number'
    return unit === '-' || unit === '*' || unit === '+' ? 'bullet' : 'rest'
  }

  #count(): Place {
    this.#run++
    if (!this.isOpen) {
      if (this.#run < SHORTEST) return 'run'
      this.#fence = { unit: this.#unit, length: this.#run, quotes: this.#quotes }
      this.isOpen = true
      return 'opened'
    }
    const { unit, length, quotes } = this.#fence
    if (this.#unit !== unit || this.#quotes !== quotes) return 'rest'
    if (this.#run < length) return 'run'
    this.isOpen = false
    return 'closed'
  }

  /** More of the run, or a language. The unit once more behind that makes it code in a line, or an ornament. */
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

  /** With a language it would be the beginning of another one, and belongs to the example. */
  #behindClosed(unit: string): Place {
    if (unit === this.#unit) return 'closed'
    this.isOpen = /[a-z\d]/i.test(unit)
    return 'rest'
  }
}

const SHORTEST = 3

function isSpace(unit: string): boolean {
  return unit === ' ' || unit === '\t' || unit === '\r'
}

function isDigit(unit: string): boolean {
  return unit >= '0' && unit <= '9'
}
