/** Reads a JSON object or list that may contain calls. Whether it does depends only on its content, sometimes only on its end. */
import type { BlockContext } from '../../engine/block.ts'
import { isJson } from '../../engine/exact-json.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import { isSpace, type Reading } from '../../engine/text-input.ts'
import { skipBrokenItem } from '../json/broken-item.ts'
import type { JsonCallShape } from '../json/json-calls.ts'
import { BareCall, type ValueOutcome } from './bare-call.ts'
import { BareList } from './bare-list.ts'
import { isOdd, readKey, skipToToken, toText } from './object-key.ts'

export interface BareShape extends JsonCallShape {
  /** True if a marker that never occurs in text precedes the JSON. */
  readonly isMarked: boolean
}

/** Maximum nesting depth of objects around a call, such as `function` in OpenAI's format. */
const MAX_WRAPPERS = 4

/** Reads a value, starting after its opening bracket. Leaves a complete call open. */
export function* readBareValue(context: BlockContext, shape: BareShape, bracket: string): Reading<ValueOutcome> {
  if (bracket === '[') return yield* readList(context, shape, 0)
  const { outcome } = yield* readElement(context, shape, 0, true)
  return outcome
}

/** Skips one JSON value of any type. Returns false if there is no value, or if the text ends inside it. */
export function* skipValue({ input }: BlockContext): Reading<boolean> {
  const scanner = new JsonScanner()
  return (yield* input.scan(scanner)) && scanner.stoppedAt === undefined
}

interface Element {
  readonly outcome: ValueOutcome
  readonly call: BareCall
}

function* readElement(context: BlockContext, shape: BareShape, depth: number, isWhole: boolean): Reading<Element> {
  const call = new BareCall(context, shape.isMarked, isWhole)
  const endedBefore = context.calls.ended
  const end = yield* readObject(context, shape, call, depth)
  const isData = call.isSpoilt && context.calls.ended === endedBefore
  if (call.inner !== undefined && !isData) return { outcome: call.inner, call }
  const verdict = call.isSpoilt ? 'none' : call.judge(end)
  return { outcome: verdict === 'none' && end === 'broken' ? 'broken' : verdict, call }
}

type End = 'done' | 'cut' | 'broken'

function* readObject(context: BlockContext, shape: BareShape, call: BareCall, depth: number): Reading<End> {
  const { input } = context
  const level: Level = { isWrapper: false, hasOthers: false }
  let last: '{' | ',' | 'member' = '{'
  for (;;) {
    if (yield* skipToToken(input)) call.isStrict = false
    const unit = yield* input.peek()
    if (unit === '}' || unit === ',') {
      input.at++
      if (unit === '}' ? last === ',' : last !== 'member') call.isStrict = false
      if (unit === '}') return 'done'
      last = ','
      continue
    }
    if (last === 'member') call.isStrict = false
    const key = yield* readKey(input)
    if (key === undefined) return input.isAtEnd ? 'cut' : 'broken'
    call.isStrict &&= key.isStrict
    // The arguments were closed too early, as in `{}"city": "Oslo"}`.
    if (last === 'member' && call.hasAll && !isOfMessage(shape, key.text)) {
      call.hasAll = false
      return 'broken'
    }
    const outcome = yield* readMember(context, shape, call, key.text, depth, level)
    if (outcome !== 'done') return outcome
    last = 'member'
  }
}

/** The state of one object. */
interface Level {
  /** True if one of the object's members contains a call. */
  isWrapper: boolean
  /** True if the object has a member that a message with calls doesn't have. It is then data. */
  hasOthers: boolean
}

function* readMember(
  context: BlockContext,
  shape: BareShape,
  call: BareCall,
  key: string,
  depth: number,
  level: Level,
): Reading<End> {
  const { input } = context
  if (yield* skipToToken(input)) call.isStrict = false
  const first = yield* input.peek()
  const isData = level.hasOthers && !shape.isMarked
  if ((first === '{' || first === '[') && shape.inside?.includes(key) && depth < MAX_WRAPPERS && !isData) {
    level.isWrapper = true
    input.at++
    if (first === '{') return yield* readObject(context, shape, call, depth + 1)
    const outcome = yield* readList(context, shape, depth + 1)
    if (outcome !== 'none') call.inner = outcome
    return outcome === 'call' || outcome === 'none' ? 'done' : 'broken'
  }
  if (shape.arguments.includes(key) && !call.hasArguments) return yield* readArguments(context, call, key, first)
  let raw = ''
  const end = yield* scan(context, new JsonScanner(), (text) => {
    raw += text
  })
  if (end !== 'done') return end
  if (shape.arguments.includes(key) && call.hasAll && !call.addAgain(raw)) return 'broken'
  keep(shape, call, key, raw)
  level.hasOthers ||= !isOfMessage(shape, key)
  call.isSpoilt ||= level.isWrapper && level.hasOthers && !shape.isMarked
  return 'done'
}

