/** Reads the named arguments of a call in Python syntax. A value may be another call if the dialect allows it. */
import { type Reading, TextInput, type TextScanner } from '../../engine/text-input.ts'
import { type LiteralOptions, readLiteral, readWord, takeComma, takeText, takeUnit, takeWord } from './python-literal.ts'
import { isQuote, isStringPrefix } from './python-string.ts'

export interface ParameterOptions {
  /** True if a word that isn't a literal counts as a string. Default: false; it then isn't a value. */
  readonly bareWords?: boolean | undefined
  /** True if an argument's value may be a call. `f(a=1)` becomes the object `{"f": {"a": 1}}`, and `f()` the string `"f()"`. */
  readonly nestedCalls?: boolean | undefined
  /** True if unnamed arguments are dropped. Default: false; they then make the call malformed. */
  readonly dropsPositional?: boolean | undefined
  /** Called when a part is left out, or when a word that isn't a literal is read as a string. */
  readonly onRepaired?: (() => void) | undefined
}

/**
 * Reads arguments such as `a=1, "b c"=2, **{"d e": 3}`, starting after the opening parenthesis. Consumes the closing one. Returns false
 * if the arguments are malformed.
 */
export function* readParameters(
  input: TextInput,
  options: ParameterOptions,
  readValue: (key: string) => Reading<boolean>,
): Reading<boolean> {
  while (!(yield* takeUnit(input, ')'))) {
    if (!(yield* readParameter(input, options, readValue)) || !(yield* takeComma(input, ')'))) return false
  }
  return true
}

function* readParameter(
  input: TextInput,
  options: ParameterOptions,
  readValue: (key: string) => Reading<boolean>,
): Reading<boolean> {
  const isText = isQuote(yield* input.peek())
  const word = isText ? yield* takeText(input) : yield* takeWord(input)
  if (word === undefined) return false
  if (word === '**' && !isText) return yield* readSpread(input, readValue)
  const isPrefix = !isText && isStringPrefix(word) && isQuote(yield* input.peek())
  if (!isPrefix && (isText || word !== '') && (yield* takeUnit(input, '='))) return yield* readValue(word)
  if (!options.dropsPositional) return false
  options.onRepaired?.()
  if (isText) return true
  const literal = literalOf(options)
  const json = word === '' ? yield* readLiteral(input, literal) : yield* readWord(input, word, literal, 0)
  return json !== undefined
}

/** Reads arguments with names that aren't valid in Python: `**{"two words": 1}`. */
function* readSpread(input: TextInput, readValue: (key: string) => Reading<boolean>): Reading<boolean> {
  if (!(yield* takeUnit(input, '{'))) return false
  while (!(yield* takeUnit(input, '}'))) {
    const key = isQuote(yield* input.peek()) ? yield* takeText(input) : undefined
    if (key === undefined || !(yield* takeUnit(input, ':')) || !(yield* readValue(key))) return false
    if (!(yield* takeComma(input, '}'))) return false
  }
  return true
}

/** Returns the options for reading the values of these arguments. */
export function literalOf(options: ParameterOptions): LiteralOptions {
  const { bareWords, nestedCalls, onRepaired } = options
  const readCall: LiteralOptions['readCall'] = (input, name, depth) => readNestedCall(input, name, depth, options)
  return { bareWords, onRepaired, ...(nestedCalls && { readCall }) }
}

/** Maximum nesting depth of calls. Each level reads the text again. */
const MOST_NESTED = 16

function* readNestedCall(input: TextInput, name: string, depth: number, options: ParameterOptions): Reading<string | undefined> {
  const pieces: string[] = []
  if (depth > MOST_NESTED || !(yield* input.scan(new BracketScanner(), (text) => pieces.push(text)))) return undefined
  const source = pieces.join('')
  const inside = new TextInput()
  inside.append(source.slice(1))
  inside.isEnded = true
  const members: string[] = []
  const { value: isRead } = readParameters(inside, options, function* (key) {
    const json = yield* readLiteral(inside, literalOf(options), depth)
    members.push(`${JSON.stringify(key)}: ${json}`)
    return json !== undefined
  }).next()
  if (isRead !== true) return undefined
  return members.length === 0 ? JSON.stringify(name + source) : `{${JSON.stringify(name)}: {${members.join(', ')}}}`
}

/** Scans from an opening parenthesis up to and including the matching closing one. */
class BracketScanner implements TextScanner {
  #depth = 0
  #quote = ''
  #isEscaped = false

  push(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const unit = text.charAt(at)
      if (this.#quote !== '') {
        if (this.#isEscaped) this.#isEscaped = false
        else if (unit === '\\') this.#isEscaped = true
        else if (unit === this.#quote) this.#quote = ''
      } else if (isQuote(unit)) this.#quote = unit
      else if (unit === '(') this.#depth++
      else if (unit === ')' && --this.#depth === 0) return at + 1
    }
    return -1
  }
}
