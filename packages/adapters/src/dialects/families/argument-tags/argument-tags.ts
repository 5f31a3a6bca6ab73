/** Calls of the form `<tool_call>NAME`, a key and a value in tags for each parameter, `</tool_call>`. */

import type { BlockDefinition } from '../../define/definition.ts'
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { hasAllDeclared } from '../../engine/declared-types.ts'
import { afterSpace, MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { isAtJson } from '../json/code-fence.ts'
import { readJsonBody } from '../json/json-body.ts'
import { hasBrokenTag } from '../tagged/tagged-value.ts'
import { type ArgumentHead, LITERAL_LINE_BREAK, NAME_LIMIT, readHead } from './argument-head.ts'
import { ARGUMENT_VALUE, argumentTag, TAGS } from './argument-marks.ts'
import { ArgumentValue } from './argument-value.ts'

export interface ArgumentTagsOptions {
  /** True if a declared string may be in quotes, as in JSON, so that `"London"` means `London`. */
  readonly unquotes?: boolean | undefined
}

/**
 * Returns a block for calls in argument tags. A declared string is used unchanged. As on these models' servers, a parameter
 * without a schema is a JSON or Python literal if possible, and a string otherwise.
 */
export function argumentTags({ unquotes = false }: ArgumentTagsOptions = {}): BlockDefinition {
  return {
    open: argumentTag('tool_call'),
    inside: [...Object.values(TAGS).flat(), ...argumentTag('/arg_key'), ...argumentTag('/arg_value')],
    *read(context) {
      const head = yield* takeHead(context)
      if (typeof head === 'string') return head
      if (head.isJson) return yield* readJsonBody(context, head.name, JSON_BODY)
      const isSeparated = (yield* context.input.match(SEPARATOR)) !== undefined
      if (isSeparated) yield* context.input.skipSpace()
      if (isSeparated && (yield* isAtJson(context.input))) return yield* readJsonBody(context, head.name, JSON_BODY)
      const call = new TaggedCall(context, head.name, unquotes)
      for (const [key, text] of head.pairs) call.write(key, text)
      return yield* call.read()
    },
  }
}

const PARTS = new MarkerSet(TAGS)
const SEPARATOR = new MarkerSet({ separator: TAGS.separator })
const JSON_BODY = {
  stops: new MarkerSet({ close: TAGS.close, next: TAGS.next, all: TAGS.closeAll }),
  end: new MarkerSet({ close: afterSpace(TAGS.close) }),
  more: new MarkerSet({ key: TAGS.key, value: TAGS.value }),
}
const LINE_BREAK = new MarkerSet({ lineBreak: LITERAL_LINE_BREAK })
const KEY_ENDS = new MarkerSet({
  close: argumentTag('/arg_key'),
  value: argumentTag('arg_value'),
  broken: [...TAGS.key, ...TAGS.close, ...TAGS.next, ...TAGS.closeAll],
})
const VALUE = new MarkerSet({ value: argumentTag('arg_value') })

/** Reads the text before the first tag. If no tag follows nearby, the text only mentions a tool call. */
function* takeHead(context: BlockContext): Reading<BlockOutcome | (ArgumentHead & { isJson?: boolean })> {
  const { input, tools, policy } = context
  let text = ''
  let tag = yield* input.peek(PARTS)
  while (tag === undefined && !input.isAtEnd && text.length < NAME_LIMIT) {
    if ((yield* isAtJson(input)) && !/\s/.test(text.trim())) break
    text += yield* input.takeWhile(() => true, 1)
    text += yield* input.takeWhile(isOfHead, NAME_LIMIT - text.length)
    tag = yield* input.peek(PARTS)
  }
  const head = readHead(text)
  if (tag === undefined && (yield* isAtJson(input))) {
    const isUnknown = head.name !== '' && policy.unknownTool === 'text' && !tools.has(head.name)
    return isUnknown ? 'text' : { ...head, isJson: true }
  }
  if (tag === undefined) return input.isAtEnd && !/\s/.test(head.name) ? 'cut' : 'text'
  if (!mayBeName(head.name) && !(tools.has(head.name) && !tools.isOpen)) {
    return yield* skipCall(context)
  }
  return policy.unknownTool === 'text' && !tools.has(head.name) ? 'text' : head
}

/**
 * Returns true if the text may be a tool name: it has no line break and none of `{`, `(`, `"`, `=` and `<`, and doesn't start
 * with a bracket.
 */
function mayBeName(name: string): boolean {
  return /^[^{[<]/.test(name) && !/[{("=<\n]/.test(name)
}

/** Returns true unless the character may start a tag, JSON or a code fence. */
function isOfHead(code: number): boolean {
  return !'<{`~'.includes(String.fromCharCode(code))
}

/** Skips a malformed call. */
function* skipCall({ input }: BlockContext): Reading<BlockOutcome> {
  yield* input.before(JSON_BODY.stops, () => {})
  yield* input.match(JSON_BODY.end)
  return 'malformed'
}

/** Reads a call, starting after its name. */
class TaggedCall {
  readonly #context: BlockContext
  readonly #writer: ArgumentsWriter
  readonly #name: string
  readonly #unquotes: boolean
  readonly #keys = new Set<string>()

  constructor(context: BlockContext, name: string, unquotes: boolean) {
    this.#context = context
    this.#writer = new ArgumentsWriter(context, name)
    this.#name = name
    this.#unquotes = unquotes
  }

  /** Writes a parameter that the model wrote as `key=text`. */
  write(key: string, text: string): void {
    const value = this.#valueOf(key)
    value.give(text)
    value.end()
    this.#context.calls.tag('repaired')
  }

  *read(): Reading<BlockOutcome> {
    const { input } = this.#context
    for (;;) {
      yield* skipGap(this.#context)
      const tag = yield* input.peek(PARTS)
      if (tag === undefined && input.isAtEnd) return this.#endAtEnd()
      if (tag === undefined || tag === 'value' || tag === 'separator') return yield* skipCall(this.#context)
      if (tag !== 'key') return yield* this.#end(tag === 'close')
      const pair = yield* this.#readPair()
      if (pair !== 'read') return pair
    }
  }

  *#readPair(): Reading<BlockOutcome> {
    const { input, calls } = this.#context
    yield* input.take(PARTS)
    let key = ''
    const end = yield* input.before(KEY_ENDS, (text) => {
      key += text
    })
    if (end === 'close') yield* input.take(KEY_ENDS)
    yield* skipGap(this.#context)
    if (end === undefined || input.isAtEnd) return 'cut'
    if (end === 'broken') return yield* skipCall(this.#context)
    const isTagged = (yield* input.match(VALUE)) !== undefined
    if (end !== 'close' || !isTagged) calls.tag('repaired')
    if (!isTagged && (yield* input.peek(PARTS)) !== undefined) return yield* skipCall(this.#context)
    return yield* this.#readValue(this.#valueOf(key.trim()), isTagged)
  }

  *#readValue(value: ArgumentValue, isTagged: boolean): Reading<BlockOutcome> {
    const { input, calls, policy } = this.#context
    let hasTag = false
    const end = yield* ARGUMENT_VALUE.read(input, (text) => {
      hasTag ||= hasBrokenTag(text)
      value.give(text)
    })
    // The open tag of a value is missing, so an angle bracket in the value may be the rest of it.
    if (end === 'broken' || (!isTagged && hasTag)) return yield* skipCall(this.#context)
    if (end === 'cut' && policy.unfinished !== 'cut') return 'cut'
    if (end === 'next' || end === 'surplus') calls.tag('repaired')
    if (end === 'reopened') calls.doubt()
    value.end()
    return end === 'cut' ? 'cut' : 'read'
  }

  #valueOf(key: string): ArgumentValue {
    this.#keys.add(key)
    return new ArgumentValue(this.#context, this.#writer, { name: this.#name, key, unquotes: this.#unquotes })
  }

  *#end(isClosed: boolean): Reading<BlockOutcome> {
    const { input, calls, tools, policy } = this.#context
    // A word between two open tags, as in `<tool_call>s<tool_call>`, isn't a call.
    if (!isClosed && this.#keys.size === 0 && !tools.has(this.#name)) return 'malformed'
    if (isClosed) yield* input.take(PARTS)
    else calls.tag('missing_end')
    if (this.#keys.size === 0 && policy.missingArguments === 'malformed') return 'malformed'
    this.#writer.end()
    calls.end()
    return 'read'
  }

  /** Handles text that ends inside a call. Returns `cut` if no parameter is complete. */
  #endAtEnd(): BlockOutcome {
    const { calls, tools, policy } = this.#context
    if (this.#keys.size === 0 || policy.unfinished === 'never') return 'cut'
    calls.tag('missing_end')
    this.#writer.end()
    calls.end(!hasAllDeclared(tools.argsOf(this.#name), this.#keys))
    return 'read'
  }
}

/** Skips white space, including line breaks that are written as a backslash and an n. */
function* skipGap({ input }: BlockContext): Reading {
  do yield* input.skipSpace()
  while ((yield* input.match(LINE_BREAK)) !== undefined)
}
