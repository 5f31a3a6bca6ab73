/**
 * Reads parameters in the form of elements with the same names, which may be nested. A mark that never occurs in text precedes
 * each tag.
 */
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext } from '../../engine/block.ts'
import { declaredTypes } from '../../engine/declared-types.ts'
import { loose, MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { hasBrokenTag, takeInnerCalls, type ValueEnds } from '../tagged/tagged-value.ts'
import { type Element, toElementJson } from './element-values.ts'
import type { CallEnd, CallEndKey, InvokeCall, InvokeTags } from './invoke-tags.ts'

/** Maximum nesting depth of elements. */
const MAX_DEPTH = 64
/** Maximum length of a tag, in UTF-16 code units. A longer tag counts as text. */
const MAX_TAG = 256

/** Returns true for a key that can be used as a tag, because nothing in it ends the tag or changes its meaning. */
export function isElementName(key: string): boolean {
  return key.length < MAX_TAG - 1 && key === key.trim() && !/^$|[<>]|^\/|\/$|^(?:invoke|tool_call)(?![\w$])/.test(key)
}

/**
 * Returns a function that reads the elements up to the end of a call. `mark` precedes each `<`. Text between elements ends the
 * arguments.
 */
export function readElementsOf(mark: string): InvokeTags['readParameters'] {
  const tag = new MarkerSet({ tag: `${mark}<` })
  const toValueEnds = (name: string) => ({
    inner: new MarkerSet({
      open: loose(`${mark}<invoke name =`),
      shut: loose(`${mark}</invoke >`),
      close: loose(`${mark}</ ${name} >`),
    }),
  })
  const around = new MarkerSet({ around: loose(`${mark}<tool_call> ${mark}<invoke name =`) })
  return (context, call) => readElements(context, { ...call, toValueEnds, around }, tag)
}

interface ElementCall extends InvokeCall {
  /** Returns the markers in the value of a parameter, to recognize a call that is part of it. */
  toValueEnds(name: string): Pick<ValueEnds, 'inner'>
  /** The tag around a call, and the start of that call. */
  readonly around: MarkerSet
}

type TagMarker = MarkerSet<'tag'>

function* readElements(context: BlockContext, call: ElementCall, tag: TagMarker): Reading<CallEnd> {
  const { input, calls, policy } = context
  const writer = new ArgumentsWriter(context, call.name)
  let count = 0
  for (;;) {
    yield* input.skipSpace()
    if ((yield* input.peek(call.ends)) !== undefined) break
    if ((yield* input.match(tag)) === undefined) {
      if (input.takeBegun(tag)) return 'cut'
      // This text and everything after it contain no arguments, unless there is an incomplete tag, which may have been a
      // parameter. Text before the first element may also have been one.
      calls.tag('repaired')
      let stray = ''
      yield* input.before(tag, (text) => {
        stray += text
      })
      const isValue = (yield* input.peek(call.ends)) === undefined && (yield* isEndTag(input, tag))
      if ((yield* input.before(call.ends, () => undefined)) === undefined) return 'cut'
      // The text may be the value of a parameter whose tag is missing.
      if (count === 0 || isValue || hasBrokenTag(stray)) return 'malformed'
      break
    }
    const { name, isClosed } = yield* readTagName(input)
    if (!isClosed && (yield* input.peek()) === '') return 'cut'
    if (!isClosed || name === '') return 'malformed'
    if (name.startsWith('/')) {
      calls.doubt()
      continue
    }
    count++
    const end = yield* readParameter(context, writer, call, tag, name)
    if (end !== 'whole') return end
  }
  if (count === 0 && policy.missingArguments === 'malformed') return 'malformed'
  writer.end()
  return 'whole'
}

/** Returns true if the next tag is an end tag. Consumes the beginning of the tag. */
function* isEndTag(input: TextInput, tag: TagMarker): Reading<boolean> {
  return (yield* input.match(tag)) !== undefined && (yield* input.peek()) === '/'
}

/** Reads one parameter. Emits a string as it arrives, and any other value once it is complete. */
function* readParameter(
  context: BlockContext,
  writer: ArgumentsWriter,
  call: ElementCall,
  tag: TagMarker,
  name: string,
): Reading<CallEnd> {
  const schema = writer.schemaOf(name)
  const root = context.tools.argsOf(call.name)
  if (declaredTypes(schema, root).isText) return yield* readText(context, writer, call, tag, name)
  const element = yield* readElement(context, call, tag, name)
  if (typeof element === 'string') return element
  const { json, isCoerced } = toElementJson(element, schema, root)
  if (isCoerced) context.calls.tag('coerced')
  writer.json(name, json)
  return 'whole'
}

/** Reads all text up to the end tag of the element, or the end of the call. */
function* readText(
  { input, calls }: BlockContext,
  writer: ArgumentsWriter,
  call: ElementCall,
  tag: TagMarker,
  key: string,
): Reading<CallEnd> {
  let hasTag = false
  const give = (text: string) => {
    hasTag ||= hasBrokenTag(text)
    writer.text(text)
  }
  writer.beginText(key)
  for (;;) {
    const end = yield* beforeTag(input, call, tag, key, give)
    if (end === 'cut') return end
    if (end !== 'tag') {
      // The value contains the rest of its own end tag, or of another parameter's tag.
      if (hasTag) return 'malformed'
      calls.tag('repaired')
      break
    }
    const marker = yield* input.take(tag)
    const { name, raw, isClosed } = yield* readTagName(input)
    if (isClosed && name === `/${key}`) break
    give(marker + raw)
  }
  writer.endText()
  return 'whole'
}

/**
 * Emits text up to the next tag, with calls that are part of the value. Returns the marker that ends the call, or `tag` at any other
 * tag. `cut`: there is no tag.
 */
function* beforeTag(
  input: TextInput,
  { ends, toValueEnds }: ElementCall,
  tag: TagMarker,
  name: string,
  give: (text: string) => void,
): Reading<CallEndKey | 'tag' | 'cut'> {
  while ((yield* input.before(tag, give)) !== undefined) {
    const end = yield* input.peek(ends)
    const inner = end === 'invoke' ? yield* takeInnerCalls(input, toValueEnds(name)) : undefined
    if (inner === undefined) return end ?? 'tag'
    give(inner)
  }
  return 'cut'
}

/** Reads the content of an element, starting after its open tag. */
function* readElement(
  { input, calls }: BlockContext,
  call: ElementCall,
  tag: TagMarker,
  name: string,
): Reading<Element | 'cut' | 'malformed'> {
  const root: Element = { name, text: '', children: [] }
  const open = [root]
  while (open.length > 0) {
    const top = open[open.length - 1] as Element
    const give = (text: string) => {
      top.text += text
    }
    const end = yield* beforeTag(input, call, tag, top.name, give)
    if (end === 'cut') return end
    if (end !== 'tag') {
      calls.tag('repaired')
      break
    }
    // The tag around a call isn't an element.
    const isAround = (yield* input.peek(call.around)) !== undefined
    const marker = yield* input.take(tag)
    const found = yield* readTagName(input)
    if (!found.isClosed || found.name === '' || isAround) give(marker + found.raw)
    else if (found.name.startsWith('/')) {
      const level = open.findLastIndex((element) => `/${element.name}` === found.name)
      if (level !== open.length - 1) calls.tag('repaired')
      if (level >= 0) open.length = level
    } else {
      const isEmpty = found.name.endsWith('/')
      const child: Element = { name: isEmpty ? found.name.slice(0, -1).trim() : found.name, text: '', children: [] }
      top.children.push(child)
      if (!isEmpty) open.push(child)
      if (open.length > MAX_DEPTH) return 'malformed'
    }
  }
  return root
}

interface TagName {
  readonly name: string
  /** The text of the tag as the model wrote it, including any `>`. */
  readonly raw: string
  readonly isClosed: boolean
}

/** Reads the text between `<` and `>`, up to the maximum length. */
function* readTagName(input: TextInput): Reading<TagName> {
  const text = yield* input.takeWhile((code) => code !== LESS && code !== GREATER, MAX_TAG)
  const isClosed = (yield* input.peek()) === '>'
  if (isClosed) input.at++
  return { name: text.trim(), raw: isClosed ? `${text}>` : text, isClosed }
}

const LESS = 0x3c
const GREATER = 0x3e
