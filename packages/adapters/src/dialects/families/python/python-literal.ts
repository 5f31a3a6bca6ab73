/** Converts Python and JSON literals to JSON text as they arrive. Doesn't evaluate anything, and loses no digits. */
import { type Reading, TextInput } from '../../engine/text-input.ts'
import { isQuote, isStringPrefix, readPythonString } from './python-string.ts'

export interface LiteralOptions {
  /** True if a word that isn't a literal counts as a string. Default: false; it then isn't a value. */
  readonly bareWords?: boolean | undefined
  /** Called when a part is left out, or when a word that isn't a literal is read as a string. */
  readonly onRepaired?: (() => void) | undefined
  /** Reads a call in place of a value, starting at its opening parenthesis. Default: a call isn't a value. */
  readonly readCall?: ((input: TextInput, name: string, depth: number) => Reading<string | undefined>) | undefined
}

/** Maximum nesting depth of values. */
export const DEEPEST = 128

/** Converts text that consists of one literal to JSON. Returns undefined for any other text. */
export function pythonToJson(text: string, options: LiteralOptions = {}): string | undefined {
  const input = new TextInput()
  input.append(text)
  input.isEnded = true
  const { value: json } = readLiteral(input, options).next()
  input.skipSpace().next()
  return json !== undefined && input.isAtEnd ? json : undefined
}

/** A list, tuple or dictionary that is still open. */
interface Container {
  readonly closer: string
  /** Index of its opening bracket among the JSON pieces. */
  readonly start: number
  count: number
  hasComma: boolean
  /** In a dictionary, true if a key comes next, and false if a value comes next. */
  isAtKey: boolean
}

/**
 * Converts the literal at this position to JSON. Returns undefined for anything else, and for a truncated literal; the input is
 * then at the end of the text. Reads all nested containers in one loop, because nested generators would take an extra step per
 * piece of text.
 */
export function* readLiteral(input: TextInput, options: LiteralOptions, depth = 0): Reading<string | undefined> {
  const json: string[] = []
  const open: Container[] = []
  for (;;) {
    const inner = open[open.length - 1]
    const isAtItem = inner !== undefined && (inner.closer !== '}' || inner.isAtKey)
    yield* input.skipSpace()
    const unit = yield* input.peek()
    if (isAtItem && unit === inner.closer) {
      input.at++
      close(inner, json)
      open.pop()
    } else {
      if (isAtItem && inner.count > 0) json.push(', ')
      const closer = inner?.isAtKey ? undefined : CLOSERS.get(unit)
      if (closer !== undefined) {
        if (depth + open.length >= DEEPEST) return undefined
        input.at++
        open.push({ closer, start: json.length, count: 0, hasComma: false, isAtKey: closer === '}' })
        json.push(closer === '}' ? '{' : '[')
        continue
      }
      const value = yield* readScalar(input, options, depth + open.length)
      if (value === undefined) return undefined
      if (inner?.isAtKey) {
        json.push(value.startsWith('"') ? value : JSON.stringify(value), ': ')
        if (!(yield* takeUnit(input, ':'))) return undefined
        inner.isAtKey = false
        continue
      }
      json.push(value)
    }
    const outer = open[open.length - 1]
    if (outer === undefined) return json.join('')
    const follower = yield* takeComma(input, outer.closer)
    if (follower === undefined) return undefined
    outer.count++
    outer.hasComma = follower === ','
    outer.isAtKey = outer.closer === '}'
  }
}

const CLOSERS: ReadonlyMap<string, string> = new Map<string, string>([
  ['[', ']'],
  ['(', ')'],
  ['{', '}'],
])

/** Closes a container. A tuple becomes a list. If parentheses contain a single value without a comma, they are removed. */
function close({ closer, start, count, hasComma }: Container, json: string[]): void {
  if (closer === ')' && count === 1 && !hasComma) json[start] = ''
  else json.push(closer === '}' ? '}' : ']')
}

