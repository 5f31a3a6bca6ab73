/** Finds the end of strings and words in a custom notation, even without delimiters. */
import { isSpace, type Reading, type TextInput } from '../../engine/text-input.ts'
import type { LiteralMarks } from './literal-marks.ts'

/**
 * Reads a string, starting after its opening delimiter. Emits its text as it arrives. `closed`: the closing delimiter was
 * consumed. `bare`: it is missing, and the block ends here. Closing brackets at the end, up to `depth`, then close the call and
 * its open values and aren't part of the text.
 */
export function* readDelimited(
  input: TextInput,
  marks: LiteralMarks,
  depth: number,
  give: (text: string) => void,
): Reading<'closed' | 'bare' | 'cut'> {
  const tail = new HeldTail(give)
  for (;;) {
    const end = yield* input.before(marks.edges, tail.push)
    if (end === undefined) return tail.endCut()
    if (end === 'close' && (tail.hasBrace || (yield* input.peek(marks.seam)) !== undefined)) {
      tail.endBare(depth)
      return 'bare'
    }
    const mark = yield* input.take(marks.edges)
    if (end === 'close') tail.hold(mark)
    else {
      tail.endWhole()
      return 'closed'
    }
  }
}

/**
 * Holds back the end of a string. If the closing delimiter is missing, this text may be closing brackets and the end of the
 * block.
 */
class HeldTail {
  /** True if the held text contains a closing brace. */
  hasBrace = false
  #held = ''
  /** Position of the first end marker in the held text. -1 if there is none. */
  #mark = -1
  readonly #give: (text: string) => void

  constructor(give: (text: string) => void) {
    this.#give = give
  }

  readonly push = (piece: string): void => {
    let end = piece.length
    while (end > 0 && isOfTail(piece.charCodeAt(end - 1))) end--
    if (end > 0) {
      this.#give(this.#held + piece.slice(0, end))
      this.#held = ''
      this.#mark = -1
      this.hasBrace = false
    }
    const rest = piece.slice(end)
    this.#held += rest
    this.hasBrace ||= rest.includes('}')
  }

