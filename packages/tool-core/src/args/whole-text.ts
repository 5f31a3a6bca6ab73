/** Converts a whole string to the number, boolean, array or object that it represents, if the conversion is exact. */
import { ToolError } from '../errors.ts'
import { MAX_DEPTH } from '../faults.ts'

const NUMBER = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** Maximum length of a string that is parsed as a number. No double needs more characters. */
const MAX_NUMBER = 400
/** Number of significant decimal digits that a double always preserves, whatever the size of the number. */
const EXACT_DIGITS = 15

/** Returns the number that a string represents in JSON. Undefined for any other string, and for a number that loses digits as a double. */
export function readNumber(text: string): number | undefined {
  if (text.length > MAX_NUMBER || !NUMBER.test(text)) return undefined
  const number = Number(text)
  if (!Number.isFinite(number)) return undefined
  // 1e-999 would become zero, and 4503599627370497.3 a whole number.
  if (!isSameNumber(text, String(number))) return undefined
  // The id 36028797018963970 would be printed unchanged, but the double has a different value.
  const isLargeInteger = Number.isInteger(number) && !Number.isSafeInteger(number)
  return isLargeInteger && normalFormOf(text).digits.length > EXACT_DIGITS ? undefined : number
}

/** Returns the boolean that a string represents in JSON, Python or YAML. */
export function readBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === 'True' || text === 'TRUE') return true
  return text === 'false' || text === 'False' || text === 'FALSE' ? false : undefined
}

function isSameNumber(text: string, written: string): boolean {
  if (text === written) return true
  const [asked, kept] = [normalFormOf(text), normalFormOf(written)]
  return asked.digits === kept.digits && asked.exponent === kept.exponent
}

/**
 * Returns the significant digits and the exponent of a number: for `-0.50e3`, the digits 5 and the exponent 2. All spellings of a number
 * give the same result. The sign is ignored.
 */
function normalFormOf(text: string): { readonly digits: string; readonly exponent: number } {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  let length = digits.length
  while (digits.charAt(length - 1) === '0') length--
  if (length === 0) return { digits: '', exponent: 0 }
  return { digits: digits.slice(0, length), exponent: Number(exponent) - fraction.length + digits.length - length }
}

/**
 * Returns the array or object that a string represents. Returns undefined for any other string, for a string with a number that loses
 * digits as a double, and for a string with a duplicate key. Throws `invalid_arguments` for a value that is nested deeper than 512 levels.
 */
export function readContainer(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return undefined
    return keepsAll(text) ? parsed : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * True if `JSON.parse` reads this valid JSON text without losing digits of a number or the value of a duplicate key. Uses an explicit
 * stack, because recursion could overflow.
 */
function keepsAll(text: string): boolean {
  /** The keys of each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '{' || character === '[') {
      if (open.push(character === '{' ? new Set() : undefined) > MAX_DEPTH) refuseDepth()
    } else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = endOfString(text, at)
      if (isName(text, end) && !addName(open.at(-1), text.slice(at, end))) return false
      at = end - 1
    } else if (character === '-' || isDigit(character)) {
      const end = endOfNumber(text, at)
      if (readNumber(text.slice(at, end)) === undefined) return false
      at = end - 1
    }
  }
  return true
}

function refuseDepth(): never {
  throw new ToolError('invalid_arguments', `The arguments are nested deeper than ${MAX_DEPTH} levels.`)
}

/** Returns the position after the closing quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

/** True if an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text.charAt(start - 1) === '\\') start--
  return (at - start) % 2 === 1
}

/** True if a colon follows the string, which makes it a key. */
function isName(text: string, end: number): boolean {
  let next = end
  while (next < text.length && ' \t\r\n'.includes(text.charAt(next))) next++
  return text.charAt(next) === ':'
}

/** Adds a key. Returns false for a duplicate key, even if it is written with different escapes. */
function addName(names: Set<string> | undefined, quoted: string): boolean {
  if (names === undefined) return true
  const name: string = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1)
  if (names.has(name)) return false
  names.add(name)
  return true
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && '0123456789.eE+-'.includes(text.charAt(end))) end++
  return end
}
