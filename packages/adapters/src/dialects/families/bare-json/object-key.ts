/** Reads the key of a member in malformed JSON, with or without quotes, after comments. Detects prose within a few characters. */
import { recoverJson } from '../../../arguments/recover.ts'
import { isJson } from '../../engine/exact-json.ts'
import { MarkerSet } from '../../engine/marker.ts'
import { isLetter, isSpace, type Reading, type TextInput, type TextScanner } from '../../engine/text-input.ts'

export interface ObjectKey {
  readonly text: string
  /** True for a key in double quotes, as JSON requires. */
  readonly isStrict: boolean
}

/** Reads a key and its colon. Returns undefined at the first character that can't be part of a key. */
export function* readKey(input: TextInput): Reading<ObjectKey | undefined> {
  const scanner = new KeyScanner()
  let raw = ''
  const isDone = yield* input.scan(scanner, (text) => {
    raw += text
  })
  if (!isDone || scanner.isRefused) return undefined
  const isCommented = yield* skipToToken(input)
  if ((yield* input.peek()) !== ':') return undefined
  input.at++
  return { text: toText(raw) ?? raw, isStrict: !isCommented && isJson(raw) }
}

/** Straight and typographic quotes. */
const QUOTES = '"\'\u201c\u201d\u201e\u2018\u2019'

/** Returns the content of a quoted string. Returns undefined for any other value. */
export function toText(raw: string): string | undefined {
  if (!QUOTES.includes(raw.charAt(0))) return undefined
  const read = recoverJson(raw)
  return read.ok && typeof read.value === 'string' ? read.value : undefined
}

const END_OF_COMMENT = new MarkerSet({ end: '*/' })
const LINE_BREAK = 0x0a

/** Skips white space and comments. Returns true if JSON doesn't allow the skipped text. */
export function* skipToToken(input: TextInput): Reading<boolean> {
  for (let isOdd = false; ; isOdd = true) {
    yield* input.skipSpace()
    const unit = yield* input.peek()
    if (unit === '' || !ODD.includes(unit)) return isOdd
    input.at++
    const next = unit === '/' ? yield* input.peek() : ''
    if (next === '*') yield* input.until(END_OF_COMMENT, () => {})
    else if (next === '/' || unit === '#') yield* input.takeWhile((code) => code !== LINE_BREAK)
    else if (unit === '/') {
      input.giveBack(unit)
      return isOdd
    }
  }
}

/** Characters that start a comment, and white space that JSON doesn't allow. */
const ODD = '/#\u00a0\ufeff'

export function isOdd(code: number): boolean {
  return ODD.includes(String.fromCharCode(code))
}

/**
 * Returns true for a character that may follow the opening brace of an object: the start of a key, white space, the closing
 * brace, or an extra comma.
 */
export function mayBeginMember(code: number): boolean {
  return isWord(code) || isSpace(code) || isOdd(code) || `"'},`.includes(String.fromCharCode(code))
}

/** Maximum length of a key. A longer string counts as quoted prose. */
const LONGEST = 256
const BACKSLASH = 0x5c

class KeyScanner implements TextScanner {
  isRefused = false
  #quote = 0
  #isEscaped = false
  #length = 0

  push(text: string, from: number): number {
    for (let at = from; at < text.length; at++, this.#length++) {
      const code = text.charCodeAt(at)
      if (this.#length > LONGEST) return this.#refuse(at)
      if (this.#length === 0 && (code === 0x22 || code === 0x27)) this.#quote = code
      else if (this.#quote === 0) {
        if (isWord(code)) continue
        return this.#length === 0 ? this.#refuse(at) : at
      } else if (code === LINE_BREAK) return this.#refuse(at)
      else if (this.#isEscaped) this.#isEscaped = false
      else if (code === this.#quote) return at + 1
      else this.#isEscaped = code === BACKSLASH
    }
    return -1
  }

  #refuse(at: number): number {
    this.isRefused = true
    return at
  }
}

function isWord(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x24 || code === 0x2d || code > 0x7f
}
