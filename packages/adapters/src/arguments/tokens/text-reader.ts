/** Reads strings in double quotes as they arrive. All other tokens are read once they are complete. */
import type { Builder } from '../scanner/builder.ts'
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, PLUS, QUOTE } from '../scanner/characters.ts'
import { type Cursor, WAIT, type Wait } from '../scanner/cursor.ts'
import { lookAhead, skipToToken } from '../scanner/skip.ts'
import { readEscape } from './escape.ts'
import { isQuotedKey, type Quoted, readQuoted } from './quoted.ts'
import { isTextEnd } from './text-end.ts'

/** How the string ended. `member`: its closing quote was missing, its comma has been read, and the next member follows. */
export type TextEnd = 'value' | 'member' | Wait

/** The unescaped quotes inside the string: none, an unpaired one, pairs, or an inch sign. */
type Inner = 'none' | 'open' | 'pairs' | 'inches'

export class TextReader {
  readonly #cursor: Cursor
  readonly #builder: Builder
  #inner: Inner = 'none'

  constructor(cursor: Cursor, builder: Builder) {
    this.#cursor = cursor
    this.#builder = builder
  }

  /** Starts a string at its opening quote. */
  open(): void {
    this.#inner = 'none'
    this.#cursor.hasQuotes = true
    this.#cursor.beginText()
    this.#cursor.at++
    this.#builder.openText()
  }

  /** Adds a complete string, joined with any strings that follow a `+`. */
  addWhole({ text, end }: Quoted): void {
    this.#builder.openText()
    this.#builder.addText(text)
    this.#closeOdd(end)
  }

  /** Reads to the end of the string, or as far as the received text allows. */
  read(): TextEnd {
    const cursor = this.#cursor
    const { text } = cursor
    let from = cursor.at
    let at = from
    for (;;) {
      at = nextSpecial(text, at)
      const code = text.charCodeAt(at)
      if (code < 0x20) {
        cursor.tags.add('control_character')
        at++
        continue
      }
      if (at > from) this.#builder.addRaw(from === 0 && at === text.length ? text : text.slice(from, at))
      cursor.at = at
      if (at === text.length) return cursor.isFinal ? cursor.refuse('truncated') : WAIT
      if (code === BACKSLASH) {
        const escaped = readEscape(cursor, at, this.#before)
        if (escaped === WAIT) return WAIT
        this.#builder.addText(escaped.text)
        at += escaped.length
      } else {
        const end = this.#endAt(at)
        if (end !== undefined) return end
        // The quote is part of the string.
        this.#builder.addText('"')
        at++
      }
      from = at
      cursor.at = at
    }
  }

  readonly #before = (): string => {
    const { certain, lastCharacter } = this.#builder
    return certain.length === 2 ? certain : lastCharacter
  }

  /** Decides whether and how the quote at `at` ends the string. Returns undefined if the quote is part of the string. */
  #endAt(at: number): TextEnd | undefined {
    const cursor = this.#cursor
    const { kind } = this.#builder.frame
    if (this.#inner !== 'open') {
      const next = cursor.text.charCodeAt(at + 1)
      const isPlain = kind !== 'root' && (next === COMMA || next === CLOSE_BRACE || next === CLOSE_BRACKET)
      const isEnd = isPlain || isTextEnd(cursor, at + 1, kind)
      if (isEnd === WAIT) return WAIT
      if (isEnd) return isPlain ? this.#close(at + 1) : this.#closeOdd(at + 1)
    }
    if (!cursor.isFinal) return cursor.waitForEnd()
    if (this.#isQuoteMissing(at)) return this.#closeBefore(at)
    this.#inner = this.#nextInner(at)
    cursor.tags.add('unescaped_quote')
    return undefined
  }

