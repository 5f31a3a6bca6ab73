/** Reads calls in JSON: one object, or a list. Emits argument text as it arrives. */
import { recoverJson } from '../../../arguments/recover.ts'
import type { BlockContext } from '../../engine/block.ts'
import { leaveMalformed } from '../../engine/block.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import type { MarkerSet } from '../../engine/marker.ts'
import { isSpace, type Reading, type TextInput } from '../../engine/text-input.ts'
import { skipBrokenItem } from './broken-item.ts'
import { CallDraft } from './call-draft.ts'

/** The keys of a call. */
export interface JsonCallShape {
  readonly name: readonly string[]
  readonly arguments: readonly string[]
  readonly id?: readonly string[] | undefined
  /** Keys of an object around the call, such as `function` in OpenAI's format. */
  readonly inside?: readonly string[] | undefined
  /** Keys of a list of calls, such as `tool_calls`. */
  readonly lists?: readonly string[] | undefined
  /** True if each key of an object is a tool name and its value the arguments: `{"get_weather": {"city": "Oslo"}}`. */
  readonly isKeyed?: boolean | undefined
  /** `empty`: ignores arguments that are neither an object nor a string. Default: they make the call malformed. */
  readonly otherArguments?: 'empty' | undefined
  /**
   * Markers outside strings that end a value, even if it is incomplete. A marker with the key `next` ends a value only where no
   * value can start.
   */
  readonly stops?: MarkerSet | undefined
}

/**
 * How reading a value ended. `done`: it was consumed. `cut`: the text ended inside it. `broken`: the input is at a character that
 * isn't allowed there. `text`: it contains a call to an undeclared tool and was emitted as text. The last call is left open;
 * `calls.isWhole` is true if it is complete.
 */
export type JsonOutcome = 'done' | 'cut' | 'broken' | 'text'

/** Reads the object or list at this position. */
export function* readJsonCalls(context: BlockContext, shape: JsonCallShape): Reading<JsonOutcome> {
  const { input } = context
  yield* input.skipSpace()
  const first = yield* input.peek()
  if (first === '{') return yield* readOne(context, shape)
  return first === '[' ? yield* readList(context, shape) : atEdge(first)
}

function* readOne(context: BlockContext, shape: JsonCallShape): Reading<JsonOutcome> {
  const outcome = yield* readCall(context, shape)
  return outcome === 'next' ? 'broken' : outcome
}

function atEdge(unit: string): JsonOutcome {
  return unit === '' ? 'cut' : 'broken'
}

function* readList(context: BlockContext, shape: JsonCallShape): Reading<JsonOutcome> {
  context.input.at++
  return yield* readCallItems(context, shape)
}

/**
 * Reads a list, starting after its opening bracket. Skips extra braces between calls. Reports a malformed item and continues with
 * the next one. If `separators` is set, reads a row of objects instead, with these characters between them. Any other character
 * ends the row.
 */
export function* readCallItems(context: BlockContext, shape: JsonCallShape, separators?: string): Reading<JsonOutcome> {
  const { input, calls } = context
  const { stops } = shape
  const endedBefore = calls.ended
  let isText = false
  let isBad = false
  for (let isFirst = true; ; isFirst = false) {
    const unit = yield* separators === undefined ? nextItem(input) : nextInRow(input, separators, isFirst)
    const isStop = unit !== '' && stops !== undefined && (yield* input.peek(stops)) !== undefined
    if (unit === '' || unit === ']' || isStop) {
      const isLeft = isBad && calls.ended > endedBefore
      if (isLeft) leaveMalformed(context)
      if (unit === ']' && !isStop) input.at++
      if (isText) return 'text'
      // Before a marker, a list may lack its closing bracket. It may also lack it after an item that lacks its own.
      return unit === '' && separators === undefined && !isLeft ? 'cut' : 'done'
    }
    if (isBad) leaveMalformed(context)
    else if (calls.isOpen) {
      // Completes the call, so that text after it can't invalidate it.
      calls.end()
      input.mark()
    }
    const start = input.marked
    const before = calls.ended
    let outcome = yield* unit === '{' ? readCall(context, shape) : readOther(context, shape)
    if (outcome === 'broken' && (yield* skipBrokenItem(context, start, stops))) outcome = 'next'
    if (outcome === 'cut' || outcome === 'broken') return isText && !calls.isOpen ? 'text' : outcome
    isText = outcome === 'text'
    isBad = !isText && calls.ended === before && !(calls.isOpen && calls.isWhole)
  }
}