  /** Holds back an end marker that may be part of the text. */
  hold(mark: string): void {
    if (this.#mark < 0) this.#mark = this.#held.length
    this.#held += mark
  }

  endWhole(): void {
    if (this.#held !== '') this.#give(this.#held)
  }

  endBare(depth: number): void {
    let end = this.#mark < 0 ? this.#held.length : this.#mark
    for (let missing = depth; missing > 0 && end > 0; end--) if (this.#held.charCodeAt(end - 1) > 0x20) missing--
    if (end > 0) this.#give(this.#held.slice(0, end))
  }

  /** Handles the end of the text. An end marker that nothing follows ends the block. */
  endCut(): 'bare' | 'cut' {
    if (this.#mark >= 0) {
      this.endBare(0)
      return 'bare'
    }
    this.endWhole()
    return 'cut'
  }
}

function isOfTail(code: number): boolean {
  return code <= 0x20 || code === 0x7d || code === 0x5d
}

/** Reads a string in JSON or Python quotes. Returns undefined if the text ends inside the string. */
export function* readQuoted(input: TextInput, marks: LiteralMarks): Reading<string | undefined> {
  const quote = yield* input.peek()
  const stops = `${quote}\\${marks.edges.firstUnits}`
  let raw = ''
  input.at++
  for (;;) {
    raw += yield* input.takeWhile((code) => !stops.includes(String.fromCharCode(code)))
    const unit = yield* input.peek()
    if (unit === '') return undefined
    if (unit === quote) {
      input.at++
      const space = yield* input.takeWhile(isSpace)
      const next = yield* input.peek()
      // With any other text after it, the quote is an unescaped part of the string.
      if (next === '' || ',}]'.includes(next) || (yield* input.peek(marks.edges)) !== undefined) return decode(raw, quote)
      raw += quote + space
    } else if (unit === '\\') raw += yield* input.takeWhile(() => true, 2)
    else if ((yield* input.peek(marks.edges)) !== undefined) return decode(raw, quote)
    else raw += yield* input.takeWhile(() => true, 1)
  }
}

/** Decodes JSON's escapes in double quotes. In single quotes, only `\'` is an escape. */
function decode(raw: string, quote: string): string {
  if (quote === "'") return raw.replaceAll("\\'", "'")
  return raw.replace(/\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g, (written) => JSON.parse(`"${written}"`))
}

/** What may follow an unquoted value. This determines where it may end. */
export interface BarePlace {
  readonly isInList: boolean
  /** True if the value may be a string, so that it may contain commas and braces. */
  readonly mayBeText: boolean
  /** Returns true if text that follows a comma may be the next key. */
  readonly mayBeKey: (key: string) => boolean
}

export interface BareValue {
  readonly text: string
  /**
   * Where the value ended. `before`: before the following text. `key`: after the next key and its colon. `brace`: after a closing brace.
   * `cut`: at the end of the text.
   */
  readonly end: 'before' | 'key' | 'brace' | 'cut'
  readonly nextKey?: string | undefined
}

/**
 * Reads an unquoted number, word or string. A string ends where the text that follows can only be syntax, such as a comma, a key
 * and its colon.
 */
export function* readBare(input: TextInput, marks: LiteralMarks, place: BarePlace): Reading<BareValue> {
  const { isInList, mayBeText } = place
  const stops = `,{}[]${marks.edges.firstUnits}`
  let text = ''
  let depth = 0
  for (;;) {
    text += yield* input.takeWhile((code) => !stops.includes(String.fromCharCode(code)))
    const unit = yield* input.peek()
    if (unit === '') return { text, end: 'cut' }
    if ((yield* input.peek(marks.edges)) !== undefined) return { text, end: 'before' }
    const isEnd = isInList ? depth === 0 : !mayBeText || isLiteral(text)
    if (isEnd && ',}]'.includes(unit)) return { text, end: 'before' }
    text += unit
    input.at++
    if (unit === '{' || unit === '[') depth++
    else if (unit === ',' && !isInList) {
      const { key, taken } = yield* readNextKey(input, place)
      if (key !== undefined) return { text: text.slice(0, -1), end: 'key', nextKey: key }
      text += taken
    } else if (unit === '}' && depth === 0) {
      const space = yield* input.takeWhile(isSpace)
      const next = yield* input.peek()
      const isLast = next === '' || ',}]'.includes(next) || (yield* input.peek(marks.behindCall)) !== undefined
      if (isLast) return { text: text.slice(0, -1), end: 'brace' }
      text += space
    } else if (unit !== ',' && depth > 0) depth--
  }
}

/** Reads a key and its colon after a comma. If there is none, returns the text that it consumed to find out. */
function* readNextKey(input: TextInput, { mayBeKey }: BarePlace): Reading<{ key?: string; taken: string }> {
  const space = yield* input.takeWhile(isSpace)
  const quote = yield* input.takeWhile((code) => code === 0x22 || code === 0x27, 1)
  const key = yield* input.takeWhile(isOfKey, LONGEST_KEY)
  const rest = yield* input.takeWhile((code) => quote !== '' && code === quote.charCodeAt(0), 1)
  const after = yield* input.takeWhile(isSpace)
  const taken = space + quote + key + rest + after
  if (key === '' || quote !== rest || (yield* input.peek()) !== ':' || !mayBeKey(key)) return { taken }
  input.at++
  return { key, taken }
}

const LONGEST_KEY = 128

/** Returns true for a character of a key: a letter of any language, a digit, `_`, `-` or `.`. */
export function isOfKey(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    ((code | 0x20) - 0x61) >>> 0 < 26 ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e ||
    code > 0x7f
  )
}

/** Returns true for a value that isn't a string: a number, `true`, `false` or `null`. */
export function isLiteral(text: string): boolean {
  return text.length < LONGEST_NUMBER && /^\s*(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\s*$/.test(text)
}

const LONGEST_NUMBER = 400
