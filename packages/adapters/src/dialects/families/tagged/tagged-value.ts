/** Reads the value of a parameter between tags. Emits a string as it arrives. Coerces any other value once it is complete. */
import type { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import { type Marker, MarkerSet, textsOf } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'

/** Markers that may end a value. Created once per dialect. */
export class ValueEnds {
  readonly ends: MarkerSet<'close' | 'next'>
  readonly next: MarkerSet<'next'>
  readonly more?: MarkerSet<'more'> | undefined
  readonly inner: MarkerSet<'open' | 'shut' | 'close'>
  readonly #next: Marker
  readonly #never: MarkerSet
  #broken: RegExp | undefined
  #lostTag: RegExp | undefined

  /**
   * Creates the markers.
   * - `next`: markers that may follow a value, such as the next parameter or the end of the call. They also end a value without a close
   *   tag.
   * - `more`: the markers in `next` that open another parameter. Text that ends inside one of them is truncated.
   * - `never`: tags that no value contains.
   * - `open`, `shut`: the markers at the start and at the end of a call, to recognize a call that is part of a value.
   */
  constructor(close: Marker, next: Marker, more?: Marker, never: Marker = [], open: Marker = [], shut: Marker = []) {
    this.inner = new MarkerSet({ open, shut, close })
    this.#never = new MarkerSet({ never })
    this.ends = new MarkerSet({ close, next })
    this.next = new MarkerSet({ next })
    if (more !== undefined) this.more = new MarkerSet({ more })
    this.#next = next
  }

  /**
   * Returns true if an earlier close tag ended the value although another follows, because the text between the two can't be part
   * of a value.
   */
  wasClosed(tag: string, rest: string): boolean {
    this.#broken ??= toBroken(this.#next)
    return this.#broken.test(rest) || this.#never.find(tag + rest, 0, true) !== undefined
  }

  /** Returns true if a value starts with another parameter's tag that lost its first characters. */
  hasLostTag(start: string): boolean {
    if (!start.includes('>')) return false
    this.#lostTag ??= toLostTag(this.#next)
    return this.#lostTag.test(start)
  }
}

/** Maximum number of characters that a tag may have lost, and minimum number that must remain to recognize it. */
const MOST_LOST = 4
const LEAST_LEFT = 5

function toBroken(next: Marker): RegExp {
  return new RegExp(`^\\s*${anyOf(endsOf(next, MOST_LOST).filter(isLeft))}`)
}

/**
 * Returns a pattern for the rest of a tag that lost its start, such as `parameter=count>` or `parameter name="count">`. At the
 * start of a value, a few remaining characters are enough. Elsewhere, only the first character may be missing. A `<` that was
 * escaped as `\u003c` isn't missing.
 */
function toLostTag(next: Marker): RegExp {
  const ends = endsOf(next, Number.POSITIVE_INFINITY).filter((end) => end.endsWith('=') && end.length >= LEAST_AT_START)
  const whole = endsOf(next, 1).filter((end) => end.endsWith('='))
  return new RegExp(`(?:^\\s*${anyOf(ends)}|(?<!(?:u003c|<)\\s*)${anyOf(whole)})\\s*["']?[\\w.-]{1,64}["']?[^<>\\n]{0,60}>`)
}

const LEAST_AT_START = 3

/** Returns what is left of each tag without its first character, its first two, and so on up to `most`. */
function endsOf(next: Marker, most: number): readonly string[] {
  const tags = textsOf(next).map((text) => (typeof text === 'string' ? text : text.loose.replace(/^(.) /, '$1')))
  return [...new Set(tags.flatMap((tag) => Array.from({ length: Math.min(most, tag.length) }, (_, lost) => tag.slice(lost + 1))))]
}

function anyOf(texts: readonly string[]): string {
  return `(?:${texts.map((text) => text.replace(/[^\w ]/g, '\\$&').replaceAll(' ', '\\s*')).join('|') || '(?!)'})`
}

/** Returns true if the rest of a tag is recognizable. A word without punctuation may be prose. */
function isLeft(end: string): boolean {
  return end.length >= LEAST_LEFT && /[^\w\s]$/.test(end)
}

/**
 * How a value ended. `close`: at its close tag, which was consumed. `surplus`: the same, but text after the close tag was
 * dropped. `broken`: it contains an incomplete tag that may have been another parameter. `next`: its close tag is missing, and
 * the next marker follows. `cut`: the text ended inside it.
 */
export type ValueEnd = 'close' | 'surplus' | 'broken' | 'next' | 'cut'

/** Angle brackets, which may be the rest of a broken tag. */
const OF_TAG = /[<>]/

/** Returns true if the text contains an angle bracket, which may be the rest of a broken tag. */
export function hasBrokenTag(text: string): boolean {
  return OF_TAG.test(text)
}

/**
 * Emits the text up to the end of a value. The value ends at the last close tag before `next`, because code in a value may
 * contain close tags. Text between that tag and `next` is dropped. If the response ends in such text, the value is truncated.
 * `next` itself isn't consumed.
 */
export function* readTaggedValue(input: TextInput, ends: ValueEnds, give: (text: string) => void): Reading<ValueEnd> {
  const value = new OpenValue(give, ends)
  return value.end(yield* readUpToEnd(input, ends, value.give))
}

/**
 * A value whose close tag may be missing. Without a close tag, white space at the end is only layout, so it is held back from its
 * first line break on. An angle bracket in the value may be the rest of a tag.
 */
export class OpenValue {
  readonly #give: (text: string) => void
  readonly #ends: ValueEnds
  #held = ''
  #start = ''
  #hasTag = false

  constructor(give: (text: string) => void, ends: ValueEnds) {
    this.#give = give
    this.#ends = ends
  }

  readonly give = (text: string): void => {
    this.#hasTag ||= hasBrokenTag(text)
    if (this.#start.length < LONGEST_START) this.#start += text.slice(0, LONGEST_START - this.#start.length)
    const end = startOfLayout(text)
    if (this.#held === '' && end === text.length) {
      this.#give(text)
      return
    }
    if (this.#held !== '' && text.trim() === '') {
      this.#held += text
      return
    }
    if (end > 0) this.#give(this.#held + text.slice(0, end))
    this.#held = text.slice(end)
  }

  end(end: ValueEnd): ValueEnd {
    if (this.#hasTag && (end === 'next' || this.#ends.hasLostTag(this.#start))) return 'broken'
    if (end === 'next') return end
    if (this.#held !== '') this.#give(this.#held)
    return end
  }
}

/** Number of characters at the start of a value that are searched for a broken tag. */
const LONGEST_START = 200

/** Returns the position of the first line break in the white space at the end. Without one, returns the length of the text. */
function startOfLayout(text: string): number {
  let start = text.length
  for (let at = text.length - 1; at >= 0; at--) {
    const code = text.charCodeAt(at)
    if (code > SPACE) break
    if (code === LINE_FEED || code === CARRIAGE_RETURN) start = at
  }
  return start
}

const SPACE = 0x20
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

function* readUpToEnd(input: TextInput, ends: ValueEnds, give: (text: string) => void): Reading<ValueEnd> {
  let tag: string | undefined
  /** Text after a close tag. If another close tag follows, it is part of the value. */
  let held: string[] = []
  const hold = (text: string) => held.push(text)
  for (;;) {
    const end = yield* input.before(ends.ends, tag === undefined ? give : hold)
    if (end === 'next' && tag === undefined) {
      const inner = yield* takeInnerCalls(input, ends)
      if (inner === undefined) return 'next'
      give(inner)
      continue
    }
    if (end === 'next') return toSurplus(held)
    if (tag !== undefined) {
      const rest = held.join('')
      if (end === undefined && isEndOfText(rest.trimStart(), ends)) return 'close'
      if (end === 'close' && ends.wasClosed(tag, rest)) return 'broken'
      give(tag + rest)
    }
    if (end === undefined) return 'cut'
    tag = yield* input.take(ends.ends)
    held = []
  }
}

/**
 * Consumes calls that are part of a value, as in a file about tool calls: the value's close tag follows them. If it doesn't, the value
 * was never closed, and the calls are put back.
 */
export function* takeInnerCalls(input: TextInput, { inner }: Pick<ValueEnds, 'inner'>): Reading<string | undefined> {
  if (input.hasOpenValue || (yield* input.peek(inner)) !== 'open') return undefined
  let held = ''
  const hold = (text: string) => {
    held += text
  }
  for (let depth = 0; depth >= 0; ) {
    const key = yield* input.before(inner, hold)
    if (key === undefined) break
    if (key !== 'close') depth += key === 'open' ? 1 : -1
    else if (depth === 0) return held
    hold(yield* input.take(inner))
  }
  // Searching only once per reply keeps the time linear.
  input.hasOpenValue = true
  input.giveBack(held)
  return undefined
}

function toSurplus(held: readonly string[]): ValueEnd {
  if (held.some(hasBrokenTag)) return 'broken'
  return held.some((text) => text.trim() !== '') ? 'surplus' : 'close'
}

/**
 * Returns true if a value is closed when the text ends after its close tag. `rest` is the text after that tag. It must be empty,
 * or the beginning of a marker that may follow a value.
 */
function isEndOfText(rest: string, { next, more }: ValueEnds): boolean {
  if (rest === '') return true
  if (next.match(rest, 0, false) === undefined) return false
  // A single character may still become any marker.
  return rest.length === 1 || more?.match(rest, 0, false) === undefined
}

/**
 * White space that belongs to the tags instead of the value. `lines`: one line break on each side. `pair`: the same, but the one
 * at the end only if there is one at the start. `none`: no white space.
 */
export type ValueTrim = 'lines' | 'pair' | 'none'

/** Writes one value from text that arrives in pieces. */
export class TaggedValue {
  readonly #writer: ArgumentsWriter
  readonly #key: string
  readonly #isText: boolean
  readonly #trim: ValueTrim
  /** The start of the value, which is searched for a broken tag. */
  #start = ''
  #text = ''
  /** The line break at the start of the value, or undefined if it isn't known yet. */
  #break: string | undefined

  constructor(writer: ArgumentsWriter, key: string, trim: ValueTrim) {
    this.#writer = writer
    this.#key = key
    this.#isText = writer.isText(key)
    this.#trim = trim
    if (this.#isText) writer.beginText(key)
  }

  readonly give = (piece: string): void => {
    if (this.#start.length < LONGEST_START) this.#start += piece
    if (!this.#isText) {
      this.#text += piece
      return
    }
    // No earlier text is held back, and this piece doesn't end with layout.
    if (this.#text === '' && this.#break !== undefined && startOfLayout(piece) === piece.length) {
      this.#writer.text(piece)
      return
    }
    const isLayout = this.#text !== '' && this.#break !== undefined && piece.trim() === ''
    this.#text += piece
    if (isLayout) return
    if (this.#break === undefined && (this.#text === '' || this.#text === '\r')) return
    this.#skipLineBreak()
    const end = startOfLayout(this.#text)
    if (end > 0) this.#writer.text(this.#text.slice(0, end))
    this.#text = this.#text.slice(end)
  };

  /** Like `readTaggedValue`, but without an `OpenValue` in between. The input must have a mark. */
  *read(input: TextInput, ends: ValueEnds): Reading<ValueEnd> {
    const start = input.marked
    const end = yield* readUpToEnd(input, ends, this.give)
    // The marked text is a copy of the whole block so far, so it is needed only for a value without its close tag.
    if (end === 'next' && hasBrokenTag(input.peekMarked(start))) return 'broken'
    if (ends.hasLostTag(this.#start.slice(0, LONGEST_START))) return 'broken'
    if (end === 'next') this.#text = this.#text.slice(0, startOfLayout(this.#text))
    return end
  }

  end(): void {
    this.#skipLineBreak()
    const value = this.#text.slice(0, this.#text.length - this.#lineBreakLength())
    if (!this.#isText) this.#writer.coerce(this.#key, value)
    else this.#endText(value)
  }

  #endText(rest: string): void {
    if (rest !== '') this.#writer.text(rest)
    this.#writer.endText()
  }

  #skipLineBreak(): void {
    if (this.#break !== undefined) return
    this.#break = this.#trim === 'none' ? '' : (/^\r?\n/.exec(this.#text)?.[0] ?? '')
    this.#text = this.#text.slice(this.#break.length)
  }

  /**
   * Returns the length of the line break at the end if it belongs to the tag, and 0 otherwise. `\r\n` counts as one line break,
   * unless the value starts with a lone `\n`.
   */
  #lineBreakLength(): number {
    if (this.#trim === 'none' || (this.#trim === 'pair' && this.#break === '')) return 0
    const text = this.#text
    if (!text.endsWith('\n')) return 0
    return this.#break !== '\n' && text.endsWith('\r\n') ? 2 : 1
  }
}
