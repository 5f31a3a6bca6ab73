/** Reads calls in JSON without a marker. An object that looks like a call to a declared tool is a call; other JSON is text. */
import type { BlockDefinition } from '../../define/definition.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { CallWriter } from '../../engine/call-writer.ts'
import { afterSpace, loose, MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { takeFence, takeFenceEnd } from '../json/code-fence.ts'
import type { JsonCallShape } from '../json/json-calls.ts'
import type { ValueOutcome } from './bare-call.ts'
import { mayBeginItem, readBareValue, skipValue } from './bare-json-value.ts'
import { mayBeginMember } from './object-key.ts'

export interface BareJsonOptions {
  /** Markers that may precede the JSON. JSON after a marker always counts as calls. */
  readonly open?: readonly string[] | undefined
  /** Markers that may follow the JSON. */
  readonly close?: readonly string[] | undefined
  /** Keys of a call. Default: all keys that models are known to use. */
  readonly shape?: Partial<JsonCallShape> | undefined
}

const WRAPPERS = ['tool_calls', 'tool_call', 'calls', 'function_call', 'function', 'tool', 'action']

const BARE_CALL: JsonCallShape = {
  name: ['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'action'],
  arguments: ['arguments', 'args', 'parameters', 'params', 'input', 'tool_input', 'action_input'],
  id: ['id', 'call_id', 'tool_call_id'],
  inside: WRAPPERS,
}

/**
 * Reads an object or a list, or several in a row, bare or in a code fence. Only the tool name shows that an object is a call.
 * With `unknownTool: 'text'`, the tool must be declared. If the tools are unknown, the JSON must be valid. JSON is an example if
 * it is in inline code, in a fence for another language, or in quotes. With `callInFence: 'text'`, JSON in any
 * code is an example.
 */
export function bareJson({ open = [], close = [], shape }: BareJsonOptions = {}): BlockDefinition {
  const grammar = toGrammar({ ...BARE_CALL, ...shape }, open, close)
  return {
    open: ['{', '[', TICK, ...QUOTED, ...open],
    *read(context) {
      const { opener, input } = context
      if (opener === TICK) return yield* readCode(context, grammar)
      if (passNone(context, grammar)) return 'text'
      if (QUOTED.includes(opener)) return yield* readQuoted(context, grammar)
      if (opener.endsWith('{')) return yield* readRow(context, grammar, '{', false)
      const isMarked = opener !== '[' || (yield* input.match(grammar.restOfOpen)) !== undefined
      if (isMarked) yield* input.skipSpace()
      const isFenced = isMarked && (yield* takeFence(input))
      const bracket = isMarked ? yield* takeBracket(context) : '['
      // Prose doesn't contain tokens, so other text after a token is code that was meant for an undeclared tool.
      if (bracket === '') return opener.startsWith('<|') ? 'malformed' : 'text'
      const outcome = yield* readRow(context, grammar, bracket, isMarked)
      if (isFenced && outcome === 'read') yield* takeFenceEnd(input)
      return outcome
    },
  }
}

/**
 * Returns true, and consumes the checked text, if obviously no call starts here. Must be fast, because text may contain millions
 * of brackets. Of several opening braces, the last isn't consumed, because it may open an object.
 */
function passNone({ opener, input }: BlockContext, { restOfOpen }: Grammar): boolean {
  const { text, at } = input
  if (at === text.length) return false
  if (opener === '[' && text[at] === '{') {
    if (at + 1 === text.length || mayBeginMember(text.charCodeAt(at + 1))) return false
    input.at++
    return true
  }
  if (opener === '[') return !mayBeginItem(text.charCodeAt(at)) && !restOfOpen.firstUnits.includes(text.charAt(at))
  if (!opener.endsWith('{') || mayBeginMember(text.charCodeAt(at))) return false
  while (text[input.at] === '{' && text[input.at + 1] === '{') input.at++
  return true
}

const QUOTED = ['"{', "'{", '\u201c{', '\u2018{']

/** Reads a quoted value without reporting its calls. */
function* readQuoted(context: BlockContext, { shape }: Grammar): Reading<BlockOutcome> {
  const calls = new CallWriter(
    () => {},
    context.tools,
    () => '',
  )
  yield* readBareValue({ ...context, calls }, { ...shape, inside: [], isMarked: false }, '{')
  return 'text'
}

interface Grammar {
  readonly shape: JsonCallShape
  /** The rest of an open marker that starts with `[`. */
  readonly restOfOpen: MarkerSet
  readonly open: MarkerSet
  readonly close: MarkerSet
  /** Text between two values in a row. Includes the opening bracket of the second one. */
  readonly next: MarkerSet
}

function toGrammar(shape: JsonCallShape, open: readonly string[], close: readonly string[]): Grammar {
  const openings = ['', ...open.map((marker) => `${marker} `)].flatMap((marker) => [`${marker}{`, `${marker}[`])
  const separators = [' ', ' , ', ' ; ']
  return {
    shape,
    restOfOpen: new MarkerSet({ rest: open.filter((marker) => marker.startsWith('[')).map((marker) => marker.slice(1)) }),
    open: new MarkerSet({ open }),
    close: new MarkerSet({ close: afterSpace(close) }),
    next: new MarkerSet({ next: separators.flatMap((separator) => openings.map((opening) => loose(separator + opening))) }),
  }
}

/** Consumes and returns the next bracket. If there is none, returns an empty string. */
function* takeBracket({ input }: BlockContext): Reading<string> {
  yield* input.skipSpace()
  const unit = yield* input.peek()
  if (unit !== '{' && unit !== '[') return ''
  input.at++
  return unit
}

/** Reads consecutive calls, starting after the first opening bracket. */
function* readRow(context: BlockContext, grammar: Grammar, first: string, isMarked: boolean): Reading<BlockOutcome> {
  const { input, calls } = context
  for (let bracket = first; ; ) {
    const asked = isMarked ? namesAsked(context) : undefined
    const outcome = yield* readBareValue(asked?.context ?? context, { ...grammar.shape, isMarked }, bracket)
    if (outcome === 'none' && asked?.isUnknown) return 'text'
    if (outcome !== 'call') return yield* endNone(context, outcome, isMarked)
    yield* input.takeWhile(isCloser)
    yield* input.match(grammar.close)
    if (calls.isOpen) calls.end()
    input.mark()
    const next = yield* input.take(grammar.next)
    if (next === '') return 'read'
    bracket = next.slice(-1)
  }
}

/** Returns a context for reading one value. `isUnknown` becomes true if the value names an undeclared tool. */
function namesAsked(context: BlockContext): { readonly context: BlockContext; isUnknown: boolean } {
  const { tools } = context
  const has = (name: string) => {
    const isTool = tools.has(name)
    if (!isTool) asked.isUnknown = true
    return isTool
  }
  const asked = { context: { ...context, tools: { ...tools, has } }, isUnknown: false }
  return asked
}

function isCloser(code: number): boolean {
  return code === 0x5d || code === 0x7d
}

/** Handles a value that isn't a call. Skips the objects next to it, which belong to the same data. */
function* endNone(context: BlockContext, outcome: Exclude<ValueOutcome, 'call'>, isMarked: boolean): Reading<BlockOutcome> {
  if (outcome === 'malformed' || outcome === 'cut') return outcome
  if (isMarked) return context.input.isAtEnd && outcome === 'none' ? 'cut' : 'malformed'
  while (outcome === 'none' && (yield* context.input.peek()) === '{') if (!(yield* skipValue(context))) break
  return 'text'
}

const TICK = '`'
const FENCE = '```'
const END_OF_FENCE = new MarkerSet({ end: FENCE })
const END_OF_CODE = new MarkerSet({ end: afterSpace(FENCE) })
/** Languages of code fences that may contain calls. */
const LANGUAGES = ['', 'json', 'json5', 'jsonc', 'tool_call', 'tool_calls', 'tool', 'tools', 'function_call', 'function_calls']
const LONGEST_LANGUAGE = 32

/** Reads inline code or a code fence, starting after its first backtick. */
function* readCode(context: BlockContext, grammar: Grammar): Reading<BlockOutcome> {
  const { input, policy } = context
  const more = yield* input.takeWhile((code) => code === 0x60)
  if (more.length < 2) {
    yield* input.takeWhile((code) => code !== 0x60 && code !== 0x0a)
    if (more === '' || (yield* input.peek()) === TICK) yield* input.takeWhile((code) => code === 0x60)
    return 'text'
  }
  const language = yield* input.takeWhile(isOfLanguage, LONGEST_LANGUAGE)
  const mayCall = policy.callInFence === 'call' && LANGUAGES.includes(language.trim().toLowerCase())
  if (!mayCall) return yield* endFence(context, 'text')
  yield* input.skipSpace()
  const isMarked = (yield* input.match(grammar.open)) !== undefined
  const bracket = yield* takeBracket(context)
  if (bracket === '') return yield* endFence(context, 'text')
  const outcome = yield* readRow(context, grammar, bracket, isMarked)
  if (outcome !== 'read') return yield* endFence(context, outcome)
  if ((yield* input.match(END_OF_CODE)) !== undefined) yield* input.takeWhile((code) => code === 0x60)
  else if (!input.isAtEnd) return yield* endFence(context, 'text')
  return 'read'
}

function isOfLanguage(code: number): boolean {
  return code !== 0x0a && code !== 0x7b && code !== 0x5b && code !== 0x60
}

/** Consumes the rest of a code fence without parsing it. */
function* endFence(context: BlockContext, outcome: BlockOutcome): Reading<BlockOutcome> {
  if (outcome === 'text' && !context.calls.isOpen) return yield* passTo(context, END_OF_FENCE)
  yield* context.input.until(END_OF_FENCE, () => {})
  return outcome
}

/** Reads plain text up to an end marker, without looking for calls. Emits it as it arrives, unless it may be part of reasoning. */
export function* passTo({ input, policy, giveText }: BlockContext, end: MarkerSet): Reading<'text'> {
  const isText = policy.callInReasoning === 'ignore'
  if (isText) giveText(input.sinceMark())
  const found = yield* input.until(end, isText ? giveText : () => {})
  if (isText) {
    giveText(found?.text ?? '')
    input.mark()
  }
  return 'text'
}