function* readScalar(input: TextInput, options: LiteralOptions, depth: number): Reading<string | undefined> {
  if (isQuote(yield* input.peek())) return yield* readText(input, '')
  return yield* readWord(input, yield* takeWord(input), options, depth)
}

/** Consumes a word, up to white space, punctuation or the start of a marker. */
export function takeWord(input: TextInput): Reading<string> {
  return input.takeWhile((code) => code > 0x20 && !SIGNS.includes(String.fromCharCode(code)))
}

const SIGNS = ',:;=()[]{}<"\'`'

/** Reads the value that starts with this word, which has already been consumed. */
export function* readWord(input: TextInput, word: string, options: LiteralOptions, depth: number): Reading<string | undefined> {
  const next = yield* input.peek()
  if (isQuote(next) && isStringPrefix(word)) return yield* readText(input, word)
  if (next === '(' && word !== '' && options.readCall !== undefined) return yield* options.readCall(input, word, depth + 1)
  const isSign = word === '-' || word === '+'
  if (isSign) yield* input.skipSpace()
  const whole = isSign ? word + (yield* takeWord(input)) : word
  const literal = CONSTANTS.get(whole) ?? numberToJson(whole)
  if (literal !== undefined || whole === '' || !options.bareWords) return literal
  options.onRepaired?.()
  return JSON.stringify(whole)
}

const CONSTANTS: ReadonlyMap<string, string> = new Map<string, string>([
  ['True', 'true'],
  ['true', 'true'],
  ['False', 'false'],
  ['false', 'false'],
  ['None', 'null'],
  ['null', 'null'],
])

function* readText(input: TextInput, prefix: string): Reading<string | undefined> {
  const text = yield* takeText(input, prefix)
  return text === undefined ? undefined : JSON.stringify(text)
}

/** Returns the content of the string at this position. Returns undefined if `readPythonString` returns false. */
export function* takeText(input: TextInput, prefix = ''): Reading<string | undefined> {
  const pieces: string[] = []
  return (yield* readPythonString(input, prefix, (text) => pieces.push(text))) ? pieces.join('') : undefined
}

/** Skips white space, and consumes the given character if it comes next. Returns true if it was consumed. */
export function* takeUnit(input: TextInput, unit: string): Reading<boolean> {
  yield* input.skipSpace()
  if ((yield* input.peek()) !== unit) return false
  input.at++
  return true
}

/**
 * Returns what follows an item: a comma, which is consumed, or the closing bracket, which isn't. Returns undefined for anything
 * else.
 */
export function* takeComma(input: TextInput, closer: string): Reading<string | undefined> {
  yield* input.skipSpace()
  const unit = yield* input.peek()
  if (unit === ',') input.at++
  return unit === ',' || (unit === closer && unit !== '') ? unit : undefined
}

/**
 * Converts a Python number to JSON. Returns undefined for anything else, and for numbers that JSON can't express, such as
 * infinity and complex numbers.
 */
function numberToJson(word: string): string | undefined {
  const isSigned = word.startsWith('-') || word.startsWith('+')
  const minus = word.startsWith('-') ? '-' : ''
  const digits = (isSigned ? word.slice(1) : word).replace(/(?<=[\da-f])_(?=[\da-f])/gi, '')
  if (/^0+$/.test(digits)) return `${minus}0`
  if (/^[1-9]\d*$/.test(digits)) return minus + digits
  if (/^0(?:x[\da-f]{1,999}|o[0-7]{1,999}|b[01]{1,999})$/i.test(digits)) return minus + BigInt(digits)
  const parts = /^(\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i.exec(digits)
  if (parts === null || !Number.isFinite(Number(digits))) return undefined
  const [, whole = '', fraction, exponent = ''] = parts
  const isWhole = fraction === undefined && exponent === ''
  // An integer with a leading zero isn't valid in Python either.
  if (isWhole || (whole === '' && !fraction)) return undefined
  const point = fraction === undefined ? '' : `.${fraction || '0'}`
  return `${minus}${whole.replace(/^0+(?=\d)/, '') || '0'}${point}${exponent}`
}