/** Returns the first code unit of the next item, or the bracket that ends the list, or an empty string at the end of the text. */
function* nextItem(input: TextInput): Reading<string> {
  for (;;) {
    yield* input.skipSpace()
    const unit = yield* input.peek()
    if (unit !== ',' && unit !== '}') return unit
    input.at++
  }
}

/** Returns the first code unit of the next item in a row, or an empty string after the last item. */
function* nextInRow(input: TextInput, separators: string, isFirst: boolean): Reading<string> {
  const between = yield* input.takeWhile((code) => isSpace(code) || separators.includes(String.fromCharCode(code)))
  const unit = yield* input.peek()
  const isItem = unit === '{' || (!isFirst && between.trim() !== '' && (unit === '"' || unit === '['))
  return isItem ? unit : ''
}

/** Skips an item that isn't an object, up to the next item. */
function* readOther(context: BlockContext, shape: JsonCallShape): Reading<'cut' | 'broken' | 'next'> {
  for (;;) {
    const value = yield* readValue(context, shape)
    if (value === 'cut' || value === 'broken') return value
    yield* context.input.skipSpace()
    const unit = yield* context.input.peek()
    if (unit === '' || '{},;]'.includes(unit) || (shape.stops && (yield* context.input.peek(shape.stops)) !== undefined))
      return 'next'
  }
}

/** How reading an object ended. `next`: the end of the object is missing, and another object starts. */
type ItemOutcome = JsonOutcome | 'next'

function* readCall(context: BlockContext, shape: JsonCallShape): Reading<ItemOutcome> {
  const draft = new CallDraft(context)
  const outcome = yield* readObject(context, shape, draft, 0)
  if (draft.isText) {
    const { input, giveText } = context
    giveText(input.sinceMark())
    input.mark()
    return 'text'
  }
  const isBroken = outcome === 'broken' || outcome === 'next'
  draft.isRepaired ||= isBroken
  // Errors after the arguments don't matter.
  return draft.finish(outcome === 'done') && isBroken ? 'done' : outcome
}

/** Maximum nesting depth of objects around a call, such as `function` in OpenAI's format. */
const MAX_INSIDE = 3

function* readObject(context: BlockContext, shape: JsonCallShape, draft: CallDraft, depth: number): Reading<ItemOutcome> {
  const { input } = context
  // Some prompts show calls with doubled braces, and models write them in the same way.
  const isDoubled = (yield* input.takeWhile(isOpeningBrace, 2)).length > 1
  draft.isDoubled ||= isDoubled
  for (let isApart = true; ; isApart = false) {
    let unit = ''
    for (; ; input.at++, isApart = true) {
      yield* input.skipSpace()
      unit = yield* input.peek()
      if (unit !== ',') break
    }
    if (unit === '}') {
      yield* input.takeWhile(isClosingBrace, isDoubled ? 2 : 1)
      return 'done'
    }
    if (unit === '{' && depth === 0) return 'next'
    const start = input.marked
    const key = yield* readKey(input, draft.hasAll)
    if (key === undefined) return atEdge(yield* input.peek())
    // The arguments were closed too early, as in `{}"city": "Oslo"}`.
    if (!isApart && draft.hasAll && isUnknown(shape, key)) {
      draft.hasAll = false
      return 'broken'
    }
    const outcome = yield* readMember(context, shape, draft, { key, start }, depth)
    if (outcome !== 'done') return outcome
  }
}

