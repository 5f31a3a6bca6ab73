/**
 * Calls of the form `<function=NAME><parameter=KEY>VALUE</parameter></function>`. A wrapper tag may contain one or more
 * functions.
 */
import type { BlockDefinition } from '../../define/definition.ts'
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { hasAllDeclared, propertiesOf } from '../../engine/declared-types.ts'
import { afterSpace, loose, type Marker, MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { isAtJson } from '../json/code-fence.ts'
import { readJsonArguments } from '../json/json-arguments.ts'
import { type JsonBodyMarks, readJsonBody } from '../json/json-body.ts'
import { TaggedValue, ValueEnds, type ValueTrim } from '../tagged/tagged-value.ts'
import { readTagName } from './tag-name.ts'

export interface FunctionTagsOptions {
  /** Name of the tag around functions. Models may omit the tag. */
  readonly wrapper: string
  /** Which white space around a value belongs to the tags. */
  readonly trim: ValueTrim
  /** True if a function tag in a wrapper may be written without `=`: `<functionget_time>`. */
  readonly isLenient?: boolean | undefined
}

const FUNCTION = [loose('< function ='), loose('<function name =')]
const END_FUNCTION = [loose('< / function >'), '</function\n']
const PARAMETER = [loose('< parameter ='), loose('<parameter name =')]
const END_PARAMETER = [loose('< / parameter >'), '</parameter\n']

interface Grammar {
  readonly trim: ValueTrim
  /** Markers that may occur between parameters. */
  readonly tags: MarkerSet<'function' | 'endFunction' | 'parameter' | 'wrapper' | 'endWrapper'>
  /** The open tag of a further parameter. If the text ends inside it, the call is truncated. */
  readonly more: MarkerSet<'parameter'>
  /** Other markers that may follow a parameter. */
  readonly others: MarkerSet
  /** Markers of the block that may follow a call. */
  readonly behindCall: MarkerSet<'function' | 'endWrapper'>
  /** Markers that end a malformed block. */
  readonly ends: MarkerSet<'function' | 'wrapper' | 'endWrapper'>
  readonly values: ValueEnds
  /** Markers for a body that is one JSON object. */
  readonly json: JsonBodyMarks & { readonly endFunction: MarkerSet }
}

/** Returns two blocks: one for functions inside a wrapper, and one for functions without a wrapper. */
export function functionTags(options: FunctionTagsOptions): readonly BlockDefinition[] {
  const grammar = toGrammar(options)
  return [
    {
      open: loose(`<${options.wrapper} >`),
      inside: [...PARAMETER, ...END_PARAMETER, ...END_FUNCTION, loose(`< / ${options.wrapper} >`)],
      read: (context) => readWrapper(context, grammar),
    },
    { open: FUNCTION, read: (context) => readFunctions(context, grammar, 'text') },
  ]
}

/** Returns the markers that end a value even without its close tag. A value that contains one can't be written. */
export function endsOfValue(wrapper: string): Marker {
  return [...PARAMETER, ...END_FUNCTION, ...opensOfCall(wrapper), loose(`< / ${wrapper} >`)]
}

function opensOfCall(wrapper: string) {
  return [...FUNCTION, loose(`<${wrapper} > < function =`)]
}

function toGrammar({ wrapper, trim, isLenient }: FunctionTagsOptions): Grammar {
  const openWrapper = loose(`<${wrapper} >`)
  const endWrapper = loose(`< / ${wrapper} >`)
  const openFunction: Marker = isLenient ? [...FUNCTION, '<function'] : FUNCTION
  const others = { function: openFunction, endFunction: END_FUNCTION, wrapper: openWrapper, endWrapper }
  return {
    trim,
    tags: new MarkerSet({ ...others, parameter: PARAMETER }),
    more: new MarkerSet({ parameter: PARAMETER }),
    others: new MarkerSet(others),
    behindCall: new MarkerSet({ function: afterSpace(openFunction), endWrapper: afterSpace(endWrapper) }),
    ends: new MarkerSet({ function: openFunction, wrapper: openWrapper, endWrapper }),
    json: {
      stops: new MarkerSet({ wrapper: openWrapper, endWrapper }),
      end: new MarkerSet({ close: afterSpace(endWrapper) }),
      endFunction: new MarkerSet({ end: afterSpace(END_FUNCTION) }),
    },
    values: new ValueEnds(END_PARAMETER, endsOfValue(wrapper), PARAMETER, [], opensOfCall(wrapper), END_FUNCTION),
  }
}

function* readWrapper(context: BlockContext, grammar: Grammar): Reading<BlockOutcome> {
  const { input } = context
  const tag = yield* peekTag(input, grammar)
  if (tag === 'over' || tag === 'cut') return 'cut'
  if (tag === 'other' && (yield* isAtJson(input))) return yield* readJsonBody(context, '', grammar.json)
  if (tag !== 'function') return yield* skipBlock(input, grammar)
  yield* input.take(grammar.tags)
  return yield* readFunctions(context, grammar, 'malformed')
}

/**
 * Skips a block without a function. Prose that only mentions the wrapper's tag is text. Calls in another format are malformed;
 * they are consumed up to the next tag of this format.
 */
function* skipBlock(input: TextInput, { ends }: Grammar): Reading<BlockOutcome> {
  if (!'<{['.includes(yield* input.peek())) return 'text'
  const end = yield* input.before(ends, () => undefined)
  if (end === 'endWrapper') yield* input.take(ends)
  return 'malformed'
}

/** Reads functions up to the end of the block. `other` is the outcome if something other than a tag follows the name. */
function* readFunctions(context: BlockContext, grammar: Grammar, other: 'text' | 'malformed'): Reading<BlockOutcome> {
  const { input, calls } = context
  for (;;) {
    const outcome = yield* readFunction(context, grammar, other)
    if (outcome !== 'whole' && outcome !== 'truncated') return outcome
    calls.end(outcome === 'truncated')
    input.mark()
    const behind = yield* input.match(grammar.behindCall)
    if (behind !== 'function') return 'read'
  }
}

/** How reading a call ended. The call is still open. `truncated`: the text ended, and more parameters might have followed. */
type CallOutcome = 'whole' | 'truncated' | Exclude<BlockOutcome, 'read'>

/** Reads a function, starting after `<function=`. */
function* readFunction(context: BlockContext, grammar: Grammar, other: 'text' | 'malformed'): Reading<CallOutcome> {
  const { input, tools, policy } = context
  const { name, end } = yield* readTagName(input, (written) => !tools.isOpen && tools.has(written))
  if (end === 'cut') return 'cut'
  if (name === '' || end === 'none') return other
  if (!tools.has(name) && policy.unknownTool === 'text') return 'text'
  if (end !== 'closed') {
    const tag = yield* peekTag(input, grammar)
    if (tag === 'cut') return 'cut'
    if (tag === 'other' && (yield* isAtJson(input))) return yield* readJsonFunction(context, grammar, name, other)
    // A name at the very end of the text may be prose.
    if (tag === 'other' || (tag === 'over' && other === 'text')) return other
  }
  const writer = new ArgumentsWriter(context, name)
  if (end === 'missing') context.calls.doubt()
  const keys = new Set<string>()
  // No parameters can follow a tag that ends with `/>`.
  if (end === 'closed' && (yield* peekTag(input, grammar)) === 'parameter') return 'malformed'
  const last = end === 'closed' ? 'endFunction' : yield* readParameters(context, grammar, writer, keys)
  if (last === 'cut' || last === 'malformed') return last
  return endFunction(context, writer, { last, keys, schema: tools.argsOf(name) })
}

/** Reads arguments in the form of one JSON object, starting at its brace or at the code fence around it. */
function* readJsonFunction(
  context: BlockContext,
  { others, json, more }: Grammar,
  name: string,
  other: 'text' | 'malformed',
): Reading<CallOutcome> {
  const { input, calls, policy } = context
  const outcome = yield* readJsonArguments(context, { name }, others)
  if (outcome === 'cut' || outcome === 'text') return outcome
  if (outcome === 'broken') return calls.isOpen ? 'malformed' : other
  if ((yield* input.match(json.endFunction)) !== undefined) return 'whole'
  yield* input.skipSpace()
  // The object should contain all arguments, but more follow.
  if ((yield* input.peek(more)) !== undefined) return 'malformed'
  input.takeBegun(json.endFunction)
  if (input.isAtEnd ? policy.unfinished === 'never' : (yield* input.peek()) !== '<') return input.isAtEnd ? 'cut' : 'malformed'
  calls.tag('missing_end')
  return 'whole'
}

/** The marker that follows the last parameter. */
type Behind = 'function' | 'endFunction' | 'wrapper' | 'endWrapper' | 'over'

/** Reads parameters. Adds their names to `keys`. */
function* readParameters(
  context: BlockContext,
  grammar: Grammar,
  writer: ArgumentsWriter,
  keys: Set<string>,
): Reading<Behind | 'cut' | 'malformed'> {
  const { input } = context
  for (;;) {
    const tag = yield* peekTag(input, grammar)
    if (tag === 'cut') return 'cut'
    if (tag === 'other') return 'malformed'
    if (tag === 'parameter') {
      yield* input.take(grammar.tags)
      const outcome = yield* readParameter(context, grammar, writer, keys)
      if (outcome !== 'read') return outcome
      continue
    }
    if (tag === 'endFunction') yield* input.take(grammar.tags)
    return tag
  }
}

interface FunctionEnd {
  readonly last: Behind
  readonly keys: ReadonlySet<string>
  readonly schema: unknown
}

/**
 * Ends a call. If the text ended before the end tag, the call is `truncated`, unless it has all declared parameters. If it has no
 * parameters at all, the outcome is `cut`.
 */
function endFunction({ calls, policy }: BlockContext, writer: ArgumentsWriter, { last, keys, schema }: FunctionEnd): CallOutcome {
  const isOver = last === 'over'
  if (isOver && (policy.unfinished === 'never' || (keys.size === 0 && propertiesOf(schema, schema).length > 0))) return 'cut'
  if (keys.size === 0 && policy.missingArguments === 'malformed') return 'malformed'
  if (last !== 'endFunction') calls.tag('missing_end')
  writer.end()
  return isOver && !hasAllDeclared(schema, keys) ? 'truncated' : 'whole'
}

/** Reads a parameter, starting after `<parameter=`. */
function* readParameter(
  context: BlockContext,
  grammar: Grammar,
  writer: ArgumentsWriter,
  keys: Set<string>,
): Reading<'read' | 'cut' | 'malformed'> {
  const { input, calls } = context
  const { name: key, end: endOfKey } = yield* readTagName(input)
  if (endOfKey === 'cut') return 'cut'
  if (key === '' || endOfKey === 'none') return 'malformed'
  const value = new TaggedValue(writer, key, grammar.trim)
  const end = endOfKey === 'closed' ? 'close' : yield* value.read(input, grammar.values)
  if (end === 'cut' || end === 'broken') return end === 'cut' ? 'cut' : 'malformed'
  value.end()
  keys.add(key)
  if (end !== 'close') calls.tag('repaired')
  if (endOfKey === 'missing') calls.doubt()
  return 'read'
}

type NextTag = 'function' | 'endFunction' | 'parameter' | 'wrapper' | 'endWrapper' | 'over' | 'cut' | 'other'

/**
 * Skips white space. Returns the tag that follows without consuming it. `over`: the text ends here, possibly inside a tag. `cut`:
 * the text ends inside the tag of a parameter. `other`: no tag follows.
 */
function* peekTag(input: TextInput, { tags, more, others }: Grammar): Reading<NextTag> {
  yield* input.skipSpace()
  const tag = yield* input.peek(tags)
  if (tag !== undefined) return tag
  if (!input.isEnded) return 'other'
  if (input.hasBegun(others)) return 'over'
  return input.hasBegun(more) ? 'cut' : 'other'
}