  #close(end: number): TextEnd {
    this.#cursor.take(end)
    this.#builder.closeText()
    return 'value'
  }

  /** Closes the string, joined with any strings that follow a `+`. Joined strings are read once the text is complete. */
  #closeOdd(end: number): TextEnd {
    const cursor = this.#cursor
    // In `"3," "b"`, the comma inside the string may be the one that is missing outside.
    if (this.#builder.lastCharacter === ',' && this.#isCommaMissing(end)) return cursor.refuse('missing_comma', end)
    let from = end
    while (cursor.isFinal) {
      const plus = lookAhead(cursor, from)
      if (plus === WAIT || cursor.text.charCodeAt(plus.at) !== PLUS) break
      const ahead = lookAhead(cursor, plus.at + 1)
      const quoted = ahead === WAIT ? WAIT : readQuoted(cursor, ahead.at)
      if (quoted === WAIT) break
      this.#passGap(from)
      this.#passGap(plus.at + 1)
      cursor.tags.add('concatenated')
      this.#builder.addText(quoted.text)
      from = quoted.end
    }
    return this.#close(from)
  }

  /** Skips white space and comments from `from` on. Adds the same tags as between other tokens. */
  #passGap(from: number): void {
    this.#cursor.at = from
    this.#cursor.isValueDue = false
    skipToToken(this.#cursor)
  }

  #isCommaMissing(end: number): boolean {
    const ahead = lookAhead(this.#cursor, end)
    return ahead !== WAIT && ahead.at < this.#cursor.text.length && !',:}])+;'.includes(this.#cursor.text.charAt(ahead.at))
  }

  /**
   * Returns true if the closing quote is missing: the string should have ended before a comma, and this quote opens the next
   * member. Returns false if the string may end here, because it is empty or ends with white space, a quote or a tag. Also
   * returns false if it looks like another kind of value, such as a number, because its opening quote may be extra.
   */
  #isQuoteMissing(at: number): boolean {
    const { held, frame, certain } = this.#builder
    if (this.#inner !== 'none' || !held.startsWith(',') || /(?:^|["'`“”‘’\s]|<[^<>]*>)$/.test(certain) || isValue(certain))
      return false
    if (frame.kind === 'object') return isQuotedKey(this.#cursor, at) === true
    return held.includes('\n') && /^"[^"\\\n]*"\s*[,\]]/.test(this.#cursor.text.slice(at, at + 1_000))
  }

  #closeBefore(at: number): TextEnd {
    this.#cursor.missQuote(at)
    this.#builder.closeText(false)
    this.#cursor.take(at)
    return 'member'
  }

  #nextInner(at: number): Inner {
    const before = this.#builder.lastCharacter
    const after = this.#cursor.text.charAt(at + 1)
    const isBeforeStructure = after === '' || ',}]:，'.includes(after)
    if (this.#inner === 'open') {
      return before > ' ' && before !== ',' && !isBeforeStructure ? 'pairs' : this.#cursor.refuse('unescaped_quote', at)
    }
    if (this.#inner === 'none' && this.#isInches(before, after)) return 'inches'
    const opens = before !== '' && ' \n\t\r([=>'.includes(before) && after > ' ' && after !== '"' && !isBeforeStructure
    return opens && this.#inner !== 'inches' ? 'open' : this.#cursor.refuse('unescaped_quote', at)
  }

  #isInches(before: string, after: string): boolean {
    const { kind } = this.#builder.frame
    const isRoot = kind === 'root'
    // In `["24" screen", "x"]`, the quote after 24 may end the string.
    if (kind === 'list' || kind === 'tuple') return false
    if (before >= '0' && before <= '9') return after === ' ' || after === ')' || isRoot
    return isRoot && before > ' ' && (after === ']' || after === '}')
  }
}

function isValue(text: string): boolean {
  return /^\s*(?:[-+]?\d[\d.eE+-]*|true|false|null|None|True|False|[[{].*)\s*$/s.test(text)
}

/** Returns true for a piece without quotes, escapes and control characters. */
export function isPlain(piece: string): boolean {
  for (let at = 0; at < piece.length; at++) if (isSpecial(piece.charCodeAt(at))) return false
  return true
}

/** The characters for which `isSpecial` is true. */
const SPECIAL = /[^ !#-[\]-\uffff]/g
/** Length from which a regular expression is faster than a loop. Most pieces are shorter. */
const LONG = 32

/** Returns the position of the next quote, escape or control character, or the end of the text. */
function nextSpecial(text: string, from: number): number {
  let at = from
  for (const end = Math.min(text.length, from + LONG); at < end; at++) if (isSpecial(text.charCodeAt(at))) return at
  if (at === text.length) return at
  SPECIAL.lastIndex = at
  return SPECIAL.test(text) ? SPECIAL.lastIndex - 1 : text.length
}

function isSpecial(code: number): boolean {
  return code === QUOTE || code === BACKSLASH || code < 0x20
}