function isOpeningBrace(code: number): boolean {
  return code === OPENING_BRACE
}

function isClosingBrace(code: number): boolean {
  return code === CLOSING_BRACE
}

const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

interface Member {
  readonly key: string
  /** The start of the member, in code units after the mark. */
  readonly start: number
}

/** Starts another call in the same object. Later text can't invalidate the earlier call. */
function nextKeyed({ input, calls, giveText }: BlockContext, draft: CallDraft, start: number): void {
  if (!draft.isText) {
    draft.finish(false)
    calls.end()
  }
  const before = input.moveMark(start)
  if (draft.isText) giveText(before)
  draft.restart()
}

function isUnknown(shape: JsonCallShape, key: string): boolean {
  return ![...shape.name, ...shape.arguments, ...(shape.id ?? [])].includes(key)
}

/**
 * Reads a key, with or without quotes, and its colon. `mayLack` is true if the call already has all arguments; a quote that isn't
 * closed is then a mistake instead of a truncated key.
 */
function* readKey(input: TextInput, mayLack: boolean): Reading<string | undefined> {
  const first = yield* input.peek()
  let key = ''
  if (first === '"' || first === "'") {
    const raw = yield* takeQuoted(input, first, mayLack)
    if (raw === undefined) return undefined
    key = toText(raw) ?? raw
  } else {
    key = yield* input.takeWhile(isOfWord, LONGEST_WORD)
    if (key === '') return undefined
  }
  yield* input.skipSpace()
  if ((yield* input.peek()) !== ':') return undefined
  input.at++
  return key
}

/** Returns a quoted key. Returns undefined if the quote isn't closed within a few characters on the same line. */
function* takeQuoted(input: TextInput, quote: string, mayLack: boolean): Reading<string | undefined> {
  let isClosed = false
  let isEscaped = true
  const isOfKey = (code: number) => {
    const isIn = !isClosed && code !== LINE_FEED
    isClosed ||= !isEscaped && code === quote.charCodeAt(0)
    isEscaped = !isEscaped && code === BACKSLASH
    return isIn
  }
  const raw = yield* input.takeWhile(isOfKey, LONGEST_KEY)
  if (isClosed) return raw
  if (mayLack || !input.isAtEnd) input.giveBack(raw)
  return undefined
}

const LONGEST_KEY = 512
const LINE_FEED = 0x0a
const BACKSLASH = 0x5c
const LONGEST_WORD = 64

function isOfWord(code: number): boolean {
  return /[\w$-]/.test(String.fromCharCode(code))
}

function* readMember(
  context: BlockContext,
  shape: JsonCallShape,
  draft: CallDraft,
  { key, start }: Member,
  depth: number,
): Reading<ItemOutcome> {
  const { input } = context
  yield* input.skipSpace()
  const first = yield* input.peek()
  if (first === '') return 'cut'
  if (shape.isKeyed && depth === 0 && first === '{' && (draft.name === undefined || draft.isKeyed)) {
    if (draft.isKeyed) nextKeyed(context, draft, start)
    draft.setKey(key)
    return yield* readArguments(context, shape, draft)
  }
  if (first === '{' && shape.inside?.includes(key) && depth < MAX_INSIDE)
    return yield* readObject(context, shape, draft, depth + 1)
  if (first === '[' && shape.lists?.includes(key)) {
    const outcome = yield* readList(context, shape)
    draft.holdsText = outcome === 'text'
    return outcome === 'text' ? 'done' : outcome
  }
  const mayBeArguments = shape.otherArguments === undefined || first === '{'
  if (shape.arguments.includes(key) && !draft.hasArguments && mayBeArguments)
    return MAY_BE_ARGUMENTS.includes(first) ? yield* readArguments(context, shape, draft) : 'broken'
  // An object in place of the name may be the next call.
  if (first === '{' && shape.name.includes(key)) return 'broken'
  const value = yield* readValue(context, shape)
  if (value === 'cut' || value === 'broken') return value
  if (shape.name.includes(key)) return draft.setName(toText(value.raw)) ? 'done' : 'broken'
  if (shape.id?.includes(key)) draft.id ??= toText(value.raw) ?? value.raw
  else if (draft.hasArguments && shape.arguments.includes(key)) return draft.addAgain(value.raw) ? 'done' : 'broken'
  else if (!shape.arguments.includes(key)) {
    draft.hasUnknown ||= !OF_NO_ARGUMENTS.includes(key)
    if (draft.isSecondName(key, toText(value.raw))) return 'broken'
  } else if (toText(value.raw)?.trimStart().startsWith('{')) {
    draft.hasArguments = draft.hasAll = true
    draft.write(value.raw)
  } else if (first !== '[' && (value.raw.includes('{') || !recoverJson(value.raw).ok)) return 'broken'
  // The number is the rest of an object.
  else draft.hasUnknown ||= /^[-\d.]/.test(value.raw)
  return 'done'
}

