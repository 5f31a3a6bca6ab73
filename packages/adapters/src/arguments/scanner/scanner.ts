/** Parses JSON as it arrives. Repairs invalid text if its meaning is unambiguous. */
import { findFault } from '@x/tool-core'
import type { Limits } from '../limits.ts'
import { EXCERPT, Refused } from '../refusal.ts'
import { readStart } from '../surroundings/start.ts'
import { BARE, readRest, type Surroundings } from '../surroundings/surroundings.ts'
import { isBehindEscapedSpace, readKey } from '../tokens/key.ts'
import { readOddColon, readOddMember } from '../tokens/member.ts'
import { type ReadNumber, readNumber } from '../tokens/numbers.ts'
import { readOddValue } from '../tokens/odd-value.ts'
import type { Quoted } from '../tokens/quoted.ts'
import { isPlain, TextReader } from '../tokens/text-reader.ts'
import { Builder } from './builder.ts'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  isDigit,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './characters.ts'
import { Cursor, WAIT } from './cursor.ts'
import type { FrameKind, Node } from './frame.ts'
import type { Expected, Reading } from './reading.ts'
import { skipToToken } from './skip.ts'
import { refuseUnlikely } from './unlikely.ts'

export class Scanner implements Reading {
  readonly cursor: Cursor
  readonly builder: Builder
  expected: Expected = 'start'
  around: Surroundings = BARE
  isAfterNumber = false
  /** True if the text contains a number beyond the safe integers. */
  hasUnsafeNumber = false
  refused: Refused | undefined
  #value: unknown
  #wrongCloses = 0
  /** True if the provider reported that the text is complete. */
  #isWhole = false
  readonly #texts: TextReader
  readonly #limits: Limits

  /** `first` is an object to fill in place. It becomes the root if the text is an object. */
  constructor(limits: Limits, first?: Node) {
    this.#limits = limits
    this.cursor = new Cursor()
    this.builder = new Builder(limits, (code) => this.cursor.refuse(code), first)
    this.#texts = new TextReader(this.cursor, this.builder)
  }

  /** Reads as much as possible. Has no effect after a refusal. */
  push(delta: string): void {
    if (this.refused !== undefined) return
    // Fast path: most pieces are plain text inside a string.
    if (this.expected === 'text' && this.cursor.isRead && isPlain(delta)) {
      this.cursor.pass(delta)
      this.builder.grow(delta)
      return
    }
    if (this.cursor.add(delta)) this.#scan()
    if (this.expected === 'text') this.builder.sync()
  }

  /** Ends the text. Returns the value, or sets `refused` if the text is ambiguous. `rest` is text that hasn't been pushed yet. */
  finish(complete: boolean | undefined, rest = ''): unknown {
    if (this.refused !== undefined) return undefined
    this.#isWhole = complete === true
    if (rest !== '') this.cursor.add(rest)
    this.cursor.finish()
    this.#scan()
    return this.#value
  }

  #scan(): void {
    try {
      while (this.expected !== 'end' && this.#step()) {}
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.refused = error
    }
  }

