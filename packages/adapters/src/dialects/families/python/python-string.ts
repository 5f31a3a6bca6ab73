/**
 * Reads Python string literals and emits their content as it arrives. Supports single, double and triple quotes, prefixes, escapes and
 * adjacent literals.
 */
import type { Reading, TextInput, TextScanner } from '../../engine/text-input.ts'

/** Returns true for the prefix of a string literal. `b"…"` is read as text, and `f"…"` only if it has no placeholders. */
export function isStringPrefix(word: string): boolean {
  return /^(?:[rbuf]|br|rb|fr|rf)$/i.test(word)
}

export function isQuote(unit: string): boolean {
  return unit === '"' || unit === "'"
}

/**
 * Reads a string literal, starting at its opening quote, and emits its content. Joins adjacent literals. Returns false if a
 * literal has no end, is an f-string with a placeholder, or is followed by a prefix without a quote.
 */
export function* readPythonString(input: TextInput, prefix: string, give: (text: string) => void): Reading<boolean> {
  for (let word = prefix; ; ) {
    if (!(yield* readOne(input, word, give))) return false
    // Two literals that touch are missing some text between them.
    if (isQuote(yield* input.peek())) return false
    yield* input.skipSpace()
    word = yield* input.takeWhile(isPrefixUnit, 3)
    const isString = isQuote(yield* input.peek()) && (word === '' || isStringPrefix(word))
    if (!isString) return word === ''
  }
}

function isPrefixUnit(code: number): boolean {
  return 'rbufRBUF'.includes(String.fromCharCode(code))
}

function* readOne(input: TextInput, prefix: string, give: (text: string) => void): Reading<boolean> {
  const quote = yield* input.peek()
  input.at++
  let length = 1
  if ((yield* input.peek()) === quote) {
    input.at++
    if ((yield* input.peek()) !== quote) return true
    input.at++
    length = 3
  }
  let hasHoles = false
  const scanner = new PythonStringScanner(quote, length, /r/i.test(prefix), (text) => {
    hasHoles ||= /[{}]/.test(text)
    give(text)
  })
  const isWhole = yield* input.scan(scanner)
  return isWhole && !(hasHoles && /f/i.test(prefix))
}

/** Scans a string literal, starting after its opening quotes. Accepts line breaks even without triple quotes. */
class PythonStringScanner implements TextScanner {
  readonly #quote: string
  /** Number of quotes that close the literal. */
  readonly #length: number
  readonly #isRaw: boolean
  readonly #give: (text: string) => void
  /** Number of quotes in a row at the end of the text so far. */
  #quotes = 0
  /** The received part of an escape, without its backslash. Undefined outside an escape. */
  #escape: string | undefined

  constructor(quote: string, length: number, isRaw: boolean, give: (text: string) => void) {
    this.#quote = quote
    this.#length = length
    this.#isRaw = isRaw
    this.#give = give
  }

  push(text: string, from: number): number {
    let at = from
    while (at < text.length) {
      if (this.#escape !== undefined) at = this.#readEscape(text, at, this.#escape)
      else if (text[at] !== this.#quote) at = this.#readPlain(text, at)
      else {
        at++
        if (++this.#quotes === this.#length) return at
      }
    }
    return -1
  }

  /** Reads plain text up to a quote, or past a backslash. */
  #readPlain(text: string, from: number): number {
    if (this.#quotes > 0) this.#give(this.#quote.repeat(this.#quotes))
    this.#quotes = 0
    let at = from
    while (at < text.length && text[at] !== this.#quote && text[at] !== '\\') at++
    if (at > from) this.#give(text.slice(from, at))
    if (text[at] !== '\\') return at
    this.#escape = ''
    return at + 1
  }

  /** Reads the next character of an escape. Doesn't consume a character that isn't part of the escape. */
  #readEscape(text: string, at: number, begun: string): number {
    const unit = text[at] as string
    if (begun === '') {
      const isNumber = !this.#isRaw && /[xuU0-7]/.test(unit)
      if (isNumber) this.#escape = unit
      else this.#end(this.#isRaw ? `\\${unit}` : (MEANING.get(unit) ?? `\\${unit}`))
      return at + 1
    }
    const length = LENGTH.get(begun.charAt(0)) ?? 3
    const isDigit = (LENGTH.has(begun.charAt(0)) ? /[\da-fA-F]/ : /[0-7]/).test(unit)
    const longer = isDigit ? begun + unit : begun
    if (isDigit && longer.length < length) this.#escape = longer
    else this.#end(decode(longer))
    return isDigit ? at + 1 : at
  }

  #end(text: string): void {
    this.#escape = undefined
    if (text !== '') this.#give(text)
  }
}

/**
 * The character for each escape. Any other escape keeps its backslash, as in Python. So does `\N{name}`, because this package has
 * no table of character names.
 */
const MEANING = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

/** Length of each escape with its letter. An octal escape has no letter and up to three digits. */
const LENGTH = new Map([
  ['x', 3],
  ['u', 5],
  ['U', 9],
])

/** Decodes an escape. Keeps its text if it lacks digits or is no character. */
function decode(digits: string): string {
  const length = LENGTH.get(digits.charAt(0))
  if (length === undefined) return String.fromCharCode(Number.parseInt(digits, 8))
  const code = Number.parseInt(digits.slice(1), 16)
  return digits.length === length && code <= 0x10ffff ? String.fromCodePoint(code) : `\\${digits}`
}