/** Keys that some models write next to the name. In a call without arguments, any other key may be an argument. */
const OF_NO_ARGUMENTS = ['type', 'index']

/** Characters with which JSON or Python's `None` may start. Other unquoted words can't be arguments. */
const MAY_BE_ARGUMENTS = '{["\'-0123456789ntfN'

/** Reads the arguments. If the name is known, emits them as they arrive. */
function* readArguments(context: BlockContext, shape: JsonCallShape, draft: CallDraft): Reading<JsonOutcome> {
  const scanner = new JsonScanner(firstUnits(shape.stops))
  const { input } = context
  const braces = draft.isDoubled ? yield* input.takeWhile(isOpeningBrace, 2) : ''
  if (braces !== '') input.giveBack('{')
  draft.beginArguments(scanner)
  const outcome = yield* scanValue(context, shape, scanner, (text) => draft.write(text))
  if (braces.length > 1) yield* input.takeWhile(isClosingBrace, 1)
  if (outcome === 'cut') return 'cut'
  // A string whose closing quote is missing could end anywhere.
  if (scanner.isInString) return 'broken'
  if (outcome === 'broken') draft.close(scanner)
  draft.hasAll = true
  return outcome
}

function* readValue(context: BlockContext, shape: JsonCallShape): Reading<'cut' | 'broken' | { readonly raw: string }> {
  let raw = ''
  const scanner = new JsonScanner(firstUnits(shape.stops))
  const outcome = yield* scanValue(context, shape, scanner, (text) => {
    raw += text
  })
  return outcome === 'done' ? { raw } : outcome
}

/** Emits the value that starts here. Returns `broken` if there is none, or at a marker in `stops`. */
export function* scanValue(
  { input }: BlockContext,
  { stops }: Pick<JsonCallShape, 'stops'>,
  scanner: JsonScanner,
  give: (text: string) => void,
): Reading<Exclude<JsonOutcome, 'text'>> {
  for (;;) {
    if (!(yield* input.scan(scanner, give))) return 'cut'
    if (scanner.stoppedAt === undefined) return 'done'
    const stop = stops && (yield* input.peek(stops))
    // A `next` marker starts the next call, except where a value may start.
    const isValue = stop === 'next' && !scanner.isInString && scanner.mayBegin
    if (scanner.stoppedAt === 'nothing' || stops === undefined || (stop !== undefined && !isValue)) return 'broken'
    scanner.pass()
  }
}

function firstUnits(stops: MarkerSet | undefined): string {
  return stops?.firstUnits ?? ''
}

/** Returns the content of a JSON string. Returns undefined for any other value. */
function toText(raw: string): string | undefined {
  if (!/^\s*["']/.test(raw)) return undefined
  const read = recoverJson(raw)
  return read.ok && typeof read.value === 'string' ? read.value : undefined
}