function* readArguments(context: BlockContext, call: BareCall, key: string, first: string): Reading<End> {
  const { input } = context
  const scanner = new JsonScanner()
  call.hasArguments = true
  if (first === '{') {
    input.at++
    const opening = first + (yield* input.takeWhile(isSpace))
    // No object starts with two braces, so the model has started its arguments again.
    if ((yield* input.peek()) === '{') return 'broken'
    call.stream(scanner)
    scanner.push(opening, 0)
    call.write(opening)
  }
  const end = yield* scan(context, scanner, call.write)
  if (end !== 'done') return end
  call.hasAll = true
  call.isStrict &&= isJson(call.text)
  call.setMember(key, call.text)
  return 'done'
}

function* scan({ input }: BlockContext, scanner: JsonScanner, give: (text: string) => void): Reading<End> {
  if (!(yield* input.scan(scanner, give))) return 'cut'
  return scanner.stoppedAt === undefined ? 'done' : 'broken'
}

/** Keys in a call whose values don't matter. */
const IDLE = ['type', 'index']
/** Keys that a message may have besides its calls: the model's text or reasoning. */
const SPOKEN = [
  'role',
  'content',
  'text',
  'message',
  'response',
  'thought',
  'thoughts',
  'thinking',
  'reasoning',
  'reasoning_content',
]
const OF_MESSAGE = [
  ...IDLE,
  ...SPOKEN,
  'plan',
  'explanation',
  'comment',
  'refusal',
  'finish_reason',
  'stop_reason',
  'description',
]

function isOfMessage({ name, arguments: args, id = [], inside = [] }: BareShape, key: string): boolean {
  return [name, args, id, inside, OF_MESSAGE].some((keys) => keys.includes(key))
}

function keep(shape: BareShape, call: BareCall, key: string, raw: string): void {
  call.isStrict &&= isJson(raw)
  call.setMember(key, raw)
  const text = toText(raw)
  if (text !== undefined && shape.name.includes(key)) call.setName(text)
  else if (text !== undefined && shape.id?.includes(key)) call.id ??= text
  else if (key === 'description') call.isDescribed = true
  else if (call.isSecondName(text)) call.isSpoilt = true
  else if (!IDLE.includes(key)) {
    call.hasOthers = true
    if (call.others.length < 2) call.others.push(raw)
  }
}

function* readList(context: BlockContext, shape: BareShape, depth: number): Reading<ValueOutcome> {
  const { input, calls } = context
  const list = new BareList(context)
  for (let isFirst = true; ; isFirst = false) {
    const unit = yield* nextElement(context, isFirst)
    if (unit === undefined) return list.end('broken')
    if (unit === '') return list.end('cut')
    if (unit === ']') {
      input.at++
      return list.end('done')
    }
    if (calls.isOpen) {
      // Completes the call, so that text after it can't invalidate it.
      calls.end()
      input.mark()
      list.reportUnreadable()
    }
    if (unit !== '{' || list.isData) {
      if (isFirst && unit === '[') return yield* passLists(context)
      if (isFirst && !MAY_BE_VALUE.includes(unit)) return 'none'
      const isWhole = yield* skipValue(context)
      list.passOther()
      if (!isWhole) return list.end('done')
      continue
    }
    const start = input.marked
    input.at++
    const { outcome, call } = yield* readElement(context, shape, depth, false)
    // An object where a key should be is the next element, so this element's end is missing.
    if (outcome === 'broken' && list.hasCall && ((yield* input.peek()) === '{' || (yield* skipBrokenItem(context, start)))) {
      list.passOther()
      continue
    }
    if (outcome !== 'call' && outcome !== 'none') return outcome
    if (outcome === 'none' && calls.isOpen) return 'none'
    if (outcome === 'none') list.pass(call, () => context.input.peekMarked(start))
  }
}

/** Skips a list of lists, which is always data. */
function* passLists({ input }: BlockContext): Reading<'none'> {
  const opened = yield* input.takeWhile((code) => code === 0x5b || isSpace(code), 64)
  const scanner = new JsonScanner()
  scanner.push(`[${opened}`, 0)
  if ('{"'.includes((yield* input.peek()) || ' ')) yield* input.scan(scanner)
  return 'none'
}

/**
 * Returns the first character of the next element, or `]`. Returns an empty string at the end of the text, and undefined if the
 * following text isn't part of a list.
 */
function* nextElement({ input }: BlockContext, isFirst: boolean): Reading<string | undefined> {
  yield* skipToToken(input)
  const unit = yield* input.peek()
  if (unit === ',') {
    input.at++
    yield* skipToToken(input)
    return yield* input.peek()
  }
  return isFirst || unit === '' || unit === ']' || unit === '{' ? unit : undefined
}

/**
 * Characters that may start an element of a list with calls. `[` isn't one of them, because a list of lists contains no calls.
 */
const MAY_BE_VALUE = '"-0123456789tfn{'

/**
 * Returns true for a character that may follow the opening bracket of a list: white space, the start of an item, a bracket or a
 * comma.
 */
export function mayBeginItem(code: number): boolean {
  return isSpace(code) || isOdd(code) || `[],${MAY_BE_VALUE}`.includes(String.fromCharCode(code))
}
