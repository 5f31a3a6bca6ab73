/** The input of readers. Holds the received text and the reader's position, and waits for more text. */
import type { MarkerMatch, MarkerSet } from './marker.ts'

/** A reader consumes the received text and then waits. Each `yield` waits for more text, or for its end. */
export type Reading<Value = void> = Generator<undefined, Value, void>

/**
 * Scans text as it arrives. `push` returns the position in `text` where the scanned part ends, or -1 if it continues; see
 * `TextInput.scan`.
 */
export interface TextScanner {
  push(text: string, from: number): number
}

export interface FoundMarker<Key extends string> {
  readonly key: Key
  /** The marker as the model wrote it. */
  readonly text: string
}

export class TextInput {
  /** Received text that hasn't been discarded yet. */
  text = ''
  /** The position of the reader. */
  at = 0
  isEnded = false
  /** True once a value without its close tag was found. */
  hasOpenValue = false
  /** Text since the mark that has already been discarded from `text`. */
  #kept = ''
  /** Position in `text` of the first character after `#kept`, or -1 without a mark. */
  #keptTo = -1
  /**
   * The condition that the reader is waiting for. Checking it is faster than resuming the reader, which consists of many nested
   * generators.
   */
  #step: (() => boolean) | undefined

  /** Appends text. Must not be called while the reader is running. Returns false if the reader doesn't have to resume yet. */
  append(piece: string): boolean {
    if (this.#keptTo >= 0) {
      this.#kept += this.text.slice(this.#keptTo, this.at)
      this.#keptTo = 0
    }
    this.text = this.at === this.text.length ? piece : this.text.slice(this.at) + piece
    this.at = 0
    if (this.#step === undefined) return true
    if (!this.#step()) return false
    this.#step = undefined
    return true
  }

  /** Sets the mark, from which text is recorded; see `sinceMark`. */
  mark(at = this.at): void {
    this.#kept = ''
    this.#keptTo = at
  }

  /** Returns the text since the mark, and removes the mark. */
  sinceMark(): string {
    const text = this.#kept + this.text.slice(this.#keptTo, this.at)
    this.unmark()
    return text
  }

  /**
   * Puts back text that was already consumed, so that it is read again. Each text is put back at most once, so that the total
   * time stays linear.
   */
  rewind(text: string): void {
    this.text = text
    this.at = 0
  }

  /** Number of characters since the mark. */
  get marked(): number {
    return this.#kept.length + this.at - this.#keptTo
  }

  /** Moves the mark forward by a number of characters. Returns these characters. */
  moveMark(units: number): string {
    const text = this.sinceMark()
    this.mark()
    this.#kept = text.slice(units)
    return text.slice(0, units)
  }

  /** Returns the text from an offset after the mark, without moving the mark. */
  peekMarked(units: number): string {
    if (this.#keptTo < 0) return ''
    return (this.#kept + this.text.slice(this.#keptTo, this.at)).slice(units)
  }

  unmark(): void {
    this.#kept = ''
    this.#keptTo = -1
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length && this.isEnded
  }

  /** Returns the next UTF-16 code unit without consuming it, or an empty string at the end of the text. */
  peek(): Reading<string>
  /** Returns the key of the marker at this position without consuming it, or undefined. */
  peek<Key extends string>(markers: MarkerSet<Key>): Reading<Key | undefined>
  *peek(markers?: MarkerSet): Reading<string | undefined> {
    if (markers !== undefined) return (yield* this.#match(markers))?.key
    while (this.at === this.text.length && !this.isEnded) yield
    return this.text.charAt(this.at)
  }

  /** Consumes JSON white space. */
  *skipSpace(): Reading {
    for (;;) {
      while (this.at < this.text.length && isSpace(this.text.charCodeAt(this.at))) this.at++
      if (this.at < this.text.length || this.isEnded) return
      yield
    }
  }

  /** Consumes and returns characters while the predicate is true, up to `most` characters. */
  *takeWhile(isWanted: (code: number) => boolean, most = Number.POSITIVE_INFINITY): Reading<string> {
    let taken = ''
    for (;;) {
      const start = this.at
      const stop = Math.min(this.text.length, start + most - taken.length)
      while (this.at < stop && isWanted(this.text.charCodeAt(this.at))) this.at++
      taken += this.text.slice(start, this.at)
      if (this.at < this.text.length || this.isEnded || taken.length >= most) return taken
      yield
    }
  }

  /** Consumes the marker at this position and returns its key, or undefined if there is none. */
  *match<Key extends string>(markers: MarkerSet<Key>): Reading<Key | undefined> {
    const found = yield* this.#match(markers)
    if (found !== undefined) this.at = found.end
    return found?.key
  }

  *#match<Key extends string>(markers: MarkerSet<Key>): Reading<MarkerMatch<Key> | undefined> {
    for (;;) {
      const found = markers.match(this.text, this.at, this.isEnded)
      if (found === undefined || found.key !== undefined) return found
      yield
    }
  }

  /**
   * Emits the text before the next marker as it arrives, and stops before the marker. Returns its key. If there is no marker,
   * emits all text and returns undefined.
   */
  *before<Key extends string>(markers: MarkerSet<Key>, give: (text: string) => void): Reading<Key | undefined> {
    let key: Key | undefined
    yield* this.#wait(() => {
      const found = markers.find(this.text, this.at, this.isEnded)
      const start = found?.start ?? this.text.length
      if (start > this.at) give(this.#slice(start))
      this.at = start
      key = found?.key
      return key !== undefined
    })
    return key
  }

  /**
   * Passes the text before the next marker to `isLast` until that returns true. The pieces start small and grow, so that little
   * text is scanned needlessly.
   */
  *pass(markers: MarkerSet, isLast: (text: string) => boolean): Reading {
    let most = FIRST_PIECE
    yield* this.#wait(() => {
      for (; ; most *= 2) {
        const ahead = this.text.slice(this.at, this.at + most)
        const isRest = this.at + most >= this.text.length
        const found = markers.find(ahead, 0, this.isEnded && isRest)
        const text = ahead.slice(0, found?.start)
        this.at += text.length
        if ((text !== '' && isLast(text)) || found?.key !== undefined) return true
        if (isRest) return false
      }
    })
  }

  /** Puts back the end of the consumed text, so that it is read again. */
  giveBack(text: string): void {
    const earlier = Math.max(0, text.length - this.at)
    this.at -= text.length - earlier
    if (earlier === 0) return
    // `#kept` already contains this text, so it is removed from it.
    this.#kept = this.#kept.slice(0, -earlier)
    this.rewind(text.slice(0, earlier) + this.text)
  }

  /** Like `before`, but also consumes the marker. */
  *until<Key extends string>(markers: MarkerSet<Key>, give: (text: string) => void): Reading<FoundMarker<Key> | undefined> {
    const key = yield* this.before(markers, give)
    if (key === undefined) return undefined
    // `before` has waited for the end of the marker, so it is complete.
    const { at } = this
    this.at = markers.match(this.text, at, this.isEnded)?.end ?? at
    return { key, text: this.text.slice(at, this.at) }
  }

  /** Consumes the marker at this position and returns its text, or an empty string. */
  *take(markers: MarkerSet): Reading<string> {
    const found = yield* this.#match(markers)
    const { at } = this
    this.at = found?.end ?? at
    return this.text.slice(at, this.at)
  }

  /** Returns true if the text ends here or inside a marker that starts here. Call this after `match` found no marker. */
  hasBegun(markers: MarkerSet): boolean {
    const found = markers.match(this.text, this.at, false)
    return found !== undefined && found.key === undefined
  }

  /** Like `hasBegun`, but also consumes the partial marker. */
  takeBegun(markers: MarkerSet): boolean {
    const hasBegun = this.hasBegun(markers)
    if (hasBegun) this.at = this.text.length
    return hasBegun
  }

  /** Passes text to a scanner until the scanner is done or the text ends. Returns true if the scanner is done. */
  *scan(scanner: TextScanner, give?: (text: string) => void): Reading<boolean> {
    return yield* this.#wait(() => {
      const end = scanner.push(this.text, this.at)
      const stop = end < 0 ? this.text.length : end
      if (give !== undefined && stop > this.at) give(this.#slice(stop))
      this.at = stop
      return end >= 0
    })
  }

  /** Tries a step now, after each new piece, and at the end of the text. Returns true once the step has succeeded. */
  *#wait(step: () => boolean): Reading<boolean> {
    if (step()) return true
    if (this.isEnded) return false
    this.#step = step
    while (this.#step !== undefined && !this.isEnded) yield
    if (this.#step === undefined) return true
    this.#step = undefined
    return step()
  }

  #slice(end: number): string {
    return this.at === 0 && end === this.text.length ? this.text : this.text.slice(this.at, end)
  }
}

const FIRST_PIECE = 64

/** Returns true for JSON white space. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Returns true for the letters a to z. */
export function isLowerCase(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

/** Returns true for the letters a to z and A to Z. */
export function isLetter(code: number): boolean {
  return isLowerCase(code | 0x20)
}

/** Returns true if the text contains a letter or a digit. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
