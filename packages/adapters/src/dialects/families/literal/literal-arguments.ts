/** Reads the arguments of a call in a custom notation, and writes them as JSON. */
import type { BlockContext } from '../../engine/block.ts'
import { isSpace, type Reading } from '../../engine/text-input.ts'
import type { LiteralMarks } from './literal-marks.ts'
import { LiteralTarget } from './literal-target.ts'
import { isLiteral, isOfKey, readBare, readDelimited, readQuoted } from './literal-value.ts'

/**
 * Reads arguments, starting after the opening brace. `done`: they ended at the last brace, or at the end of the block if braces
 * are missing.
 */
export function* readLiteralArguments(
  context: BlockContext,
  marks: LiteralMarks,
  name: string,
): Reading<'done' | 'cut' | 'malformed'> {
  const { input } = context
  const target = new LiteralTarget(context, name)
  let nextKey: string | undefined
  for (;;) {
    const next = nextKey === undefined ? yield* readBetween(context, marks, target) : 'member'
    if (next === 'over') return target.end()
    if (next === 'cut') return 'cut'
    const key = target.isInList ? undefined : (nextKey ?? (yield* readKey(context, marks)))
    if (key === undefined && !target.isInList) return (yield* input.peek()) === '' ? 'cut' : 'malformed'
    target.begin(key)
    const value = yield* readValue(context, marks, target)
    if (value.end === 'cut' || value.end === 'malformed') return value.end
    if (value.end === 'brace' && target.close()) return target.end()
    if (value.end === 'value' && !(yield* isBehindValue(context, marks))) return 'malformed'
    nextKey = value.nextKey
  }
}

/** Consumes commas and closing brackets up to the next item or key. `over`: there are no more arguments. */
function* readBetween(
  { input, calls }: BlockContext,
  marks: LiteralMarks,
  target: LiteralTarget,
): Reading<'member' | 'over' | 'cut'> {
  for (;;) {
    yield* input.skipSpace()
    const unit = yield* input.peek()
    if (unit === '') return 'cut'
    if ((yield* input.peek(marks.close)) !== undefined) {
      calls.tag('repaired')
      while (!target.close());
      return 'over'
    }
    if (!',}]'.includes(unit)) return 'member'
    const isMissing = unit !== ',' && (unit === ']') !== target.isInList && (unit === '}' || target.hasList)
    const isSurplus = unit === ']' && !target.hasList
    if (!isMissing) input.at++
    if (isMissing || isSurplus) calls.tag('repaired')
    if (unit !== ',' && !isSurplus && target.close()) return 'over'
  }
}

interface ReadValue {
  /**
   * Where reading stopped. `value`: after the value. `opened`: after the bracket that opens a list or object. For the others, see
   * `BareValue`.
   */
  readonly end: 'value' | 'opened' | 'key' | 'brace' | 'cut' | 'malformed'
  readonly nextKey?: string | undefined
}

function* readValue(context: BlockContext, marks: LiteralMarks, target: LiteralTarget): Reading<ReadValue> {
  const { input, calls } = context
  const space = yield* input.takeWhile(isSpace)
  const unit = yield* input.peek()
  if (unit === '{' || unit === '[') {
    input.at++
    return { end: target.open(unit) ? 'opened' : 'malformed' }
  }
  if ((yield* input.match(marks.quote)) !== undefined) {
    target.beginText()
    const end = yield* readDelimited(input, marks, target.depth + 1, target.text)
    if (end === 'cut') return { end }
    if (end === 'bare') calls.doubt()
    target.endText()
    return { end: 'value' }
  }
  if (unit === '"' || unit === "'") {
    calls.tag('repaired')
    const text = yield* readQuoted(input, marks)
    if (text === undefined) return { end: 'cut' }
    // The string starts with the second half of a delimiter, whose first half is missing.
    if (marks.behindQuote !== '' && text.startsWith(marks.behindQuote)) return { end: 'malformed' }
    target.string(text)
    return { end: 'value' }
  }
  const { text, end, nextKey } = yield* readBare(input, marks, target)
  // The text contains the rest of a broken delimiter.
  if (end !== 'cut' && target.mayBeText && marks.ofQuote.test(text)) return { end: 'malformed' }
  // A truncated number may be the beginning of another one. A truncated string is still a string.
  if (end !== 'cut' || (target.isText && !isLiteral(text))) target.bare(space + text)
  return { end: end === 'before' ? 'value' : end, nextKey }
}

/** Reads a key, quoted or unquoted, and its colon. */
function* readKey({ input }: BlockContext, marks: LiteralMarks): Reading<string | undefined> {
  const unit = yield* input.peek()
  let key = ''
  if ((yield* input.match(marks.quote)) !== undefined) {
    const end = yield* input.until(marks.edges, (text) => {
      key += text
    })
    if (end?.key !== 'quote') return undefined
  } else if (unit === '"' || unit === "'") {
    input.at++
    key = yield* input.takeWhile((code) => code !== unit.charCodeAt(0) && code !== 0x0a, LONGEST_KEY)
    if ((yield* input.peek()) !== unit) return undefined
    input.at++
  } else {
    key = (yield* input.takeWhile((code) => isOfKey(code) || code === 0x20 || code === 0x24 || code === 0x2f, LONGEST_KEY)).trim()
    if (key === '') return undefined
  }
  yield* input.skipSpace()
  if ((yield* input.peek()) !== ':') return undefined
  input.at++
  return key
}

const LONGEST_KEY = 1_024

/** Returns true if the text that follows may come after a value. Skips an extra delimiter. */
function* isBehindValue({ input, calls }: BlockContext, marks: LiteralMarks): Reading<boolean> {
  yield* input.skipSpace()
  if ((yield* input.match(marks.quote)) !== undefined) {
    calls.tag('repaired')
    yield* input.skipSpace()
  }
  const unit = yield* input.peek()
  return unit === '' || ',}]'.includes(unit) || (yield* input.peek(marks.close)) !== undefined
}
