/** The text of a response as a reader sees it: what has come, a place in it, and a way to wait for more. */
import type { Found, MarkerSet } from './marker.ts'

/** A reader runs as far as the text goes and then waits: each `yield` is for more text, or for the end. */
export type Reading<Value = void> = Generator<undefined, Value, void>

/** Takes text as it comes and says how much of it belongs to it; -1 while it may want more. See `TextInput.scan`. */
export interface TextScanner {
  push(text: string, from: number): number
}

export interface FoundMarker<Key extends string> {
  readonly key: Key
  /** As it was written. */
  readonly text: string
}

export class TextInput {
  /** What has come and is not forgotten. */
  text = ''
  /** Where the reader is. */
  at = 0
  isEnded = false
  /** What was read since the mark and is forgotten, if a mark is set. */
  #kept = ''
  /** Where in `text` it goes on; -1 without a mark. */
  #keptTo = -1
  /** The same for a second mark, which readers don't move. */
  #held = ''
  #heldTo = -1
  /** What the reader waits for; true when it has come. Tried without the reader, which is many generators deep. */
  #step: (() => boolean) | undefined

  /** More text, only between two steps of a reader. False if the reader need not go on yet: what it waits for has not come. */
  append(piece: string): boolean {
    if (this.#keptTo >= 0) {
      this.#kept += this.text.slice(this.#keptTo, this.at)
      this.#keptTo = 0
    }
    if (this.#heldTo >= 0) this.#keepHeld()
    this.text = this.at === this.text.length ? piece : this.text.slice(this.at) + piece
    this.at = 0
    if (this.#step === undefined) return true
    if (!this.#step()) return false
    this.#step = undefined
    return true
  }

  #keepHeld(): void {
    this.#held += this.text.slice(this.#heldTo, this.at)
    this.#heldTo = 0
  }

  /** From this place on the text is remembered: see `sinceMark`. */
  mark(at = this.at): void {
    this.#kept = ''
    this.#keptTo = at
  }

  /** Everything from the mark to here. The mark is gone. */
  sinceMark(): string {
    const text = this.#kept + this.text.slice(this.#keptTo, this.at)
    this.unmark()
    return text
  }

  /** From this place on the text is remembered, whatever a reader does with its own mark: see `sinceHold`. */
  hold(at: number): void {
    this.#held = ''
    this.#heldTo = at
  }

  sinceHold(): string {
    const text = this.#held + this.text.slice(this.#heldTo, this.at)
    this.#held = ''
    this.#heldTo = -1
    return text
  }

  /** Text that was taken already is to be read again, instead of what is there: no text more than once, so that it stays linear. */
  rewind(text: string): void {
    this.text = text
    this.at = 0
  }

  /** Units from the mark to here. */
  get marked(): number {
    return this.#kept.length + this.at - this.#keptTo
  }

  /** Moves the mark so many units on, and gives what lies before it now. */
  moveMark(units: number): string {
    const text = this.sinceMark()
    this.mark()
    this.#kept = text.slice(units)
    return text.slice(0, units)
  }

  /** What was read since that many units behind the mark, which stays. */
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

  /** The next UTF-16 unit, not taken; empty at the end. */
  *peek(): Reading<string> {
    while (this.at === this.text.length && !this.isEnded) yield
    return this.text.charAt(this.at)
  }

  /** Takes JSON's white space. */
  *skipSpace(): Reading {
    for (;;) {
      while (this.at < this.text.length && isSpace(this.text.charCodeAt(this.at))) this.at++
      if (this.at < this.text.length || this.isEnded) return
      yield
    }
  }

  /** Takes units as long as they are wanted, at most `most`, and gives them. */
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

  /** The key of the marker that begins here, which is not taken; undefined if none does. */
  *sees<Key extends string>(markers: MarkerSet<Key>): Reading<Key | undefined> {
    return (yield* this.#match(markers))?.key
  }

  /** Takes the marker that begins here and gives its key; undefined and nothing taken if none does. */
  *match<Key extends string>(markers: MarkerSet<Key>): Reading<Key | undefined> {
    const found = yield* this.#match(markers)
    if (found !== undefined) this.at = found.end
    return found?.key
  }

  *#match<Key extends string>(markers: MarkerSet<Key>): Reading<Found<Key> | undefined> {
    for (;;) {
      const found = markers.match(this.text, this.at, this.isEnded)
      if (found === undefined || found.key !== undefined) return found
      yield
    }
  }

  /**
   * Gives away all text before the next marker, piece by piece, and stays before it. Its key; undefined at the end of the text,
   * when the rest has been given away too.
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

  /** Passes text before the next marker, in pieces that grow, until a piece is the last that is wanted: little is looked at in vain. */
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

  /** The end of what was taken is still to be read. */
  giveBack(text: string): void {
    const earlier = Math.max(0, text.length - this.at)
    this.at -= text.length - earlier
    if (earlier === 0) return
    // It came with pieces that are kept for the marks already.
    this.#kept = this.#kept.slice(0, -earlier)
    this.#held = this.#held.slice(0, -earlier)
    this.rewind(text.slice(0, earlier) + this.text)
  }

  /** `before`, and takes the marker. */
  *until<Key extends string>(markers: MarkerSet<Key>, give: (text: string) => void): Reading<FoundMarker<Key> | undefined> {
    const key = yield* this.before(markers, give)
    return key === undefined ? undefined : { key, text: yield* this.take(markers) }
  }

  /** Takes the marker that begins here, and gives it as it was written; empty if none does. */
  *take(markers: MarkerSet): Reading<string> {
    const found = yield* this.#match(markers)
    const { at } = this
    this.at = found?.end ?? at
    return this.text.slice(at, this.at)
  }

  /** True if the text ends here, or inside a marker that begins here. To be asked where none was found. */
  hasBegun(markers: MarkerSet): boolean {
    const found = markers.match(this.text, this.at, false)
    return found !== undefined && found.key === undefined
  }

  /** The same, and takes what has come of the marker. */
  takeBegun(markers: MarkerSet): boolean {
    const hasBegun = this.hasBegun(markers)
    if (hasBegun) this.at = this.text.length
    return hasBegun
  }

  /** Gives text to a scanner until it has what it wants, or the text ends. True if the scanner is done. */
  *scan(scanner: TextScanner, give?: (text: string) => void): Reading<boolean> {
    return yield* this.#wait(() => {
      const end = scanner.push(this.text, this.at)
      const stop = end < 0 ? this.text.length : end
      if (give !== undefined && stop > this.at) give(this.#slice(stop))
      this.at = stop
      return end >= 0
    })
  }

  /** Tries a step now, with each piece that comes, and at the end of the text. True if it had what it wants. */
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

/** As JSON has it. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** False for a text of brackets, commas and the like. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
