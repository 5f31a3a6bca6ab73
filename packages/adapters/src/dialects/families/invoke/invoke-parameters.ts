/** Reads the parameters of an `<invoke>`: `<parameter name="K">V</parameter>`. In DSML, they also have the attribute `string`. */
import { recoverJson } from '../../../arguments/recover.ts'
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext } from '../../engine/block.ts'
import { propertyOf } from '../../engine/declared-types.ts'
import { loose, type Marker, MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { hasBrokenTag, readTaggedValue, TaggedValue, ValueEnds } from '../tagged/tagged-value.ts'
import { type CallEnd, type CallEndKey, endsOf, type InvokeCall, type InvokeTags } from './invoke-tags.ts'
import { readAttributes } from './tag-attributes.ts'
import { toTypedJson } from './typed-json.ts'

export interface InvokeParameters {
  /**
   * `pair`: if there is a line break on both sides of a value, both belong to the tags. A line break only at the end belongs to
   * the value.
   */
  readonly trim: 'pair' | 'none'
  /** True if the attribute `string` says whether a value is a string or JSON. */
  readonly isTyped?: boolean | undefined
  /**
   * Names of parameters that contain all arguments as one object. Such a parameter counts only if it is the only one and the tool
   * doesn't declare it.
   */
  readonly wrappers?: readonly string[] | undefined
}

type BlockTags = Omit<InvokeTags, 'readParameters'>

interface Grammar extends InvokeParameters {
  /** Markers that may follow a value: another parameter, an extra end tag, or the end of the call. */
  readonly body: MarkerSet<'parameter' | 'surplus' | CallEndKey>
  readonly value: ValueEnds
}

/** Returns a function that reads the parameters in a block with these tags. */
export function readParametersOf(tags: BlockTags, options: InvokeParameters): InvokeTags['readParameters'] {
  const surplus = tags.tags.map(({ close }) => loose(`${close}parameter >`))
  const parameter = tags.tags.map(({ open }) => `${open}parameter`)
  const ends = endsOf(tags)
  const grammar: Grammar = {
    ...options,
    body: new MarkerSet({ parameter, surplus, ...ends }),
    value: new ValueEnds(surplus, markersInValues(tags), undefined, [], ends.invoke, ends.end),
  }
  return (context, call) => readParameters(context, call, grammar)
}

/** Returns the markers that no value can contain, because they end it. */
export function markersInValues(tags: BlockTags): Marker {
  const next = tags.tags.flatMap(({ open }) => [loose(`${open}parameter name =`), loose(`${open}parameter string =`)])
  return [next, ...Object.values(endsOf(tags))].flat() as Marker
}

function* readParameters(context: BlockContext, call: InvokeCall, grammar: Grammar): Reading<CallEnd> {
  const { input, calls, policy } = context
  let writer: ArgumentsWriter | undefined
  let isRepaired = false
  let hasStray = false
  let hasSurplus = false
  for (;;) {
    yield* input.skipSpace()
    const key = yield* input.peek(grammar.body)
    if (key === undefined && input.takeBegun(grammar.body)) return 'cut'
    if (key === 'parameter') {
      const read = yield* readParameter(context, writer, call, grammar)
      if (typeof read === 'string') return read
      writer = read
    } else if (key === undefined || key === 'surplus') {
      // Text isn't allowed between parameters, so it is removed. Text that precedes an extra end tag or contains an incomplete
      // tag may have been a parameter.
      isRepaired = true
      if (key === 'surplus') {
        hasSurplus = true
        yield* input.match(grammar.body)
      } else {
        let stray = ''
        hasStray = (yield* input.before(grammar.body, (text) => (stray += text))) !== undefined
        const isValue = (yield* input.peek(grammar.body)) === 'surplus'
        if (isValue || hasBrokenTag(stray)) return hasStray ? 'malformed' : 'cut'
      }
    } else break
  }
  // Text without any parameter was meant as parameters.
  if (writer === undefined && (hasStray || policy.missingArguments === 'malformed')) return 'malformed'
  writer ??= new ArgumentsWriter(context, call.name)
  if (isRepaired) calls.tag('repaired')
  // The extra end tag may belong to a parameter whose open tag is missing.
  if (hasSurplus) calls.doubt()
  writer.end()
  return 'whole'
}

/** Reads one parameter. Returns the call's writer, which is created for the first parameter, or how the call ended. */
function* readParameter(
  context: BlockContext,
  started: ArgumentsWriter | undefined,
  call: InvokeCall,
  grammar: Grammar,
): Reading<ArgumentsWriter | CallEnd> {
  const { input } = context
  yield* input.match(grammar.body)
  const tag = yield* readAttributes(input)
  if (tag === 'cut') return 'cut'
  if (tag === 'broken' || tag.name === undefined) return 'malformed'
  const key = tag.name
  const type = grammar.isTyped === true ? tag.all.get('string')?.toLowerCase() : undefined
  if (started === undefined && !tag.isEmpty && isWrapper(context, call, key, type, grammar))
    return yield* readWrapper(context, call, key, type, grammar)
  const writer = started ?? new ArgumentsWriter(context, call.name)
  const value = toValue(context, writer, call, key, type, grammar)
  const end = tag.isEmpty ? 'close' : yield* readTaggedValue(input, grammar.value, value.give)
  if (end === 'cut' || end === 'broken') return end === 'cut' ? 'cut' : 'malformed'
  const isTypeMissing = grammar.isTyped === true && type !== 'true' && type !== 'false'
  if (end !== 'close' || isTypeMissing) context.calls.tag('repaired')
  if (tag.isOdd || [...tag.all.keys()].some((other) => !ATTRIBUTES.includes(other))) context.calls.doubt()
  value.end()
  return writer
}

/** Attributes that models write. Any other may be the rest of another tag. */
const ATTRIBUTES = ['name', 'string', 'type']

interface ValueWriter {
  readonly give: (piece: string) => void
  end(): void
}

function toValue(
  { tools }: BlockContext,
  writer: ArgumentsWriter,
  call: InvokeCall,
  key: string,
  type: string | undefined,
  grammar: Grammar,
): ValueWriter {
  if (type === 'true') {
    writer.beginText(key)
    return { give: (piece) => writer.text(piece), end: () => writer.endText() }
  }
  if (type !== 'false') return new TaggedValue(writer, key, grammar.trim)
  const pieces: string[] = []
  return {
    give: (piece) => pieces.push(piece),
    end: () => writer.json(key, toTypedJson(pieces.join(''), writer.schemaOf(key), tools.argsOf(call.name))),
  }
}

/**
 * Returns true if the parameter contains all arguments. If the tool is undeclared, only a parameter named `arguments` with a JSON
 * value does.
 */
function isWrapper(
  { tools }: BlockContext,
  call: InvokeCall,
  key: string,
  type: string | undefined,
  { wrappers = [] }: Grammar,
): boolean {
  const args = tools.argsOf(call.name)
  if (!wrappers.includes(key)) return false
  return args === undefined ? key === 'arguments' && type === 'false' : propertyOf(args, args, key) === undefined
}

/**
 * Reads all arguments from the parameter, if its value is one object and the call ends after it. Otherwise reads it as an
 * ordinary parameter.
 */
function* readWrapper(
  context: BlockContext,
  call: InvokeCall,
  key: string,
  type: string | undefined,
  grammar: Grammar,
): Reading<ArgumentsWriter | CallEnd> {
  const { input, calls } = context
  const pieces: string[] = []
  const end = yield* readTaggedValue(input, grammar.value, (piece) => pieces.push(piece))
  if (end === 'cut' || end === 'broken') return end === 'cut' ? 'cut' : 'malformed'
  const text = pieces.join('')
  yield* input.skipSpace()
  if ((yield* input.peek(call.ends)) !== undefined && isObject(text)) {
    calls.start({ name: call.name })
    calls.write(text.trim())
    calls.tag('repaired')
    calls.isWhole = true
    return 'whole'
  }
  const writer = new ArgumentsWriter(context, call.name)
  const value = toValue(context, writer, call, key, type, grammar)
  value.give(text)
  value.end()
  if (end !== 'close') calls.tag('repaired')
  return writer
}

export function isObject(text: string): boolean {
  const read = recoverJson(text)
  return read.ok && typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value)
}