  /** Reads the next token. Returns false if more text is needed. */
  #step(): boolean {
    const { cursor, expected } = this
    if (expected === 'text') return this.#readText()
    if (expected === 'rest') return this.#readRest()
    cursor.isValueDue = expected === 'value' || expected === 'item' || expected === 'first item'
    cursor.isBeforeText = expected === 'start'
    const isToken = skipToToken(cursor)
    if (isToken === WAIT) return false
    if (!isToken) return this.#endText()
    const code = cursor.text.charCodeAt(cursor.at)
    switch (expected) {
      case 'member':
        return this.#readMember(code)
      case 'colon':
        return this.#readColon(code)
      case 'key':
      case 'first key':
        return this.#readKey(code)
      case 'start':
        return readStart(this, code)
      default:
        return this.#readValue(code)
    }
  }

  #readValue(code: number): boolean {
    const { cursor } = this
    switch (code) {
      case QUOTE:
        return this.#openText()
      case OPEN_BRACE:
        return this.open('object', 'first key')
      case OPEN_BRACKET:
        return this.open('list', 'first item')
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
      case CLOSE_PAREN:
        return this.expected === 'value' ? cursor.refuse('missing_value') : this.#close(code)
      case COMMA:
        return cursor.refuse('missing_value')
    }
    if (cursor.escapedSpaces.size > 0 && this.expected === 'value' && isBehindEscapedSpace(cursor))
      return cursor.refuse('bad_escape')
    if (!isDigit(code) && code !== MINUS) return readOddValue(this, code)
    const number = readNumber(cursor)
    if (number === WAIT) return false
    return this.addNumber(number)
  }

  open(kind: Exclude<FrameKind, 'root'>, expected: Expected): true {
    this.builder.open(kind)
    this.cursor.take(this.cursor.at + 1)
    this.expected = expected
    return true
  }

  valueRead(isNumber = false): true {
    this.isAfterNumber = isNumber
    this.expected = this.builder.frame.kind === 'root' ? 'rest' : 'member'
    return true
  }

  addNumber({ value, end }: ReadNumber): true {
    const { cursor, builder } = this
    // A date is a value only inside an object or list.
    if (typeof value === 'string' && builder.frame.kind === 'root') return cursor.refuse('bad_number')
    cursor.take(end)
    // While brackets are open, a 1 at the end may be the start of 100.
    if (end === cursor.text.length && builder.frame.kind !== 'root' && !this.#isWhole) return cursor.refuse('truncated')
    builder.add(value)
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) this.hasUnsafeNumber = true
    return this.valueRead(true)
  }

  addQuoted(quoted: Quoted): true {
    this.#texts.addWhole(quoted)
    return this.valueRead()
  }

  #openText(): boolean {
    const { cursor } = this
    const { text, at } = cursor
    if (at + 1 === text.length && !cursor.isFinal) {
      cursor.wait()
      return false
    }
    if (text.charCodeAt(at + 1) === QUOTE) return readOddValue(this, QUOTE)
    this.#texts.open()
    this.expected = 'text'
    return true
  }

  #readText(): boolean {
    const end = this.#texts.read()
    if (end === WAIT) return false
    if (end === 'value') return this.valueRead()
    this.expected = this.builder.frame.kind === 'object' ? 'key' : 'item'
    return true
  }

  #readKey(code: number): boolean {
    const { cursor, builder } = this
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET || code === CLOSE_PAREN) return this.#close(code)
    const key = readKey(cursor, code)
    if (key === WAIT) return false
    if (key === undefined) {
      this.expected = 'key'
      return true
    }
    if (code === QUOTE) cursor.hasQuotes = true
    builder.openKey(key.text, cursor.placeOf(cursor.at))
    cursor.take(key.end)
    this.expected = 'colon'
    return true
  }

  #readColon(code: number): boolean {
    if (code !== COLON) return readOddColon(this, code)
    this.cursor.take(this.cursor.at + 1)
    this.expected = 'value'
    return true
  }

  #readMember(code: number): boolean {
    const { cursor, builder } = this
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET || code === CLOSE_PAREN) return this.#close(code)
    if (code !== COMMA) return readOddMember(this, code)
    cursor.take(cursor.at + 1)
    this.expected = builder.frame.kind === 'object' ? 'key' : 'item'
    return true
  }

  #close(code: number): boolean {
    const { cursor, builder } = this
    const { kind } = builder.frame
    if (code !== CLOSERS[kind]) return this.#closeWrong(code)
    if (this.expected === 'key' && builder.frame.count === 0) return cursor.refuse('missing_value')
    if (this.expected === 'item' || this.expected === 'key') cursor.tags.add('trailing_comma')
    if (kind === 'tuple' && builder.frame.count === 1 && this.expected === 'member') builder.closeGroup()
    else builder.close()
    cursor.take(cursor.at + 1)
    return this.valueRead()
  }

  /**
   * Handles a closing bracket of the wrong kind. If it matches the enclosing frame, another bracket is missing before it, so it
   * closes both frames. Otherwise, it closes the current frame.
   */
  #closeWrong(code: number): boolean {
    const { cursor, builder } = this
    if (!cursor.isFinal) {
      cursor.waitForEnd()
      return false
    }
    const { kind, parent } = builder.frame
    if (this.#wrongCloses++ > 0 || code === CLOSE_PAREN || kind === 'tuple') return cursor.refuse('mismatched_close')
    const closesBoth = parent !== undefined && code === CLOSERS[parent.kind]
    if (closesBoth && this.expected === 'first key') return cursor.refuse('mismatched_close')
    cursor.tags.add('wrong_close')
    builder.close()
    if (closesBoth) builder.close()
    cursor.take(cursor.at + 1)
    return this.valueRead()
  }

  /** Handles text that ends before the value is complete. Closes the open brackets, or refuses the text. */
  #endText(): boolean {
    const { cursor, builder } = this
    if (this.expected === 'start') return cursor.refuse('empty')
    if (this.#wrongCloses > 0) return cursor.refuse('mismatched_close')
    if (this.expected !== 'member' || cursor.hasLostEnd || this.around.hasProse) return cursor.refuse('truncated')
    cursor.tags.add('missing_close')
    while (builder.frame.kind !== 'root') {
      if (builder.frame.kind === 'tuple') return cursor.refuse('truncated')
      builder.close()
    }
    return this.valueRead()
  }

  /** Reads the text after the value. Waits until all of it has arrived. */
  #readRest(): boolean {
    const { cursor } = this
    if (!cursor.isFinal) {
      cursor.waitForEnd()
      return false
    }
    this.#value = readRest(cursor, this.builder.value, this.around, (at) => this.#readNext(at))
    refuseUnlikely(cursor)
    const doubt = cursor.tags.size > 0 ? this.#doubt : undefined
    if (doubt !== undefined) throw doubt
    // Removing parentheses moved values, so their keys are checked again.
    if (cursor.tags.has('tuple') && findFault(this.#value, this.#limits.maxDepth) !== undefined) cursor.refuse('forbidden_key')
    this.expected = 'end'
    return false
  }

  /**
   * A refusal if the text isn't valid JSON and contains a repeated key or an ambiguous escape. Both are allowed only in valid
   * JSON.
   */
  get #doubt(): Refused | undefined {
    const { conflict } = this.builder
    if (conflict !== undefined) return new Refused('repeated_key', conflict.at, JSON.stringify(conflict.key.slice(0, EXCERPT)))
    const { doubtfulEscape } = this.cursor
    return doubtfulEscape === undefined ? undefined : new Refused('bad_escape', doubtfulEscape)
  }

  #readNext(at: number): { readonly value: unknown; readonly end: number } {
    const { cursor } = this
    const next = new Scanner(this.#limits)
    next.push(cursor.text.slice(at))
    const { expected } = next
    const end = next.cursor.at
    const isRead = next.refused === undefined && expected === 'rest'
    if (!isRead || next.cursor.tags.size > 0 || next.#doubt !== undefined) return cursor.refuse('multiple_values', at)
    if (next.hasUnsafeNumber) this.hasUnsafeNumber = true
    return { value: next.builder.value, end: at + end }
  }
}

const CLOSERS: Readonly<Record<FrameKind, number>> = {
  root: Number.NaN,
  object: CLOSE_BRACE,
  list: CLOSE_BRACKET,
  tuple: CLOSE_PAREN,
}
